"""The command `altfs` as `python -m altfs`."""

import sys

from altfs.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
