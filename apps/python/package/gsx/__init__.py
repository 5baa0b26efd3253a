"""gsx indexes biological sequences and finds matches in them, exactly or with mismatches.

>>> import gsx
>>> index = gsx.build({"chr1": "GATTACAGATTACA"})
>>> index.count(["GATTACA", "TGTAATC"])
(array([2, 0]), array([0, 2]))
"""

from . import _gsx, _signatures
from ._gsx import (
    DeviceArray,
    DeviceIndex,
    Index,
    Record,
    Records,
    SequenceSet,
    build,
    bwt,
    cuda,
    inverse_bwt,
    inverse_suffix_array,
    lcp_array,
    longest_prefixes,
    open,
    read_sequences,
    sequence_set,
    suffix_array,
    to_device,
)
from .errors import (
    ArgumentTypeError,
    CorruptIndexError,
    DeviceError,
    Error,
    ForeignIndexError,
    InputError,
    IoError,
    MissingFileError,
    MissingIndexError,
    PatternWarning,
    ResourceError,
    UsageError,
)

__version__: str = _gsx.__version__

__all__ = [
    "ArgumentTypeError", "CorruptIndexError", "DeviceArray", "DeviceError", "DeviceIndex", "Error",
    "ForeignIndexError", "Index", "InputError", "IoError", "MissingFileError", "MissingIndexError",
    "PatternWarning", "Record", "Records", "ResourceError", "SequenceSet", "UsageError", "build", "bwt", "cuda",
    "inverse_bwt", "inverse_suffix_array", "lcp_array", "longest_prefixes", "open", "read_sequences",
    "sequence_set", "suffix_array", "to_device",
]

for _name in __all__:
    if hasattr(globals()[_name], "__nb_signature__"):
        globals()[_name] = _signatures.wrap(globals()[_name])
    elif isinstance(globals()[_name], type):
        _signatures.wrap_methods(globals()[_name])
del _name
