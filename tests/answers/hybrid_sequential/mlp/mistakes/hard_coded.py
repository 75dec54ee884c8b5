# The checker says: does not belong to the net of the task

from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for _ in widths:
        net.add(nn.Dense(256, activation="relu"))
    net.add(nn.Dense(10))
    return net
