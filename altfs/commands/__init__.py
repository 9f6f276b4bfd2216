"""The command line."""

from __future__ import annotations

import signal


def start() -> int:
    """Run the command line; Ctrl-C while Python imports ends it without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from altfs.commands.main import main

    signal.signal(signal.SIGINT, handler)
    return main()
