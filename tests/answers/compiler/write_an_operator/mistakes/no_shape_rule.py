# The checker says: has no shape rule

# %%
from __future__ import annotations

from d2lhybrid.internals.core.operator import Array, operator


@operator("bent", elementwise=True)
def bent(xp, data: Array, curve: float = 1.0):
    return data + curve * (xp.sqrt(data * data + 1) - 1)


@bent.gradient
def _(F, dy, y, data, *, curve):
    return [dy * (data / F.sqrt(data * data + 1) * curve + 1)]
