from d2lhybrid.gluon import nn


# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = nn.HybridSequential()
    branches = HybridConcurrent(axis=1)
    for i, n in enumerate(channels):
        branches.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i))
    net.add(branches, nn.Activation("relu"))
    return net
