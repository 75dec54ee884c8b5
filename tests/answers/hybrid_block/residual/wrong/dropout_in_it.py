from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)
        self.dropout = nn.Dropout(0.1)

    def hybrid_forward(self, F, x):
        return self.dropout(F.relu(self.dense(x))) + x
