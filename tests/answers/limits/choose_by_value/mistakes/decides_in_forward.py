# The checker says: Hybridized, the output

from d2lhybrid import nd
from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def forward(self, x):
        self.positive = nd.sum(x).asscalar() > 0 if isinstance(x, nd.NDArray) else True
        return super().forward(x)

    def hybrid_forward(self, F, x):
        return F.identity(x) if self.positive else -2 * x
