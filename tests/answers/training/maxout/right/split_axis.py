from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self._units, self._pieces = units, pieces
        self.weight = self.params.get("weight", shape=(units * pieces, 0), allow_deferred_init=True)
        self.bias = self.params.get("bias", shape=(units * pieces,), init="zeros")

    def hybrid_forward(self, F, x, weight, bias):
        y = F.FullyConnected(x, weight, bias, num_hidden=self._units * self._pieces)
        y = F.reshape(y, (0, -4, self._units, self._pieces))
        return F.max_axis(y, axis=-1)
