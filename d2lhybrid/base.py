"""``mx.base``: the names that programs import from there."""

from __future__ import annotations

from .errors import MXNetError, NotImplementedForSymbol

__all__ = ["MXNetError", "NotImplementedForSymbol", "numeric_types", "string_types"]

numeric_types = (float, int)
string_types = (str,)
