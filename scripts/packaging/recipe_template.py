"""Renders the templates of the conda recipe: the part of Jinja that it uses.

{% set %}, {% if %}, {% else %} and {% endif %}, each on a line of its own, and {{ expressions }}. An expression has names,
constants, calls of names, +, == and !=, and behind bars the filters default, string and replace. Anything else is a
ValueError.
"""

import ast
import re

TAG = re.compile(r"\{%-? *(.*?) *-?%\}")
VALUE = re.compile(r"\{\{ *(.*?) *\}\}")


def value_of(node, names):
    """The value of a part of an expression."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
        arguments = [value_of(argument, names) for argument in node.args]
        return names[node.func.id](*arguments, **{word.arg: value_of(word.value, names) for word in node.keywords})
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return value_of(node.left, names) + value_of(node.right, names)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        is_equal = value_of(node.left, names) == value_of(node.comparators[0], names)
        return is_equal == isinstance(node.ops[0], ast.Eq)
    raise ValueError(f"not of the part of templates that is read: {ast.unparse(node)}")


def evaluate(expression, names):
    """The value of an expression with its filters."""
    def parsed(text):
        try:
            return ast.parse(text.strip(), mode="eval").body
        except SyntaxError as error:
            raise ValueError(f"{text}: {error.msg}") from error

    base, *filters = re.split(r" \| ", expression)
    calls = [parsed(text) for text in filters]
    if calls and isinstance(calls[0], ast.Call) and calls[0].func.id == "default":
        names = {base: value_of(calls.pop(0).args[0], names), **names}
    value = value_of(parsed(base), names)
    for call in calls:
        if isinstance(call, ast.Name) and call.id == "string":
            value = str(value)
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "replace":
            value = value.replace(*(value_of(argument, names) for argument in call.args))
        else:
            raise ValueError(f"the filter {ast.unparse(call)} is not known")
    return value


def render(text, names):
    """The template with these names."""
    names, lines, conditions = dict(names), [], []
    for line in text.splitlines():
        tag = TAG.fullmatch(line.strip())
        if tag:
            word, _, rest = tag[1].partition(" ")
            if word == "if":
                conditions.append(bool(evaluate(rest, names)))
            elif word == "else" and conditions:
                conditions[-1] = not conditions[-1]
            elif word == "endif" and conditions:
                conditions.pop()
            elif word == "set":
                name, _, expression = rest.partition(" = ")
                if all(conditions):
                    names[name] = evaluate(expression, names)
            else:
                raise ValueError(f"the tag {word} is not known, or not here")
        elif all(conditions):
            lines.append(VALUE.sub(lambda found: str(evaluate(found[1], names)), line))
    if conditions:
        raise ValueError("an {% if %} is not ended")
    return "\n".join(lines) + "\n"
