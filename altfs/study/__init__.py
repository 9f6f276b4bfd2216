"""The study: configuration, plan, tasks and stored results."""
