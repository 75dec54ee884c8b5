"""The pages of the reference, as reStructuredText."""

from __future__ import annotations

import functools
import inspect
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

from d2lhybrid.internals.core.operator import Operator
from d2lhybrid.internals.frontends.documentation import function_docstring

from . import docstrings, members, operators
from .docstrings import Docstring
from .examples import examples
from .inherited import described
from .meanings import meaning_of
from .members import GROUPS, Member

__all__ = ["method_parameters", "module_page", "numpy_pages", "operator_entry", "operator_pages", "write_reference"]

_INDENT = "   "
#: File of the dialect -> what the page of its functions is called.
_PARTS = {
    "creation": "np: making arrays", "elementwise": "np: element by element", "joining": "np: joining and taking apart",
    "linalg": "np: linear algebra", "order": "np: sorting", "products": "np: products", "random": "np: random numbers",
    "reduction": "np: means and spreads", "registered": "np: sums, extremes and shapes",
    "selection": "np: choosing elements", "shapes": "np: shapes and order", "fallback": "np: what NumPy computes",
}  # fmt: skip


def _indented(lines: Iterable[str]) -> list[str]:
    return textwrap.indent("\n".join(lines), _INDENT).split("\n")


def _heading(text: str, sign: str = "=") -> list[str]:
    return [text, sign * (2 * len(text)), ""]


def _chips(facts: list[tuple[str, str, str]]) -> list[str]:
    """Return facts as a line of small boxes; what they mean is said where one rests on them, and read aloud."""
    boxes = []
    for name, value, meaning in facts:
        kind = "no" if value in ("none", "zero") else "yes"
        shown = f"{name} <b>{value}</b>" if value else f"<b>{name}</b>"
        boxes.append(f'<span class="fact {kind}" title="{meaning}">{shown}</span>')
    return [".. raw:: html", "", f'   <p class="facts">{" ".join(boxes)}</p>', ""]


def _code(text: str, language: str = "python") -> list[str]:
    return [f".. code-block:: {language}", "", *_indented([text]), ""]


def _folded(title: str, lines: list[str]) -> list[str]:
    """Return lines that are shown when somebody asks."""
    start = [".. raw:: html", "", f"   <details><summary>{title}</summary>", ""]
    return [*start, *lines, ".. raw:: html", "", "   </details>", ""]


# --- operators -----------------------------------------------------------------------------------------


def operator_entry(op: Operator) -> list[str]:
    """Return what the reference says of an operator."""
    places = operators.places(op)
    first = next(iter(places))
    own = inspect.signature(operators._found(first)).parameters
    tail = tuple(n for n in own if n in ("out", "name", "attr") and n not in op.attributes)
    word = {"nd": "NDArray", "sym": "Symbol"}.get(first.partition(".")[0], "ndarray")
    made = docstrings.read(function_docstring(op, word, tail))
    parameters = made.lists.pop("Parameters", [])
    lines = [made.text, "", *_chips(operators.facts(op))]
    own_example = made.texts.pop("Examples", "")
    lines += docstrings.written(Docstring("", made.lists, made.texts), parameters)
    lines += [".. rubric:: Example", "", own_example or operators.example(op), ""]
    lines += _shapes(op) + _errors(op)
    lines += [f"In MXNet's files: {', '.join(f'``{name}``' for name in op.names)}.", ""]
    if sources := operators.sources(op):
        code = [line for title, text in sources for line in (f"The {title}:", "", *_code(text))]
        lines += _folded(f"As it stands in d2lhybrid/internals/ops/{operators.family(op)}.py", code)
    others = [path for path in places if path != first]
    if others:
        lines = [f"Also {', '.join(f'``{path}``' for path in others)}.", "", *lines]
    head = [line for path in others for line in (f".. py:function:: {path}", "   :no-typesetting:", "")]
    return [*head, f".. py:function:: {first}{operators.signature(op, first)}", "", *_indented(lines), ""]


def _shapes(op: Operator) -> list[str]:
    rows = []
    for call in operators.calls(op):
        given = ", ".join(f"``{name}`` {shape}" for name, shape in call.inputs) or "nothing"
        attributes = f", ``{call.attributes}``" if call.attributes else ""
        rows.append(f"- {given}{attributes} → {', '.join(call.outputs)}")
    return [".. rubric:: Shapes", "", *rows, ""] if rows else []


def _errors(op: Operator) -> list[str]:
    made = operators.errors(op)
    if not made:
        return []
    lines = [".. rubric:: Errors", ""]
    for error in made:
        lines += [f"{error.why} : {error.kind}", f"    ``{error.message.replace('`', chr(39))}``", ""]
    return lines


def operator_pages() -> dict[str, list[str]]:
    """Return name -> lines of the pages of all operators, one for each file of ``d2lhybrid/internals/ops``."""
    families: dict[str, list[Operator]] = {}
    for op in operators.documented():
        families.setdefault(operators.family(op), []).append(op)
    pages = {}
    said = {
        name: (sys.modules[ops[0].kernel.__module__].__doc__ or name).split("\n")[0] for name, ops in families.items()
    }
    shared = [text.partition(": ")[0] for text in said.values()]
    for name, ops in sorted(families.items()):
        title, colon, rest = said[name].rstrip(".").partition(": ")
        if shared.count(title) > 1:  # several files are about it
            title, colon = said[name].rstrip("."), ""
        lines = [*_heading(title), f"{rest[0].upper()}{rest[1:]}." if colon else "", ""]
        for op in sorted(ops, key=lambda op: next(iter(operators.places(op))).lower()):
            lines += operator_entry(op)
        pages[name] = lines
    return pages


# --- modules -------------------------------------------------------------------------------------------


def _arguments(value: Any) -> str:
    signature = members.signature_of(value)
    if signature is None:
        return "(...)"
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    if parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    text = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return text if "<" not in text and " at 0x" not in text else "(" + ", ".join(p.name for p in parameters) + ")"


def _docstring_of(value: Any) -> Docstring:
    made = docstrings.read(inspect.getdoc(value) if not inspect.isclass(value) else value.__doc__)
    if inspect.isclass(value):
        made.lists = {"Parameters": _parameters_of_class(value, made), **made.lists}
    return made


def _parameters_of_class(value: type, made: Docstring) -> list[docstrings.Item]:
    """Return what is said of the parameters of a class: in its docstring, in those of ``__init__`` and of its bases.

    A parameter that becomes an attribute of the same name is told about as that.
    """
    found: dict[str, docstrings.Item] = {}
    for each in value.__mro__:
        for text in (each.__doc__, vars(each).get("__init__", object.__init__).__doc__ if each is not object else ""):
            lists = docstrings.read(text).lists
            for item in [*lists.get("Parameters", []), *lists.get("Attributes", [])]:
                found.setdefault(item.name.lstrip("*"), item)
    own = [item.name.lstrip("*") for item in made.lists.get("Parameters", [])]
    signature = members.signature_of(value)
    taken = own if signature is None else [*dict.fromkeys([*own, *signature.parameters])]
    return [found[name] for name in taken if name in found]


def _entry(member: Member) -> list[str]:
    """Return what the reference says of a class or a function."""
    value = member.value
    made = _docstring_of(value)
    if "Attributes" in made.lists:
        made.lists["Attributes"] = [item for item in made.lists["Attributes"] if not item.name.startswith("_")]
    meaning = functools.partial(meaning_of, member.path)
    parameters = docstrings.parameters_of(made, members.signature_of(value), meaning)
    facts = members.numpy_facts(member)
    text, made.text = made.text, ""
    if "Examples" not in made.texts and (example := examples().get(member.path)):
        made.texts["Examples"] = example
    lines = [text, "", *(_chips(facts) if facts else []), *docstrings.written(made, parameters)]
    canonical = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', member.name)}"
    head = [f".. py:{member.kind}:: {member.path}{_arguments(value)}"]
    if canonical.startswith("d2lhybrid.") and "<" not in canonical:
        head.append(f"   :canonical: {canonical}")
    if member.kind == "class":
        for name, kind, function in members.methods_of(value):
            lines += _method(member, name, kind, function)
    return [*head, "", *_indented(lines), ""]


def method_parameters(member: Member, name: str, function: Any) -> list[docstrings.Item]:
    """Return every parameter of a method, with what is known of it.

    Parameters
    ----------
    member : Member
        The class.
    name : str
        The method.
    function : callable
        What it is.
    """
    made = docstrings.read(function.__doc__)
    own = {item.name.lstrip("*"): item for item in made.lists.get("Parameters", []) if item.text.strip()}
    signature = members.signature_of(function)
    taken = set() if signature is None else set(signature.parameters)
    inherited = {key: item for key, item in described(member.value, name).items() if key in taken}
    made.lists["Parameters"] = [docstrings.Item(i.name, i.kind, i.text) for i in (inherited | own).values()]
    return docstrings.parameters_of(made, signature, functools.partial(meaning_of, f"{member.path}.{name}"))


def _method(member: Member, name: str, kind: str, function: Any) -> list[str]:
    made = docstrings.read(function.__doc__)
    if kind == "property":
        return [f".. py:property:: {name}", "", *_indented(docstrings.written(made, [])), ""]
    options = [f"   :{kind}:"] if kind != "method" else []
    lines = _indented(docstrings.written(made, method_parameters(member, name, function)))
    return [f".. py:method:: {name}{_arguments(function)}", *options, "", *lines, ""]


def module_page(name: str, documented: dict[int, str]) -> list[str]:
    """Return the lines of the page of a module.

    Parameters
    ----------
    name : str
        The module, as in :data:`~reference.members.GROUPS`.
    documented : dict of int to str
        What has been told about already: the identity of an object -> how it is written. It is added to.
    """
    module = members.module_of(name)
    made = docstrings.read(module.__doc__)
    lines = [*_heading(name or "d2lhybrid"), made.text, ""]
    for each, text in made.texts.items():
        lines += [f".. rubric:: {each}", "", text, ""]
    own, elsewhere, parts, borrowed = [], [], [], []
    for member in members.members(name):
        if member.kind == "data":
            continue
        if member.kind == "operator" or id(member.value) in documented:
            elsewhere.append(member)
        elif not getattr(member.value, "__module__", "").startswith("d2lhybrid"):
            borrowed.append(member)
        elif members.part_of(member):
            parts.append(member)
        else:
            own.append(member)
            documented[id(member.value)] = member.path
    for kind, title in (("class", "Classes"), ("function", "Functions")):
        chosen = [member for member in own if member.kind == kind]
        if chosen:
            lines += _heading(title, "-")
            for member in chosen:
                lines += _entry(member)
    if parts:
        lines += _heading("Functions of arrays", "-") + _table_of_numpy(parts)
    if borrowed:
        lines += [*_heading("NumPy's own", "-"), "These are what they are in Python and NumPy:", ""]
        lines += [", ".join(f"``{member.path}``" for member in borrowed) + ".", ""]
    made_of = [member for member in elsewhere if member.kind == "operator"]
    same = [member for member in elsewhere if member.kind != "operator"]
    if made_of:
        lines += _heading("Operators", "-") + _table(made_of)
    if same:
        lines += _heading("Also here", "-")
        lines += [f"- ``{m.name}``: :py:obj:`{documented[id(m.value)]}`" for m in same] + [""]
    return lines


def _table(chosen: list[Member]) -> list[str]:
    lines = [".. list-table::", "   :header-rows: 1", "   :class: operators", ""]
    lines += _row("function", "what it is", "gradient", "ONNX")
    for member in chosen:
        op: Operator = member.value.operator
        facts = {name: value for name, value, _ in operators.facts(op)}
        path = member.path if member.path in operators.places(op) else next(iter(operators.places(op)))
        summary = " ".join(op.summary.split())
        lines += _row(f":py:func:`{member.name} <{path}>`", summary, facts["gradient"], facts["ONNX"])
    return [*lines, ""]


def _table_of_numpy(chosen: list[Member]) -> list[str]:
    lines = [".. list-table::", "   :header-rows: 1", "   :class: operators", ""]
    lines += _row("function", "what it is", "gradient", "ONNX")
    for member in chosen:
        facts = {name: value for name, value, _ in members.numpy_facts(member)}
        summary = _docstring_of(member.value).summary
        lines += _row(f":py:func:`{member.path}`", summary, facts.get("gradient", ""), facts.get("ONNX", ""))
    return [*lines, ""]


def numpy_pages(documented: dict[int, str]) -> dict[str, list[str]]:
    """Return name -> lines of the pages of the functions of ``np``, one for each file of the dialect."""
    parts: dict[str, list[Member]] = {}
    for member in members.members("np"):
        if part := members.part_of(member):
            parts.setdefault(part, []).append(member)
    made = {}
    for part, chosen in sorted(parts.items()):
        lines = _heading(_PARTS[part])
        told: dict[int, str] = {}
        for member in chosen:
            same = told.setdefault(id(member.value), member.path)
            lines += _entry(member) if same == member.path else [f"``{member.path}`` is :py:func:`{same}`.", ""]
            documented[id(member.value)] = same
        made[part] = lines
    return made


def _row(first: str, *cells: str) -> list[str]:
    return [f"   * - {first}", *(f"     - {cell}" for cell in cells)]


# --- all of them ---------------------------------------------------------------------------------------


def _file(name: str) -> str:
    return name.replace(".", "-") or "d2lhybrid"


def _toctree(pages: Iterable[str]) -> list[str]:
    return [".. toctree::", "   :maxdepth: 1", "", *(f"   {page}" for page in pages), ""]


def write_reference(site: Any) -> list[str]:
    """Write the pages of the reference, and return the names of those that stand at the top of its list."""
    made = operator_pages()
    for name, lines in made.items():
        site.write(f"reference/operators/{name}.rst", "\n".join(lines))
    intro = [
        *_heading("Operators"),
        "What nets are made of. Each is told about once, with all its names; what is said of it is read from the "
        "registry, from its docstring, and from calls that were made while this page was written.",
        "", *_toctree(f"operators/{name}" for name in made),
    ]  # fmt: skip
    site.write("reference/operators.rst", "\n".join(intro))
    tops, documented = ["reference/operators"], {}
    for group, names in GROUPS.items():
        for name in names:
            lines = module_page(name, documented)
            if name == "np":
                parts = numpy_pages(documented)
                for part, text in parts.items():
                    site.write(f"reference/np/{part}.rst", "\n".join(text))
                lines += [".. toctree::", "   :hidden:", "", *(f"   np/{part}" for part in parts), ""]
            site.write(f"reference/{_file(name)}.rst", "\n".join(lines))
        top = f"reference/group-{_file(names[0])}"
        site.write(f"{top}.rst", "\n".join([*_heading(group), *_toctree(_file(name) for name in names)]))
        tops.append(top)
    return tops
