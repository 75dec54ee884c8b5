from d2lhybrid.gluon import nn


# %%
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        import math

        radius = F.sqrt(-2 * F.log(1 - F.random.uniform_like(x, low=0, high=0.9999999)))
        angle = F.random.uniform_like(x, low=0, high=2 * math.pi)
        return x + self.scale * radius * F.cos(angle)
