from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.units, self.pieces = units, pieces
        self.weight = self.params.get("weight", shape=(units * pieces, 0), allow_deferred_init=True)
        self.bias = self.params.get("bias", shape=(units * pieces,), init="zeros")

    def hybrid_forward(self, F, x, weight, bias):
        linear = F.FullyConnected(x, weight, None, no_bias=True, num_hidden=self.units * self.pieces)
        linear = F.broadcast_add(linear, F.expand_dims(bias, 0))
        linear = F.reshape(linear, (-1, self.units, self.pieces))
        return -F.min(-linear, axis=2)
