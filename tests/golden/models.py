"""The nets of the exported models, built again: what is exported must be the same file."""

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.contrib.nn import HybridConcurrent, Identity

# Names that counted on from other nets in MXNet's run are given as prefixes.


def mlp():
    net = nn.HybridSequential()
    for i, units in enumerate((256, 128)):
        net.add(nn.Dense(units, activation="relu", prefix=f"dense{i}_"))
    net.add(nn.Dense(2, prefix="dense2_"))
    return net, [(1, 512)]


class LeNet(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv1 = nn.Conv2D(6, kernel_size=5)
            self.pool1 = nn.MaxPool2D(pool_size=2)
            self.conv2 = nn.Conv2D(16, kernel_size=5)
            self.pool2 = nn.MaxPool2D(pool_size=2)
            self.fc1 = nn.Dense(120)
            self.fc2 = nn.Dense(84)
            self.fc3_weight = self.params.get("fc3_weight", shape=(10, 84))

    def hybrid_forward(self, F, x, fc3_weight):
        x = self.pool1(F.relu(self.conv1(x)))
        x = self.pool2(F.relu(self.conv2(x)))
        x = x.reshape((0, -1))
        x = F.relu(self.fc2(F.relu(self.fc1(x))))
        return F.dot(x, fc3_weight, transpose_b=True)


def lenet():
    return LeNet(prefix="net0_"), [(2, 1, 28, 28)]


class HybridNet(gluon.HybridBlock):
    def __init__(self, units, prefixes, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(units, prefix=prefixes[0])
        self.output = nn.Dense(2, prefix=prefixes[1])

    def hybrid_forward(self, F, x):
        relu = F.npx.relu if mx.util.is_np_array() else F.relu
        return self.output(relu(self.hidden(x)))


def hybridnet():
    return HybridNet(10, ("dense3_", "dense4_"), prefix="hybridnet0_"), [(3, 4)]


class Residual(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.c0 = nn.Conv2D(4, 3, padding=1)
            self.b0 = nn.BatchNorm()
            self.c1 = nn.Conv2D(4, 3, padding=1, use_bias=False)
            self.b1 = nn.BatchNorm()
            self.drop = nn.Dropout(0.5)
            self.gp = nn.GlobalAvgPool2D()
            self.fc = nn.Dense(3)

    def hybrid_forward(self, F, x):
        x = F.Activation(self.b0(self.c0(x)), act_type="relu")
        return self.fc(self.drop(self.gp(F.relu(x + self.b1(self.c1(x))))))


def resbn():
    return Residual(prefix="res0_"), [(2, 3, 8, 8)]


def concurrent():
    net = HybridConcurrent(axis=1, prefix="hc_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="tanh"), nn.Dense(4), Identity())
    return net, [(3, 5)]


class Several(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.d = nn.Dense(3)

    def hybrid_forward(self, F, x, y):
        a = self.d(x)
        halves = F.split(y, num_outputs=2, axis=1)
        return F.concat(a, halves[0], dim=1), [F.softmax(a * 2 + 1), halves[1] - 1.5]


def multi_io():
    return Several(prefix="multi_"), [(2, 3), (2, 4)]


def embedding():
    net = nn.HybridSequential(prefix="emb_")
    with net.name_scope():
        net.add(
            nn.Embedding(7, 4),
            nn.HybridLambda(lambda F, x: F.mean(x, axis=1)),
            nn.LayerNorm(),
            nn.Dense(3, activation="sigmoid"),
            nn.PReLU(),
            nn.LeakyReLU(0.2),
            nn.GELU(),
        )
    return net, [(3, 5)]


def convs():
    net = nn.HybridSequential(prefix="conv_")
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 3, strides=2, padding=1, activation="relu"),
            nn.Conv2DTranspose(4, 4, strides=2, padding=1),
            nn.AvgPool2D(2, ceil_mode=True),
            nn.InstanceNorm(scale=True),
            nn.GroupNorm(2),
            nn.Conv2D(4, 3, dilation=2, groups=2, use_bias=False),
            nn.GlobalMaxPool2D(),
            nn.Flatten(),
        )
    return net, [(1, 2, 11, 11)]


def np_mlp():
    net = nn.HybridSequential()
    for i, units in enumerate((32, 16)):
        net.add(nn.Dense(units, activation="relu", prefix=f"dense{5 + i}_"))
    net.add(nn.Dense(2, prefix="dense7_"))
    return net, [(3, 12)]


def np_hybridnet():
    return HybridNet(4, ("dense8_", "dense9_"), prefix="hybridnet0_"), [(1, 3)]


#: Name of the model -> its builder, which returns the net and the shapes of its inputs.
BUILDERS = {f.__name__: f for f in (mlp, lenet, hybridnet, resbn, concurrent, multi_io, embedding, convs)}
NP_BUILDERS = {f.__name__: f for f in (np_mlp, np_hybridnet)}


def example(shapes):
    """Return inputs of these shapes."""
    return [mx.np.ones(s) if mx.util.is_np_array() else nd.ones(s) for s in shapes]
