"""Functions in Python around those of the extension module.

The module keeps the signature of each function as a text. A function in Python that is made from it shows
that signature to `help`, to `inspect` and to editors, names a keyword that it does not know, and says which
argument is of a wrong type.
"""

import __future__

import ast
from typing import Any, Callable

from .errors import ArgumentTypeError


def _fits(annotation: str, value: object) -> bool:
    """Whether a value is of a type that the annotation names; True where this cannot tell."""
    for one in annotation.split(" | "):
        if one == "None":
            fits = value is None
        elif one == "bool":
            fits = isinstance(value, bool)
        elif one == "int":
            fits = hasattr(value, "__index__")
        elif one == "str" or one.startswith("typing.Literal"):
            fits = isinstance(value, str)
        elif one.startswith("collections.abc.Callable"):
            fits = callable(value)
        else:
            return True
        if fits:
            return True
    return False


def _explain(name: str, annotations: dict[str, str], values: dict[str, object]) -> None:
    """Raises the error that names the first argument of a wrong type, if there is one."""
    for key, annotation in annotations.items():
        if not _fits(annotation, values[key]):
            raise ArgumentTypeError(f"{name}: {key} is of type {type(values[key]).__name__}: "
                                    f"give {annotation.replace('typing.', '')}") from None


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
    if "incompatible function arguments" in str(error):
        _explain(_annotations, locals())
    raise
""").body
    annotations = {one.arg: ast.unparse(one.annotation)
                   for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs if one.annotation}
    module = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    scope: dict[str, Any] = {
        "_native": native, "_annotations": annotations,
        "_explain": lambda known, values: _explain(function.name, known, values)}
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
