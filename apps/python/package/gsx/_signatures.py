"""Functions in Python around those of the extension module.

The module keeps the signature of each function as a text. A function in Python that is made from it shows
that signature to `help`, to `inspect` and to editors, names a keyword that it does not know, and says which
argument is of a wrong type.
"""

import __future__

import ast
from typing import Any, Callable

from ._gsx import SequenceSet
from .errors import ArgumentTypeError, UsageError

_CHECKS: dict[str, Callable[[Any], bool]] = {
    "None": lambda value: value is None,
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: hasattr(value, "__index__"),
    "float": lambda value: hasattr(value, "__float__"),
    "str": lambda value: isinstance(value, str),
    "typing.Literal": lambda value: isinstance(value, str),
    "collections.abc.Callable": callable,
    "SequenceSet": lambda value: isinstance(value, SequenceSet),
}


def _may_fit(value: Any) -> bool:
    """Whether a value may be of a type that is not checked: None has to be named."""
    return value is not None


def _fits(kind: ast.expr, value: Any) -> bool:
    """Whether a value is of a type that an annotation names; True where this cannot tell."""
    if isinstance(kind, ast.BinOp):
        return _fits(kind.left, value) or _fits(kind.right, value)
    if not isinstance(kind, ast.Subscript):
        return _CHECKS.get(ast.unparse(kind), _may_fit)(value)
    head = ast.unparse(kind.value)
    if head not in ("tuple", "collections.abc.Sequence"):
        return _CHECKS.get(head, _may_fit)(value)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__getitem__"):
        return False
    kinds = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice] * len(value)
    return len(kinds) == len(value) and all(map(_fits, kinds, value))


def _type_of(value: Any) -> str:
    """The type of a value, with those of its first items."""
    name = type(value).__name__
    if not isinstance(value, (tuple, list)) or not value:
        return name
    return f"{name} of {', '.join(type(item).__name__ for item in value[:4])}{', ...' if len(value) > 4 else ''}"


def _explain(name: str, annotations: dict[str, ast.expr], values: dict[str, Any], refused: bool) -> None:
    """Raises the error that names the first argument of a wrong type, if there is one; of a call that the module
    has refused, an error of one line in any case."""
    for key, kind in annotations.items():
        if not _fits(kind, values[key]):
            expected = ast.unparse(kind).replace("typing.", "").replace("collections.abc.", "")
            raise ArgumentTypeError(f"{name}: {key} is of type {_type_of(values[key])}: give {expected}") from None
    if refused:
        large = [f"{key} is {values[key]}, which" for key in annotations
                 if isinstance(values[key], int) and not -1 << 31 <= values[key] < 1 << 31]
        raise UsageError(f"{name}: {' '.join(large[:1]) or 'an argument'} is out of range") from None


def wrap(native: Any) -> Callable[..., Any]:
    """A function in Python that calls a function of the module; that itself if it is overloaded."""
    if len(native.__nb_signature__) != 1:
        return native  # type: ignore[no-any-return]
    signature, documentation = native.__nb_signature__[0][:2]
    (function,) = ast.parse(f"{signature}: pass").body
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    positional = [one.arg for one in arguments.posonlyargs + arguments.args]
    keywords = [one.arg for one in arguments.kwonlyargs]
    passed = ", ".join(positional + [f"{key}={key}" for key in keywords])
    function.body = ast.parse(f"""
try:
    return _native({passed})
except TypeError as error:
    if not isinstance(error, _ArgumentTypeError):
        _explain(_annotations, locals(), "incompatible function arguments" in str(error))
    raise
""").body
    annotations = {one.arg: one.annotation
                   for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs if one.annotation}
    module = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    scope: dict[str, Any] = {
        "_native": native, "_annotations": annotations, "_ArgumentTypeError": ArgumentTypeError,
        "_explain": lambda *known: _explain(function.name, *known)}
    # Annotations stay texts: they name modules that need not be loaded.
    exec(compile(module, "<gsx>", "exec", __future__.annotations.compiler_flag), scope)
    made: Callable[..., Any] = scope[function.name]
    made.__doc__ = documentation
    made.__module__ = "gsx"
    return made


def wrap_methods(kind: type) -> None:
    """Puts functions in Python in the place of all public methods of a class of the module."""
    for name, value in list(vars(kind).items()):
        if not name.startswith("_") and hasattr(value, "__nb_signature__"):
            made = wrap(value)
            made.__qualname__ = f"{kind.__name__}.{name}"
            setattr(kind, name, made)
