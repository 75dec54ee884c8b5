from d2lhybrid import gluon


# %%
class Huber(gluon.loss.Loss):
    def __init__(self, rho, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F, pred, label):
        e = F.abs(label - pred)
        e = F.where(e > self._rho, e - 0.5 * self._rho, (0.5 / self._rho) * F.square(e))
        return F.mean(e, axis=self._batch_axis, exclude=True)
