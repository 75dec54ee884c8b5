from d2lhybrid.gluon import nn


# %%
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        e = F.reshape(F.abs(prediction - label), (0, -1))
        losses = F.where(e >= self.rho, e - 0.5 * self.rho, e * e * (0.5 / self.rho))
        return F.mean(losses, axis=1)
