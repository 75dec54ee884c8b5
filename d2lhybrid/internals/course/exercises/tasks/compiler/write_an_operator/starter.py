# %%
from __future__ import annotations

from d2lhybrid.internals.core.operator import Array, operator
from d2lhybrid.internals.ops import rules


@operator("bent", elementwise=True)
def bent(xp, data: Array, curve: float = 1.0):
    ...
