# The checker says: The net of the task has no parameter of shape

from d2lhybrid.gluon import nn


# %%
def make_net(channels):
    net = nn.HybridSequential()
    for i, n in enumerate(channels):
        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation="relu"))
    return net
