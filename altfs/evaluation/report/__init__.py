"""The report: one page that answers, shows and links everything, without a network."""
