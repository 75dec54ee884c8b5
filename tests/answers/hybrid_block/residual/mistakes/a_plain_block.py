# The checker says: the net itself is a Residual

from d2lhybrid import nd
from d2lhybrid.gluon import nn


# %%
class Residual(nn.Block):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)

    def forward(self, x):
        return nd.relu(self.dense(x)) + x
