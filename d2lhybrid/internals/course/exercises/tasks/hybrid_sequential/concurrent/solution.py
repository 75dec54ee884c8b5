from d2lhybrid.gluon import nn

# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1)
    for i, n in enumerate(channels):
        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation="relu"))
    return net
