from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        noise = F.random.normal_like(x, loc=1, scale=1)
        return x + (noise - 1) * self.scale
