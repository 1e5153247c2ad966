"""DLPack: an array's address, shape and type in the form that every array library reads without copying.

NumPy writes and reads it by itself; this is for memory that NumPy can't see.
"""

from __future__ import annotations

import ctypes
from typing import Any

CPU, CUDA = 1, 2  # kinds of devices
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # kinds of numbers, by NumPy's letters
NAME = b"dltensor"  # a reader that takes the capsule over gives it another name


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_kept: dict[int, Any] = {}  # what a reader may still use, by the address of its description


def _let_go(address: int) -> None:
    _kept.pop(address, None)


def _unread(capsule: int) -> None:
    if _is_valid(capsule, NAME):  # nobody took it over
        _kept.pop(_pointer(capsule, NAME), None)


_callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_delete, _destroy = _callback(_let_go), _callback(_unread)  # kept: C calls them later


def _python(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


def capsule(address: int, array: Any, device: tuple[int, int]) -> Any:
    """The capsule for an array (anything with a shape, strides and a dtype) whose memory begins at an address."""
    ndim, width = len(array.shape), array.dtype.itemsize
    managed = _Managed()
    shape = (ctypes.c_int64 * ndim)(*array.shape)
    strides = (ctypes.c_int64 * ndim)(*(step // width for step in array.strides))
    tensor = managed.tensor
    tensor.data, tensor.device, tensor.ndim = address, (ctypes.c_int32 * 2)(*device), ndim
    tensor.code, tensor.bits, tensor.lanes = CODES[array.dtype.kind], 8 * width, 1
    tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p).value
    found = ctypes.addressof(managed)
    _kept[found] = (managed, shape, strides, array)
    return _new(found, NAME, ctypes.cast(_destroy, ctypes.c_void_p).value)


class Exported:
    """A NumPy array that exports such a capsule, like an array on the card.

    >>> import numpy as np
    >>> array = np.arange(6, dtype=np.uint8).reshape(2, 3).T
    >>> np.from_dlpack(Exported(array)).tolist()
    [[0, 3], [1, 4], [2, 5]]
    """

    def __init__(self, array: Any):
        self.array = array

    def __dlpack__(self, **_wishes: Any) -> Any:
        return capsule(self.array.ctypes.data, self.array, self.__dlpack_device__())

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0
