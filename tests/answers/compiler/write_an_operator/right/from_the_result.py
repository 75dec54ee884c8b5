# %%
from __future__ import annotations

from d2lhybrid.internals.ops import rules
from d2lhybrid.internals.core.operator import Array, operator


@operator("bent", elementwise=True)
def bent(xp, data: Array, curve: float = 1.0):
    return data + curve * (xp.sqrt(data * data + 1) - 1)


bent.infer_shape(rules.same)
bent.infer_type(rules.same_type)


@bent.gradient
def _(F, dy, y, data, *, curve):
    root = (y - data) / curve + 1
    return [dy * (1 + curve * data / root)]
