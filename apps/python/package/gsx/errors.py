"""The errors of gsx, by kind.

Each has one line that says what is wrong, where, and what to do. `exit_code` is what the program gsx
would end with. Most are also the built-in exception that a caller would expect.
"""

__all__ = ["Error", "IoError", "UsageError", "ArgumentTypeError", "InputError", "MissingFileError",
           "ForeignIndexError", "MissingIndexError", "CorruptIndexError", "ResourceError", "DeviceError",
           "PatternWarning"]


class Error(Exception):
    """Base of all errors of gsx."""

    exit_code: int = 1


class IoError(Error, OSError):
    """A file cannot be read or written, or something failed that has no kind of its own."""


class UsageError(Error, ValueError):
    """The request is invalid: an argument is out of range, or does not fit the index."""

    exit_code = 2


class ArgumentTypeError(UsageError, TypeError):
    """An argument is of a type that the function does not take, or is the name of a file."""


class InputError(Error, OSError, ValueError):
    """A sequence file is missing, unreadable or malformed, or a sequence is."""

    exit_code = 3


class MissingFileError(InputError, FileNotFoundError):
    """A sequence file is missing; `filename` is its name."""

    def __str__(self) -> str:
        return str(self.strerror)


class ForeignIndexError(Error, OSError):
    """The index is missing, not a gsx index, or of another format version."""

    exit_code = 4


class MissingIndexError(ForeignIndexError, FileNotFoundError):
    """The index is missing; `filename` is its name."""

    def __str__(self) -> str:
        return str(self.strerror)


class CorruptIndexError(Error, OSError):
    """The index is damaged, or has changed since it was opened."""

    exit_code = 5


class ResourceError(Error, MemoryError, OSError):
    """Memory or disk space is short."""

    exit_code = 6


class DeviceError(Error, RuntimeError):
    """A GPU was demanded and cannot be used."""

    exit_code = 7


class PatternWarning(UserWarning):
    """Some of the patterns, queries or guides cannot match."""
