# The checker says: What is the input of the ReLU?

from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)

    def hybrid_forward(self, F, x):
        return F.relu(self.dense(x) + x)
