"""Registries of classes by name, for initializers, metrics, and user-defined families of classes."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from .error import MXNetError
from .internals.support.suggestions import did_you_mean

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

_REGISTRIES: dict[type, dict[str, type]] = {}
Class = TypeVar("Class", bound=type)


class Register(Protocol):
    """The type of a function that registers a class and returns it."""

    def __call__(self, klass: Class, name: str | None = None) -> Class:
        """Register a class under a name."""
        ...


class Alias(Protocol):
    """The type of a function that takes names, and returns a decorator that registers a class under these names."""

    def __call__(self, *aliases: str) -> Callable[[Class], Class]:
        """Return a decorator that registers a class under the names ``aliases``."""
        ...


def get_registry(base_class: type) -> dict[str, type]:
    """Return a copy of the registry of a family, as a dictionary from names to classes.

    Parameters
    ----------
    base_class : type
        The base class of the family.

    Returns
    -------
    dict of str to type
        The registered classes by name.
    """
    return dict(_REGISTRIES.get(base_class, {}))


def get_register_func(base_class: type, nickname: str) -> Register:
    """Return the function that registers subclasses of ``base_class``.

    Parameters
    ----------
    base_class : type
        The base class of the family.
    nickname : str
        The term for a member of the family in messages.

    Returns
    -------
    callable
        ``register(klass, name=None)``, which is usable as a decorator. The default name is the class's name in lower
        case.
    """
    registry = _REGISTRIES.setdefault(base_class, {})

    def register(klass: Class, name: str | None = None) -> Class:
        if not issubclass(klass, base_class):
            raise AssertionError(f"Can only register subclass of {base_class.__name__}")
        key = (name or klass.__name__).lower()
        existing = registry.get(key)
        if existing is not None:
            warnings.warn(
                f"New {nickname} {klass.__module__}.{klass.__name__} registered with name {key} is "
                f"overriding existing {nickname} {existing.__module__}.{existing.__name__}",
                UserWarning,
                stacklevel=2,
            )
        registry[key] = klass
        return klass

    register.__doc__ = f"Register a {nickname} class under a name; by default, the class's name in lower case."
    return register


def get_alias_func(base_class: type, nickname: str) -> Alias:
    """Return a function that returns decorators, which register a class under additional names.

    Parameters
    ----------
    base_class : type
        The base class of the family.
    nickname : str
        The term for a member of the family in messages.

    Returns
    -------
    callable
        ``alias(*names)``, which returns a decorator.
    """
    register = get_register_func(base_class, nickname)

    def alias(*aliases: str) -> Callable[[Class], Class]:
        def decorate(klass: Class) -> Class:
            for name in aliases:
                register(klass, name)
            return klass

        return decorate

    alias.__doc__ = f"Register a {nickname} class under additional names."
    return alias


def _from_json(text: str, kind: type) -> Any:
    """Return the JSON list of name and settings, or the settings, from a string that may come from a graph file."""
    try:
        if len(text) > 65_536:
            raise ValueError(f"the string has {len(text)} characters, but at most 65536 are allowed")
        parsed = json.loads(text)
        settings = parsed[1] if kind is list and len(parsed) == 2 else parsed
        if not isinstance(parsed, kind) or not isinstance(settings, dict):
            raise ValueError("the JSON list must contain a name and an object with settings")
    except (ValueError, RecursionError) as reason:
        shown = text if len(text) <= 100 else f"{text[:100]}..."
        raise MXNetError(f"no object can be created from {shown!r}: {reason}") from None
    return parsed


def get_create_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """Return the function that creates an instance of a registered class from its name.

    Parameters
    ----------
    base_class : type
        The base class of the family.
    nickname : str
        The term for a member of the family in messages.

    Returns
    -------
    callable
        ``create(name, ...)``, where ``name`` is an instance (which is returned unchanged), a registered name in any
        case, a JSON list ``["name", {settings}]``, or a JSON object.
    """
    registry = _REGISTRIES.setdefault(base_class, {})

    def create(*args: Any, **kwargs: Any) -> Any:
        if args:
            name, *rest = args
        else:
            name, rest = kwargs.pop(nickname), []
        if isinstance(name, base_class):
            if rest or kwargs:
                raise AssertionError(f"{nickname} is already an instance. Additional arguments are invalid")
            return name
        if isinstance(name, dict):
            return create(**name)
        if not isinstance(name, str):
            raise AssertionError(f"{nickname} must be of string type")
        if name.startswith("["):
            name, settings = _from_json(name, list)
            return create(name, **settings)
        if name.startswith("{"):
            return create(**_from_json(name, dict))
        if name.lower() not in registry:
            error = AssertionError(f"{name.lower()} is not registered. Please register with {nickname}.register first")
            hint = did_you_mean(name.lower(), registry)
            if hint:
                error.add_note(hint.strip())
            raise error
        return registry[name.lower()](*rest, **kwargs)

    create.__doc__ = f"Create a {nickname} from a name or from JSON, or return an existing instance."
    return create
