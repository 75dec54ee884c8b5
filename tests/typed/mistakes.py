"""Mistakes that an editor should see: a type checker has to complain of every line that says so, and of no other."""

from d2lhybrid import autograd, gluon, metric, nd, np, npx, sym
from d2lhybrid.gluon import nn

x, s = nd.ones((2, 3)), sym.var("x")
nd.relu(x, slope=1)  # wrong
nd.Pooling(x, pool_type="median")  # wrong
nd.no_such_function(x)  # wrong
sym.relu("s")  # wrong
np.concatinate([x, x])  # wrong
npx.rellu(x)  # wrong
x.no_such_method()  # wrong
x.softmax(axes=1)  # wrong
nd.ones((2, 3)).asnumpy().no_such_method()  # wrong
nn.Dense(10, use_biases=True, in_units="3")  # wrong
nn.Dense(10)(x).asnumpy()


class Net(nn.HybridBlock):
    """What fails once it is hybridized, and what fails at once."""

    def hybrid_forward(self, F, x):
        x = F.rellu(x)  # wrong
        x = F.concatenate([x, x])  # wrong
        x = F.Pooling(x, pool_type="median")  # wrong
        x = nd.relu(F.exp(x))  # wrong
        x = F.sigmoid(x) // 2  # wrong
        return F.sigmoid(x).no_such_method()  # wrong


class Pair(nn.HybridBlock):
    """Two outputs are no array."""

    def hybrid_forward(self, F, x):
        return F.relu(x), F.exp(x)


Pair()(x).asnumpy()  # wrong
first, second, third = Pair()(x)  # wrong
metric.Accuracy().get().mean()  # wrong
nn.Dense(10).weight.data().no_such_method()  # wrong
for batch in gluon.data.DataLoader(gluon.data.ArrayDataset(x, x), 2):
    print(batch.shape, batch[0].shape)  # wrong
autograd.record(training=True)  # wrong
gluon.Trainer(nn.Dense(1).collect_params(), "sgd").stepp(1)  # wrong
