"""gsx indexes biological sequences and finds matches in them, exactly or with mismatches.

>>> import gsx
>>> index = gsx.build({"chr1": "GATTACAGATTACA"})
>>> index.count(["GATTACA", "TGTAATC"])
(array([2, 0]), array([0, 2]))
"""

from . import _gsx
from ._gsx import (
    DeviceArray,
    DeviceIndex,
    Index,
    Records,
    build,
    bwt,
    cuda,
    inverse_bwt,
    inverse_suffix_array,
    open,
    suffix_array,
    to_device,
)
from .errors import (
    CorruptIndexError,
    DeviceError,
    Error,
    ForeignIndexError,
    InputError,
    IoError,
    ResourceError,
    UsageError,
)

__version__: str = _gsx.__version__

__all__ = [
    "CorruptIndexError", "DeviceArray", "DeviceError", "DeviceIndex", "Error", "ForeignIndexError",
    "Index", "InputError", "IoError", "Records", "ResourceError", "UsageError", "build", "bwt", "cuda",
    "inverse_bwt", "inverse_suffix_array", "open", "suffix_array", "to_device",
]
