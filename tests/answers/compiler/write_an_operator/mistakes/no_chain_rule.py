# The checker says: Where is `dy`

# %%
from __future__ import annotations

from d2lhybrid.internals.core.operator import Array, operator
from d2lhybrid.internals.ops import rules


@operator("bent", elementwise=True)
def bent(xp, data: Array, curve: float = 1.0):
    return data + curve * (xp.sqrt(data * data + 1) - 1)


bent.infer_shape(rules.same)
bent.infer_type(rules.same_type)


@bent.gradient
def _(F, dy, y, data, *, curve):
    return [(data / F.sqrt(data * data + 1) * curve + 1)]
