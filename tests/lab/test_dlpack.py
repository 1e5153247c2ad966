"""DLPack: an array with our capsule is read in place, and released afterwards."""

import gc

import numpy as np
import pytest

from tribord.lab import dlpack


@pytest.mark.parametrize("kind", ["i1", "u1", "i4", "u4", "f4", "f8", "i8"])
def test_an_array_is_read_where_it_lies(kind):
    array = np.arange(12).astype(kind).reshape(3, 4)
    for shown in (array, array.T, array[1:, ::2]):
        read = np.from_dlpack(dlpack.Exported(shown))
        assert read.ctypes.data == shown.ctypes.data
        assert read.dtype == shown.dtype and np.array_equal(read, shown)


def test_what_nobody_reads_any_more_is_let_go():
    before = len(dlpack._kept)
    read = np.from_dlpack(dlpack.Exported(np.arange(5)))
    assert len(dlpack._kept) == before + 1
    del read
    unread = dlpack.Exported(np.arange(5)).__dlpack__()
    assert len(dlpack._kept) == before + 1
    del unread
    gc.collect()
    assert len(dlpack._kept) == before
