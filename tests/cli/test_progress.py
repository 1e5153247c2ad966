"""The progress bar, and the Ctrl-C that ends what it shows."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import pytest

from tribord.cli.progress import progress_bar


def test_a_swallowed_interrupt_ends_the_work_at_the_next_step():
    with pytest.raises(KeyboardInterrupt), progress_bar("matches") as progress:
        with suppress(KeyboardInterrupt):  # as Python does in callbacks of compiled code and in finalisers
            os.kill(os.getpid(), signal.SIGINT)
        progress(1, 2)


def test_the_former_handler_of_interrupts_comes_back():
    before = signal.getsignal(signal.SIGINT)
    with progress_bar("matches") as progress:
        progress(1, 1)
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
