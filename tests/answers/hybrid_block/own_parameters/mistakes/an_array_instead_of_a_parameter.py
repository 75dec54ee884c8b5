# The checker says: finds 0 parameters

from d2lhybrid import nd
from d2lhybrid.gluon import nn


# %%
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.scale, self.shift = nd.ones((units,)), nd.zeros((units,))

    def hybrid_forward(self, F, x):
        return x * self.scale + self.shift
