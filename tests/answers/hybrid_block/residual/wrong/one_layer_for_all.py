from d2lhybrid.gluon import nn


# %%
layers = {}


class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        if units not in layers:
            layers[units] = nn.Dense(units)
        self.dense = layers[units]

    def hybrid_forward(self, F, x):
        return F.relu(self.dense(x)) + x
