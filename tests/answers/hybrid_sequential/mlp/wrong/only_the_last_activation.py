from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for width in widths[:-1]:
        net.add(nn.Dense(width))
    net.add(nn.Dense(widths[-1], activation="relu"), nn.Dense(classes))
    return net
