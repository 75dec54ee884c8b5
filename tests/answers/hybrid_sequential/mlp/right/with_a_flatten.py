from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential(prefix="mlp_")
    net.add(nn.Flatten())
    for width in widths:
        net.add(nn.Dense(units=width, activation="relu", use_bias=True, flatten=False))
    net.add(nn.Dense(units=classes, flatten=False))
    return net
