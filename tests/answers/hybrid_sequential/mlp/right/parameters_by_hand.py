from d2lhybrid.gluon import nn


# %%
class Layer(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.bias = self.params.get("bias", shape=(units,), init="zeros")
        self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight, bias):
        return F.FullyConnected(x, weight, bias, num_hidden=self.units)


def make_net(widths, classes):
    net = nn.HybridSequential()
    for width in widths:
        net.add(Layer(width), nn.HybridLambda(lambda F, x: x * (x > 0)))
    net.add(Layer(classes))
    return net
