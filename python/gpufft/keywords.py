# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls with other names of parameters, and errors that name the wrong parameter and the
nearest right one."""

import ast
import difflib
import functools
import inspect

from . import gpufft_python

# GNU Radio's blocks call one thing by two names; a call may use either.
SAME = (("samp_rate", "sample_rate"), ("decim", "decimation"), ("window", "win"))
OTHER_NAME = {a: b for pair in SAME for a, b in (pair, pair[::-1])}
OTHER_NAME["sampling_freq"] = "samp_rate"  # of gr-filter's freq_xlating_fir_filter

# Setters whose parameter has another name in gr-filter's hierarchical blocks.
OF_SETTER = {("set_nthreads", "nthreads"): "n", ("set_channel_map", "newmap"): "map"}
OTHER_NAMES = {*OTHER_NAME, *(name for _, name in OF_SETTER)}

TEXTS = (str, bytes)
NUMBER_METHODS = ("__int__", "__float__", "__complex__", "__index__")
SEVERAL = ("List", "Sequence")  # pybind11's names of a list, depending on its version


def forgiving(function, name=None):
    """The function, which then takes other names of its parameters and explains what is
    wrong with a call. `name` is that of a constructor's class."""
    name = name or function.__name__

    @functools.wraps(function)
    def call(*arguments, **keywords):
        try:
            if keywords and not OTHER_NAMES.isdisjoint(keywords):
                keywords = with_right_names(function, keywords)
            return function(*arguments, **keywords)
        except TypeError as error:
            fault = None
            if is_of_call(error, function):
                fault = fault_of(function, arguments, keywords)
            if fault is None:
                raise
            raise TypeError(f"{name}(){fault}") from None

    return call


def forgive_classes(module):
    """Makes the constructors and methods of a module's classes forgiving."""
    for python_class in vars(module).values():
        if not inspect.isclass(python_class) or issubclass(python_class, Exception):
            continue
        for name, member in list(vars(python_class).items()):
            if name == "__init__":
                python_class.__init__ = forgiving(member, python_class.__name__)
            elif isinstance(member, staticmethod):
                setattr(python_class, name, staticmethod(forgiving(member.__func__)))
            elif not name.startswith("_") and callable(member):
                setattr(python_class, name, forgiving(member))


def is_of_call(error, function):
    """Whether the arguments do not fit; else the function itself has raised the error."""
    if inspect.isfunction(function):
        return error.__traceback__.tb_next is None
    # pybind11's, or Python's where pybind11 reads a list
    refusals = ("incompatible", "unsized object", "not iterable")
    return any(each in str(error) for each in refusals)


def with_right_names(function, keywords):
    """The keywords, of which those that only have another name get the function's."""
    signature = signature_of(function)
    known = signature.parameters if signature else {}
    renamed = {}
    for name, value in keywords.items():
        other = OF_SETTER.get((function.__name__, name), OTHER_NAME.get(name))
        right = other if name not in known and other in known else name
        if right in renamed or right != name and right in keywords:
            raise TypeError(
                f"{name} and {right} are one parameter: give only one of them"
            )
        renamed[right] = value
    return renamed


def fault_of(function, arguments, keywords):
    """What is wrong with a call, the text after "name()"; None if that is not known."""
    signature = signature_of(function, arguments, keywords)
    if signature is None:
        return None
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        for name in keywords:
            if name not in signature.parameters:
                return f" has no parameter '{name}'{advice(name, signature)}"
    try:
        bound = signature.bind(*arguments, **keywords)
    except TypeError as error:
        return f": {error}"
    for bits in (64, 32, 0):  # C++ has integers of both, and some without a sign
        for name, value in bound.arguments.items():
            kind = signature.parameters[name].annotation
            if not isinstance(kind, ast.AST) or fits(value, kind, bits):
                continue
            if not bits:
                return f": {name} is {shown(value)}, but must be 0 or more"
            if whole(value) is not None and fits(0, kind, bits):
                return f": {name} is {shown(value)}, which is out of range"
            return f": {name} is {shown(value)}, but must be {words(kind)}"
    return None


def advice(name, signature):
    """The nearest right name, or all of them."""
    known = [each for each in signature.parameters if each != "self"]
    synonyms = {OTHER_NAME[each]: each for each in known if each in OTHER_NAME}
    near = difflib.get_close_matches(name, [*known, *synonyms], 1)
    if near:
        return f"; did you mean '{synonyms.get(near[0], near[0])}'?"
    return f"; it has {', '.join(known)}"


def signature_of(function, arguments=None, keywords=None):
    """That of a function of Python or of pybind11, whose annotations are syntax trees; None
    if it has none. Of several it is the first that has parameters for the arguments, or
    the first."""
    try:
        return inspect.signature(function)
    except ValueError:
        pass
    found = []
    for line in (function.__doc__ or "").splitlines():
        number = f"{len(found) + 1}. "
        if found and not line.startswith(number):
            continue
        head, _, rest = line.removeprefix(number).partition("(")
        if head == function.__name__ and not rest.startswith("*args"):
            found.append(parsed_signature(f"({rest}"))
    fitting = [each for each in found if each and binds(each, arguments, keywords)]
    return next(iter(fitting or found), None)


def binds(signature, arguments, keywords):
    """Whether it has parameters for the arguments, of whatever types."""
    try:
        signature.bind(*arguments or (), **keywords or {})
    except TypeError:
        return False
    return True


def parsed_signature(text):
    """A signature such as "(self: block, n: int = 1, *, name: str = 'a') -> None"."""
    try:
        listed = ast.parse(f"def f{text}: pass").body[0].args
    except SyntaxError:
        return None
    parameter = inspect.Parameter
    plain = listed.posonlyargs + listed.args
    required = len(plain) - len(listed.defaults)
    parameters = [
        parameter(
            each.arg,
            parameter.POSITIONAL_OR_KEYWORD,
            default=parameter.empty if i < required else None,
            annotation=each.annotation,
        )
        for i, each in enumerate(plain)
    ]
    for each, default in zip(listed.kwonlyargs, listed.kw_defaults):
        parameters.append(
            parameter(
                each.arg,
                parameter.KEYWORD_ONLY,
                default=parameter.empty if default is None else None,
                annotation=each.annotation,
            )
        )
    if listed.kwarg:
        parameters.append(parameter(listed.kwarg.arg, parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)


def alternatives(kind):
    """The kinds of an Optional or a Union, else the kind itself."""
    if isinstance(kind, ast.BinOp):
        return [*alternatives(kind.left), *alternatives(kind.right)]
    if isinstance(kind, ast.Subscript) and last_name(kind.value) == "Union":
        return kind.slice.elts
    if isinstance(kind, ast.Subscript) and last_name(kind.value) == "Optional":
        return [kind.slice, ast.Constant(None)]
    return [kind]


def last_name(kind):
    """The name of a type without its module."""
    return ast.unparse(kind).rpartition(".")[2]


def element_of(kind):
    """The kind of a list's elements; None for others."""
    is_list = isinstance(kind, ast.Subscript) and last_name(kind.value) in SEVERAL
    return kind.slice if is_list else None


def is_dict(kind):
    """Whether the kind is that of a dict."""
    return isinstance(kind, ast.Subscript) and last_name(kind.value) in (
        "Dict",
        "Mapping",
    )


def converted(kind, value, methods):
    """The value as a kind of Python if its type has one of the methods and these succeed,
    as pybind11 converts it; else None. (int() and float() also read texts and buffers.)"""
    if isinstance(value, TEXTS) or not any(hasattr(type(value), each) for each in methods):
        return None
    try:
        return kind(value)
    except Exception:  # pylint: disable=broad-exception-caught  # of any type's method
        return None


def as_number(kind, value):
    """The value as an int, a float or a complex number; None if it is none."""
    return converted(kind, value, NUMBER_METHODS)


def whole(value):
    """The value as an int; None if it is none."""
    return None if isinstance(value, float) else as_number(int, value)


def fits(value, kind, bits):
    """Whether pybind11 takes a value for a kind; True for kinds not known here. bits: of
    integers; 0 is of any number of them, without a sign."""
    kinds = alternatives(kind)
    if len(kinds) > 1:
        return any(fits(value, each, bits) for each in kinds)
    element = element_of(kind)
    if element is not None:
        is_list = hasattr(value, "__getitem__") and not isinstance(value, (*TEXTS, dict))
        deep = element_of(element) is not None  # rows of an array are lists, too
        dimensions = getattr(value, "ndim", 1)
        is_list = is_list and (dimensions == 1 or deep and dimensions > 1)
        return is_list and all(fits(each, element, bits) for each in value)
    if is_dict(kind):
        key, number = kind.slice.elts
        return isinstance(value, dict) and all(
            fits(each, key, bits) and fits(value[each], number, bits) for each in value
        )
    name = last_name(kind)
    if name in ("int", "SupportsInt"):
        number = whole(value)
        if number is None:
            return False
        return abs(number) < 2 ** (bits - 1) if bits else number >= 0
    if name in ("float", "SupportsFloat"):
        return as_number(float, value) is not None
    if name in ("complex", "SupportsComplex"):
        return as_number(complex, value) is not None
    if name == "bool":
        return value is None or converted(bool, value, ["__bool__"]) is not None
    if name == "str":
        return isinstance(value, bytes) or is_unicode(value)
    if name == "ndarray":
        return hasattr(value, "__array_interface__")
    own = getattr(gpufft_python, name, None)
    if inspect.isclass(own):
        return isinstance(value, own)
    return value is None if name == "None" else True


def is_unicode(value):
    """Whether it is a text without halves of surrogate pairs."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def words(kind):
    """A kind in words."""
    kinds = alternatives(kind)
    if len(kinds) > 1:
        return " or ".join(map(words, kinds))
    element = element_of(kind)
    if element is not None:
        return f"a list of {last_name(element)}"
    if is_dict(kind):
        return "a dict of names and numbers"
    name = last_name(kind)
    plain = {"int": "an int", "bool": "True or False", "str": "a str"}
    plain["ndarray"] = "a numpy array"
    return plain.get(name, name if name == "None" else f"a {name}")


def shown(value):
    """A value in an error, as one line that is cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
