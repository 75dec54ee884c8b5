"""Reconstruction of a net with changed classes, with the old values of parameters and statistics that still match."""

from __future__ import annotations

import ast
import copy
import inspect
from dataclasses import dataclass, field
from typing import Any

from d2lhybrid import name as naming
from d2lhybrid.gluon import Block, HybridBlock

from ...support.commit import commit
from ...support.display import Shown
from ...support.words import add_words, translate
from ..check.source_reading import all_blocks
from .text import ClassText

__all__ = ["Rebuilt", "rebuilt", "take_over"]


@dataclass(repr=False)
class Rebuilt(Shown):
    """A net that was rebuilt from a changed source.

    Attributes
    ----------
    net : Block
        The rebuilt net.
    anew : bool
        Whether ``__init__`` ran again, because layers changed.
    kept, new : list of str
        Structural names of the parameters that kept their values, and of the parameters with new values.
    """

    net: Block
    anew: bool = False
    kept: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def rebuilt(net: Any, where: ClassText, text: str, classes: dict[str, type]) -> Rebuilt:
    """Return a copy of a net in which new classes replace some of the net's classes.

    If ``__init__`` is unchanged, the result is a copy of the net with new classes. Otherwise, the net is created again.

    Parameters
    ----------
    net : Block
        The user's net, which is not changed.
    where : ClassText
        The original source of the net's classes.
    text : str
        The changed source.
    classes : dict of str to type
        The new classes by name.

    Returns
    -------
    Rebuilt
        The copy, and the names of the parameters that kept their values.

    Raises
    ------
    TypeError
        If the net must be created again, and the arguments of ``__init__`` are unknown.
    """
    if not _makes_the_same(where, text):
        return _made_anew(net, where, classes)
    made = _copy(net)
    _take_classes(made, where, classes)
    return Rebuilt(made, kept=[name for name, p in made._collect_params_with_prefix().items() if p._data is not None])


def take_over(net: Any, made: Rebuilt, where: ClassText, classes: dict[str, type]) -> None:
    """Change a net in place into its rebuilt version, so that variables still refer to the same object.

    Parameters
    ----------
    net : Block
        The net to change.
    made : Rebuilt
        The net's rebuilt version.
    where : ClassText
        The original source of the net's classes.
    classes : dict of str to type
        The new classes by name.
    """
    if made.anew:
        target = _edited(net, where)
        new = _edited(_copy(made.net), ClassText("", where.name, classes, {}))
        object.__setattr__(target, "__class__", type(new))
        vars(target).clear()
        vars(target).update(vars(new))
    else:
        _take_classes(net, where, classes)
    for _, block in all_blocks(net):
        if isinstance(block, HybridBlock):
            block._drop_graph("the text of its class was changed")


def _edited(net: Any, where: ClassText) -> Any:
    """Return the block in a net whose class is edited, usually the net itself."""
    cls = where.classes[where.name]
    return next(block for _, block in all_blocks(net) if isinstance(block, cls))


def _take_classes(net: Any, where: ClassText, classes: dict[str, type]) -> None:
    new = {cls: classes[name] for name, cls in where.classes.items() if name in classes}
    for _, block in all_blocks(net):
        if type(block) in new:
            object.__setattr__(block, "__class__", new[type(block)])


def _copy(net: Any) -> Any:
    """Return a deep copy of a net; objects that cannot be copied, such as open files, are shared."""
    internal = vars(HybridBlock(prefix="internal_"))
    memo: dict[int, Any] = {}
    for _, block in all_blocks(net):
        for name, value in vars(block).items():
            if name not in internal and not isinstance(value, Block):
                try:
                    copy.deepcopy(value)
                except Exception:  # user objects may raise any error
                    memo[id(value)] = value
    return copy.deepcopy(net, memo)


# --- changed layers -----------------------------------------------------------------------------------


def _makes_the_same(where: ClassText, text: str) -> bool:
    """Return whether a source creates the same layers, that is, whether ``__init__`` and its helpers are unchanged."""
    before, after = _members(where.text), _members(text)
    return all(before[name] == after.get(name) for name in where.classes if name in before)


def _members(text: str) -> dict[str, dict[str, str]]:
    """Return the members of each class that determine the layers."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            members = {name: member for member in node.body for name in _names(member)}
            needed, waiting = {}, ["__init__"]
            while waiting:
                name = waiting.pop()
                if name in members and name not in needed:
                    needed[name] = ast.dump(members[name])
                    waiting += [n.attr for n in ast.walk(members[name]) if isinstance(n, ast.Attribute)]
            bases = ", ".join(map(ast.dump, [*node.bases, *node.decorator_list]))
            found[node.name] = {**needed, "": bases}
    return found


def _names(member: ast.stmt) -> list[str]:
    if isinstance(member, ast.FunctionDef | ast.ClassDef):
        return [member.name]
    targets = member.targets if isinstance(member, ast.Assign) else [getattr(member, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _made_anew(net: Any, where: ClassText, classes: dict[str, type]) -> Rebuilt:
    copied = _copy(net)
    old = _edited(copied, where)
    with naming.NameManager():  # a separate block counter keeps the names of the user's next layers
        new = _called(classes[where.name], old)
    if old is copied:
        made = new
    else:
        made = copied
        _replace(copied, old, new)
    result = Rebuilt(made, anew=True)
    known = old._collect_params_with_prefix()
    initialized = any(p._data is not None or p._deferred_init for p in known.values())
    devices = next((p.list_ctx() for p in known.values() if p._data is not None), None)
    for name, parameter in new._collect_params_with_prefix().items():
        before = known.get(name)
        if before is not None and before._data is not None and _fits(before, parameter):
            commit(parameter._with_loaded(before.data(), devices))
            parameter.grad_req = before.grad_req
            result.kept.append(name)
        else:
            if initialized and parameter._data is None:
                parameter.initialize(ctx=devices)
            result.new.append(name)
    return result


def _called(cls: type, old: Any) -> Any:
    """Return ``cls(...)`` with the arguments of an object's creation, which are read from its attributes."""
    arguments: dict[str, Any] = {}
    positional: list[Any] = []
    takes_prefix = False
    for parameter in list(inspect.signature(cls).parameters.values()):
        name, has = parameter.name, vars(old)
        if name == "prefix" or parameter.kind is parameter.VAR_KEYWORD:
            takes_prefix = True
        elif name == "params" or parameter.kind is parameter.VAR_POSITIONAL:
            continue
        elif name in has or f"_{name}" in has:
            value = has.get(name, has.get(f"_{name}"))
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(value)
            else:
                arguments[name] = value
        elif parameter.default is parameter.empty:
            text = "__init__ changed, and the value of its argument {name} is unknown: store it as self.{name}."
            raise TypeError(translate(text, name=name))
    if takes_prefix:
        arguments["prefix"] = old.prefix
    return cls(*positional, **arguments)


def _replace(net: Any, old: Any, new: Any) -> None:
    for _, block in all_blocks(net):
        for name, child in block._children.items():
            if child is old:
                block._children[name] = new
        for name, value in vars(block).items():
            if value is old:
                vars(block)[name] = new


def _fits(before: Any, parameter: Any) -> bool:
    shape, known = parameter.shape, before.shape
    if before.dtype != parameter.dtype:
        return False
    if shape is None:
        return True
    return len(shape) == len(known) and all(a in (0, -1, b) for a, b in zip(shape, known, strict=True))


add_words({
    "__init__ changed, and the value of its argument {name} is unknown: store it as self.{name}.":
        "__init__ 变了，但不知道当时传给它的 {name} 的值：请把这个值存为 self.{name}。",
})  # fmt: skip
