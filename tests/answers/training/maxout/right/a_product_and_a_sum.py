from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.shape = (-1, units, pieces)
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(units * pieces, 0), allow_deferred_init=True)
            self.bias = self.params.get("bias", shape=(units * pieces,))
        self.size = units * pieces

    def hybrid_forward(self, F, x, bias, weight):
        values = F.FullyConnected(x, weight, num_hidden=self.size, no_bias=True)
        values = F.broadcast_add(values, bias)
        return values.reshape(self.shape).max(axis=2)
