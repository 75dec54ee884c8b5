from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for width in widths:
        net.add(nn.Dense(width, activation="relu"))
    net.add(nn.Dense(classes))
    return net
