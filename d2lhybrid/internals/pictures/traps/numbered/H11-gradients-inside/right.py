from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * x


net = Net()
net.hybridize()
x.attach_grad()
with autograd.record():
    y = net(x)
y.backward()
print(x.grad)
