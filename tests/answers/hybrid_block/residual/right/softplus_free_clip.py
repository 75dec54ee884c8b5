from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.fc = nn.Dense(units, weight_initializer="normal", bias_initializer="ones")

    def hybrid_forward(self, F, x):
        hidden = self.fc(x)
        return hidden * (hidden > 0) + x
