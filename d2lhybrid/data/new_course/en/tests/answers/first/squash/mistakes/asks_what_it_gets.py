# The checker says: differs from the output line by line

from d2lhybrid import nd
from d2lhybrid.gluon import nn


# %%
class Squash(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if isinstance(x, nd.NDArray):
            return x / (1 + F.abs(x))
        return x / (1 + x)
