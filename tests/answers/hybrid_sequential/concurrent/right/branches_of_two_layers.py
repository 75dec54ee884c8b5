from d2lhybrid.gluon import nn


# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1)
    for i, n in enumerate(channels):
        branch = nn.HybridSequential()
        branch.add(nn.Conv2D(channels=n, kernel_size=(2 * i + 1, 2 * i + 1), padding=(i, i)))
        branch.add(nn.Activation("relu"))
        net.add(branch)
    return net
