"""Mistakes that an editor should see: a type checker has to complain of every line that says so, and of no other."""

from d2lhybrid import nd, np, npx, sym
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
