from d2lhybrid.gluon import nn


# %%
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        e = F.abs(prediction - label)
        part = F.minimum(e, self.rho)
        losses = part * part / (2 * self.rho) + (e - part)
        return F.mean(losses, axis=-1)
