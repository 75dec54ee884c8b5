# %%
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn


class Counter(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.runs = 0

    def hybrid_forward(self, F, x):
        self.runs += 1
        return x + 1


def foretell(events):
    net = Counter()
    net.hybridize()
    programs = 0
    for kind, shape in events:
        if kind == "hybridize":
            net.hybridize()
            continue
        before = len(net.programs)
        with autograd.train_mode() if kind == "train" else autograd.predict_mode():
            net(nd.ones(tuple(shape)))
        programs += len(net.programs) - before
    return net.runs, programs
