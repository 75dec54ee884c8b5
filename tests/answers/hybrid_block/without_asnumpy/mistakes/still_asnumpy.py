# The checker says: asnumpy is not implemented for Symbol

from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        v = x.asnumpy()
        return (x - v.mean()) / (abs(v).max() + 1)
