"""A stand-in for nose, the test runner of MXNet's days, which does not run on any Python of today."""

from __future__ import annotations

import re
import sys
import types
import unittest
from typing import Any


def nose() -> None:
    """Let ``import nose`` find the stand-in."""
    nose, tools = types.ModuleType("nose"), types.ModuleType("nose.tools")
    case = unittest.TestCase()
    case.maxDiff = None
    for name in dir(case):
        if name.startswith("assert") and "_" not in name:
            setattr(tools, re.sub("([A-Z])", lambda match: "_" + match[1].lower(), name), getattr(case, name))
    old_names = {"assert_equals": "assert_equal", "assert_almost_equals": "assert_almost_equal"}
    for old, new in old_names.items():
        setattr(tools, old, getattr(tools, new))

    def ok_(value: Any, message: str | None = None) -> None:
        assert value, message

    def eq_(first: Any, second: Any, message: str | None = None) -> None:
        assert first == second, message

    def make_decorator(original: Any) -> Any:
        def decorate(function: Any) -> Any:
            vars(function).update(vars(original))
            function.__name__, function.__doc__ = original.__name__, original.__doc__
            return function

        return decorate

    def raises(*errors: type[BaseException]) -> Any:
        def decorate(function: Any) -> Any:
            def expecting(*arguments: Any, **named: Any) -> None:
                with case.assertRaises(errors):
                    function(*arguments, **named)

            return make_decorator(function)(expecting)

        return decorate

    def nottest(function: Any) -> Any:
        function.__test__ = False
        return function

    for function in (ok_, eq_, make_decorator, raises, nottest):
        setattr(tools, function.__name__, function)
    tools.__all__ = [name for name in vars(tools) if not name.startswith("__")]  # type: ignore[attr-defined]
    nose.tools, nose.runmodule = tools, lambda *_, **__: None  # type: ignore[attr-defined]
    sys.modules.update({"nose": nose, "nose.tools": tools})
