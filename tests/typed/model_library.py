"""A program as libraries of models write theirs, and its training loop; a type checker reads it."""

from typing import assert_type

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.data.vision import transforms
from d2lhybrid.ndarray import NDArray


class ConvBlock(gluon.HybridBlock):
    """Convolution, normalization, activation."""

    def __init__(self, channels, kernel=3, stride=1, activation=None, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv = nn.Conv2D(channels, kernel, stride, padding=kernel // 2, use_bias=False)
            self.norm = nn.BatchNorm()
            self.activation = nn.Activation(activation) if activation else None

    def hybrid_forward(self, F, x):
        x = self.norm(self.conv(x))
        return x if self.activation is None else self.activation(x)


class Residual(gluon.HybridBlock):
    """A block with a way around it."""

    def __init__(self, channels, downsample=False, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix="")
            self.body.add(ConvBlock(channels, activation="relu"), ConvBlock(channels))
            self.shortcut = nn.Conv2D(channels, 1) if downsample else None

    def hybrid_forward(self, F, x):
        residual = x if self.shortcut is None else self.shortcut(x)
        return F.Activation(self.body(x) + residual, act_type="relu")


class Scale(gluon.HybridBlock):
    """A layer with a parameter of its own, under another name than the inputs."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.gamma = self.params.get("gamma", shape=(units,), init="ones", allow_deferred_init=True)

    def hybrid_forward(self, F, data, gamma):
        return F.broadcast_mul(data, gamma)


class FocalLoss(gluon.loss.Loss):
    """A loss with three inputs."""

    def __init__(self, gamma=2.0, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._gamma = gamma

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        p = F.pick(F.softmax(pred), label, axis=-1)
        loss = -((1 - p) ** self._gamma) * F.log(p + 1e-12)
        return F.mean(loss, axis=self._batch_axis, exclude=True)


class Detector(gluon.Block):
    """Several outputs, and a call with several inputs."""

    def __init__(self, classes, **kwargs):
        super().__init__(**kwargs)
        self.features = nn.Sequential()
        for channels in (16, 32):
            self.features.add(Residual(channels, downsample=True))
        self.heads = [nn.Dense(classes), nn.Dense(4)]
        for head in self.heads:
            self.register_child(head)

    def forward(self, x, anchors):
        x = self.features(x)
        return [head(x) for head in self.heads], anchors


def evaluate(net, data, ctx):
    """Return the share of right answers."""
    metric = mx.metric.Accuracy()
    for images, labels in data:
        metric.update([labels.as_in_context(ctx)], [net(images.as_in_context(ctx))])
    name, value = metric.get()
    return {name: value}


def train(epochs=2):
    """Train as the tutorials do."""
    ctx = mx.gpu() if mx.context.num_gpus() else mx.cpu()
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
    dataset = gluon.data.ArrayDataset(nd.random.uniform(shape=(8, 28, 28, 1)), nd.zeros((8,)))
    data = gluon.data.DataLoader(dataset.transform_first(transform), batch_size=4, shuffle=True, num_workers=0)
    net = nn.HybridSequential()
    net.add(ConvBlock(8), Residual(8), nn.GlobalAvgPool2D(), Scale(8), nn.Dense(10))
    net.initialize(mx.init.Xavier(), ctx=ctx)
    net.hybridize()
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    schedule = mx.lr_scheduler.FactorScheduler(step=100, factor=0.5, base_lr=0.1)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": schedule, "momentum": 0.9})
    for epoch in range(epochs):
        total = 0.0
        for batch in data:
            assert_type(batch, list[NDArray])
            images = gluon.utils.split_and_load(batch[0], [ctx])
            labels = gluon.utils.split_and_load(batch[1], [ctx])
            with autograd.record():
                losses = [loss_function(net(x), y) for x, y in zip(images, labels, strict=True)]
            for loss in losses:
                loss.backward()
            trainer.step(batch[0].shape[0])
            total += sum(loss.mean().asscalar() for loss in losses)
        print(epoch, total, trainer.learning_rate, evaluate(net, data, ctx))
    net.save_parameters("net.params")
    net.load_parameters("net.params", ctx=ctx)
    first = net[0]
    first.conv.weight.set_data(nd.zeros((8, 1, 3, 3)))
    first.collect_params(".*weight").setattr("grad_req", "null")
    return net


x = nd.ones((1, 1, 28, 28))
print(ConvBlock(4)(x).shape, gluon.loss.L2Loss()(x, x).mean())
(scores, boxes), anchors = Detector(3)(x, x)
assert_type(x, NDArray)
