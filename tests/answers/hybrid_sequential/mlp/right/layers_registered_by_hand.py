from d2lhybrid.gluon import nn


# %%
class Net(nn.HybridBlock):
    def __init__(self, widths, classes):
        super().__init__()
        self.layers = []
        for i, width in enumerate([*widths, classes]):
            layer = nn.Dense(width)
            self.layers.append(layer)
            self.register_child(layer, f"layer{i}")

    def hybrid_forward(self, F, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = F.maximum(layer(x), 0)
        return last(x)


make_net = Net
