"""Docstrings in numpydoc's form as reStructuredText, every parameter on its own."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Docstring", "Item", "parameters_of", "read", "written"]

#: Sections that are lists of ``name : type`` with lines of text below.
_LISTS = ("Parameters", "Other Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "Methods")
#: Those whose lines may name several things.
_NAMED = ("Parameters", "Other Parameters", "Attributes")


@dataclass
class Item:
    """One line of a list and what is said below it: a parameter, an error."""

    name: str
    kind: str = ""
    text: str = ""


@dataclass
class Docstring:
    """A docstring in parts: what stands above the sections, the lists, and the texts of the other sections."""

    text: str = ""
    lists: dict[str, list[Item]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first paragraph, on one line."""
        return " ".join(self.text.split("\n\n")[0].split())


def read(text: str | None) -> Docstring:
    """Take a docstring apart.

    Examples
    --------
    >>> made = read('''Add.
    ...
    ... Parameters
    ... ----------
    ... a, b : int
    ...     What is added.
    ... ''')
    >>> made.summary, [item.name for item in made.lists["Parameters"]]
    ('Add.', ['a', 'b'])
    """
    lines = inspect.cleandoc(text or "").split("\n")
    heads = [i for i in range(len(lines) - 1) if lines[i].strip() and re.fullmatch(r"-{3,}", lines[i + 1])]
    made = Docstring("\n".join(lines[: heads[0] if heads else None]).strip())
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        name, body = lines[start].strip(), lines[start + 2 : end]
        if name in _LISTS:
            made.lists.setdefault(name, []).extend(_items(body, name in _NAMED))
        else:
            made.texts[name] = "\n".join(body).strip("\n")
    return made


def _items(lines: list[str], named: bool) -> list[Item]:
    items: list[Item] = []
    group: list[Item] = []
    for line in lines:
        if line and not line.startswith(" "):
            head, _, kind = line.partition(" : ")
            names = [name.strip() for name in head.split(",")] if named else [head.strip()]
            group = [Item(name, kind.strip()) for name in names if name]
            items += group
        else:
            for item in group:
                item.text += line + "\n"
    for item in items:
        item.text = textwrap.dedent(item.text).strip()
    return items


def parameters_of(made: Docstring, signature: inspect.Signature | None, meaning: Any) -> list[Item]:
    """Return every parameter of a signature, in its order, with what is known of it.

    Parameters
    ----------
    made : Docstring
        What the author said.
    signature : Signature or None
        The parameters; without one, those that the author has described.
    meaning : callable
        ``meaning(name)`` returns what parameters of this name mean everywhere, or nothing.
    """
    described = {item.name.lstrip("*"): item for item in made.lists.get("Parameters", [])}
    if signature is None:
        return list(described.values())
    items = []
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        item = described.pop(parameter.name, None) or Item(parameter.name)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        kind = item.kind or _kind(parameter)
        if parameter.default is not parameter.empty and not re.search(r"default|optional", kind):
            default = "optional" if parameter.default is None else f"default {_shown(parameter.default)}"
            kind = ", ".join(filter(None, [kind, default]))
        items.append(Item(stars + parameter.name, kind, item.text or meaning(parameter.name)))
    return [*items, *described.values()]


def _shown(value: Any) -> str:
    """Return how a default is written; of what has no such form, what it is called or is one of.

    Examples
    --------
    >>> import logging
    >>> [_shown(value) for value in (0.5, logging, len, object())]
    ['0.5', 'logging', 'len', 'an object']
    """
    kind = type(value).__name__
    if re.match(r"<\S+ object at ", text := repr(value)) or text == f"<{kind}>":
        return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
    return re.sub(r"<(?:function|built-in function|class|module) '?([\w.]+)[^>]*>", r"\1", text)


def _kind(parameter: inspect.Parameter) -> str:
    annotation = parameter.annotation
    if annotation is parameter.empty:
        return ""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return "" if text == "Any" else text.replace(" | None", "")


# --- reStructuredText ------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Return a text in which nothing but literals between backticks has a meaning."""
    parts = re.split(r"(``.*?``|:\w+:`[^`]*`)", text)
    return "".join(part if i % 2 else re.sub(r"([*|_`\\])", r"\\\1", part) for i, part in enumerate(parts))


def _together(items: list[Item], literal: bool) -> list[tuple[str, Item]]:
    """Return (what stands at the head, item): neighbours of which the author says the same thing share a head."""
    made: list[tuple[str, Item]] = []
    for item in items:
        name = f"``{item.name}``" if literal else escaped(item.name)
        if made and item.text and (made[-1][1].kind, made[-1][1].text) == (item.kind, item.text):
            made[-1] = (f"{made[-1][0]}, {name}", item)
        else:
            made.append((name, item))
    return made


def _list(items: list[Item], literal: bool) -> list[str]:
    lines = []
    for name, item in _together(items, literal):
        lines.append(f"{name} : {escaped(item.kind)}" if item.kind else name)
        lines += [textwrap.indent(item.text, "    ") if item.text else "    ..", ""]
    return lines


def written(made: Docstring, parameters: list[Item]) -> list[str]:
    r"""Return a docstring as reStructuredText, with these parameters.

    Examples
    --------
    >>> print("\n".join(written(read("Add."), [Item("a", "int", "One.")])))
    Add.
    <BLANKLINE>
    .. rubric:: Parameters
    <BLANKLINE>
    ``a`` : int
        One.
    <BLANKLINE>
    """
    lines = [made.text, ""]
    if parameters:
        lines += [".. rubric:: Parameters", "", *_list(parameters, True)]
    for name, items in made.lists.items():
        if name != "Parameters" and items:
            lines += [f".. rubric:: {name}", "", *_list(items, name in ("Attributes", "Methods", "Other Parameters"))]
    for name, text in made.texts.items():
        lines += [f".. rubric:: {name}", "", text, ""]
    return lines
