from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        u = F.random.uniform_like(x, low=1e-6, high=0.999999)
        return x + F.log(u / (1 - u)) * (self.scale * 3**0.5 / 3.14159265)
