# %%
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    ...
