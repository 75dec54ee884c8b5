from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        a, b = F.random.uniform_like(x, low=1e-6, high=1), F.random.uniform_like(x, low=1e-6, high=1)
        return x + (F.log(a) - F.log(b)) * (self.scale / 2**0.5)
