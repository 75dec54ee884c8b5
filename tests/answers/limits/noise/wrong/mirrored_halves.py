from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        noise = F.random.normal_like(x)
        return x + self.scale * (noise - F.reverse(noise, axis=0)) / 2**0.5
