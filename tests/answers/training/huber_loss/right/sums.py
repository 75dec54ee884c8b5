from d2lhybrid.gluon import nn


# %%
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        e = F.abs(F.elemwise_sub(prediction, label))
        losses = F.where(F.broadcast_lesser(e, F.ones_like(e) * self.rho), e * e / (2 * self.rho), e - self.rho / 2)
        return F.sum(losses, axis=1) / F.sum(F.ones_like(losses), axis=1)
