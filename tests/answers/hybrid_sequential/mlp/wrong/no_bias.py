from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for width in widths:
        net.add(nn.Dense(width, activation="relu", use_bias=False))
    net.add(nn.Dense(classes, use_bias=False))
    return net
