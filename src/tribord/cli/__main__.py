"""`python -m tribord.cli` is `tribord`."""

import sys

from tribord.cli import main

sys.exit(main())
