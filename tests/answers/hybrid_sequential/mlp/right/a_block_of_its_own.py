from d2lhybrid.gluon import nn


# %%
class Perceptron(nn.HybridBlock):
    def __init__(self, widths, classes, **kwargs):
        super().__init__(**kwargs)
        self.output = nn.Dense(classes)
        self.hidden = nn.HybridSequential()
        for width in widths:
            self.hidden.add(nn.Dense(width))

    def hybrid_forward(self, F, x):
        for layer in self.hidden:
            x = F.relu(layer(x))
        return self.output(x)


def make_net(widths, classes):
    return Perceptron(widths, classes)
