# The checker says: The net has the wrong number of parameters: 0

from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def hybrid_forward(self, F, x):
        dense = nn.Dense(self.units)
        dense.initialize()
        return F.relu(dense(x)) + x
