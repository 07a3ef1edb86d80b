# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates a block's parameters in GRC to C++, for the files' cpp_templates.

GRC gives a template the Python that was typed. Names, numbers, arithmetic, int(), float()
and calls of firdes and window become C++ that follows the flowgraph's variables; anything
else, such as a list comprehension or len(taps), becomes its value at the time of generation.
"""

import ast
import json
import numbers

NAMESPACES = {"firdes": "gr::filter::firdes", "window": "gr::fft::window"}
OPERATORS = {
    ast.Add: "({} + {})",
    ast.Sub: "({} - {})",
    ast.Mult: "({} * {})",
    ast.Div: "(1.0 * {} / {})",  # of whole numbers too, as in Python
    ast.FloorDiv: "static_cast<std::int64_t>(std::floor(1.0 * {} / {}))",
    ast.UAdd: "{}",
    ast.USub: "(-{})",
}
CASTS = {"int": "static_cast<std::int64_t>", "float": "double"}


class NoEquivalent(Exception):
    """Raised for Python without a simple C++ equivalent."""


def value(parameter):
    """A number, a text, True, False, or None for an optional argument."""
    return _translated(str(parameter), parameter(), _expression, _literal)


def band(center, span, start, stop):
    """First and last frequency of a band: start and stop unless these are None."""
    if start() is None:
        middle, half = value(center), f"({value(span)}) / 2.0"
        return f"{middle} - {half}, {middle} + {half}"
    return f"{value(start)}, {value(stop)}"


def vector(parameter, element):
    """A list, as std::vector of `element`."""
    return _vector(str(parameter), parameter(), element)


def window(parameter, size=None):
    """A window_spec of a name, a type, a pair such as ('kaiser', 8.6), or taps; or of a
    function such as window.hann, which is called with the parameter `size`."""
    text, given = str(parameter), parameter()
    if given is None:
        return "gr::gpufft::window_spec()"
    if callable(given):
        text, given = f"{text}({size})", given(size())
    if isinstance(given, tuple):
        arguments = ", ".join(map(_literal, given))
    elif hasattr(given, "__len__") and not isinstance(given, str):
        arguments = _vector(text, given, "float")
    else:
        arguments = _translated(text, given, _expression, _literal)
    return f"gr::gpufft::window_spec({arguments})"


def devices(parameter):
    """One index of a GPU, or several."""
    is_list = isinstance(parameter(), (list, tuple))
    return vector(parameter, "int") if is_list else value(parameter)


def _vector(text, given, element):
    def listed(texts):
        return f"std::vector<{element}>{{{', '.join(f'{element}({x})' for x in texts)}}}"

    def translate(node):
        if isinstance(node, (ast.List, ast.Tuple)):
            return listed(map(_expression, node.elts))
        if not isinstance(node, (ast.Name, ast.Call)):
            raise NoEquivalent(ast.unparse(node))
        copy = (
            f"[](const auto& v) {{ return std::vector<{element}>(v.begin(), v.end()); }}"
        )
        return f"{copy}({_expression(node)})"

    return _translated(text, given, translate, lambda items: listed(map(_literal, items)))


def _translated(text, given, translate, write):
    """The syntax tree as `translate` renders it, else the value as `write` does."""
    try:
        return translate(ast.parse(text.strip(), mode="eval").body)
    except (NoEquivalent, SyntaxError):
        return write(given)


def _expression(node):
    if isinstance(node, ast.Constant):
        return _literal(node.value)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in NAMESPACES:
        return f"{NAMESPACES[node.value.id]}::{node.attr}"
    if isinstance(node, ast.Call) and not node.keywords:
        name = CASTS.get(ast.unparse(node.func))
        if name is None and not isinstance(node.func, ast.Attribute):
            raise NoEquivalent(ast.unparse(node))
        arguments = ", ".join(map(_expression, node.args))
        return f"{name or _expression(node.func)}({arguments})"
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        ends = map(_expression, (node.left, node.right))
        return OPERATORS[type(node.op)].format(*ends)
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)].format(_expression(node.operand))
    raise NoEquivalent(ast.unparse(node))


def _literal(given):
    if given is None:
        return "std::nullopt"
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, str):
        return json.dumps(given)
    if isinstance(given, numbers.Integral) or not isinstance(given, numbers.Complex):
        return str(int(given))  # a window's type is no number, but has one
    if isinstance(given, numbers.Real):
        return repr(float(given))
    return f"gr_complex({given.real!r}, {given.imag!r})"
