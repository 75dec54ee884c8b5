from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    net.add(*[nn.Dense(width, activation="relu") for width in widths], nn.Dense(classes))
    return net
