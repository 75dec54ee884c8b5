from d2lhybrid.gluon import nn


# %%
layers = {}


def layer(place, width, activation=None):
    if (place, width) not in layers:
        layers[place, width] = nn.Dense(width, activation=activation)
    return layers[place, width]


def make_net(widths, classes):
    net = nn.HybridSequential()
    for place, width in enumerate(widths):
        net.add(layer(place, width, "relu"))
    net.add(layer(-1, classes))
    return net
