"""`python -m hybridverify` is the command line."""

import sys

from hybridverify.cli import main

if __name__ == "__main__":
    sys.exit(main())
