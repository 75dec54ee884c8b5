from d2lhybrid.gluon import nn

# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1)
    size = 1
    while channels:
        net.add(nn.Conv2D(channels.pop(0), kernel_size=size, padding=size // 2, activation="relu"))
        size += 2
    return net
