from d2lhybrid.gluon import nn


# %%
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        e = F.abs(prediction - label)
        inside = e < self.rho
        square = F.mean(inside * e * e, axis=1) / (2 * self.rho)
        return square + F.mean((1 - inside) * (e - self.rho / 2), axis=1)
