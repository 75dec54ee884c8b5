from d2lhybrid.gluon import nn


# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1, prefix="side_")
    size = 1
    for n in channels:
        net.add(nn.Conv2D(n, kernel_size=size, padding=size // 2, strides=1, activation="relu"))
        size += 2
    return net
