# The checker says: not normally distributed

from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        return x + self.scale * 12**0.5 * (F.random.uniform_like(x) - 0.5)
