from d2lhybrid.gluon import nn


# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1)
    branches = [nn.Conv2D(n, 2 * i + 1, padding=i, activation="relu") for i, n in enumerate(channels)]
    net.add(*branches)
    return net
