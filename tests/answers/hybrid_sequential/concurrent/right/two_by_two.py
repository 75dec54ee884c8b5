from d2lhybrid.gluon import nn


# %%
class Inception(nn.HybridBlock):
    def __init__(self, channels, **kwargs):
        super().__init__(**kwargs)
        self.branches = nn.HybridSequential()
        for i, n in enumerate(channels):
            self.branches.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation="relu"))

    def hybrid_forward(self, F, x):
        first, *others = self.branches
        joined = first(x)
        for branch in others:
            joined = F.concat(joined, branch(x), dim=1)
        return joined


def make_net(channels):
    return Inception(channels)
