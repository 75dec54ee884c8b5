"""The functions of the package ``d2lzh`` from the first Chinese edition of *Dive into Deep Learning*.

Most of the functions are those of :mod:`d2lhybrid.d2l`, applied to legacy arrays (``nd``). This module contains the
functions whose names or arguments differ between the editions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from . import autograd, gluon, nd
from .context import Context, cpu
from .d2l.datasets import get_fashion_mnist_labels
from .d2l.devices import try_all_gpus, try_gpu
from .d2l.models import Residual, resnet18
from .d2l.plotting import pyplot, set_figsize, show_trace_2d, use_svg_display
from .d2l.training import sgd, squared_loss, train_2d
from .gluon.data.vision import transforms
from .internals.support.display import Shown

__all__ = [
    "Benchmark",
    "Residual",
    "corr2d",
    "data_iter",
    "evaluate_accuracy",
    "get_fashion_mnist_labels",
    "linreg",
    "load_data_fashion_mnist",
    "mkdir_if_not_exist",
    "resnet18",
    "semilogy",
    "set_figsize",
    "sgd",
    "show_fashion_mnist",
    "show_images",
    "show_trace_2d",
    "squared_loss",
    "to_onehot",
    "train",
    "train_2d",
    "train_ch3",
    "train_ch5",
    "try_all_gpus",
    "try_gpu",
    "use_svg_display",
]


class Benchmark(Shown):
    """A context manager that prints the duration of its body.

    Parameters
    ----------
    prefix : str, optional
        Text to print before the duration.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.prefix: str = f"{prefix} " if prefix else ""

    def __enter__(self) -> None:
        self.start: float = time.perf_counter()

    def __exit__(self, *exception: object) -> None:
        print(f"{self.prefix}time: {time.perf_counter() - self.start:.4f} sec")


def corr2d(X: Any, K: Any) -> Any:
    """Return the cross-correlation of a matrix with a kernel, computed element by element.

    Parameters
    ----------
    X : NDArray
        The matrix.
    K : NDArray
        The kernel.

    Returns
    -------
    NDArray
        The cross-correlation.
    """
    height, width = K.shape
    Y = nd.zeros((X.shape[0] - height + 1, X.shape[1] - width + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i : i + height, j : j + width] * K).sum()
    return Y


def linreg(X: Any, w: Any, b: Any) -> Any:
    """Return ``Xw + b``.

    Parameters
    ----------
    X : NDArray
        The examples, of shape (batch, features).
    w : NDArray
        The weights, of shape (features, 1).
    b : NDArray
        The bias.

    Returns
    -------
    NDArray
        The predictions, of shape (batch, 1).
    """
    return nd.dot(X, w) + b


# --- data --------------------------------------------------------------------------------------


def data_iter(batch_size: int, features: Any, labels: Any) -> Iterator[tuple[Any, Any]]:
    """Yield batches of the examples in random order.

    Parameters
    ----------
    batch_size : int
        Number of examples in a batch.
    features, labels : NDArray
        The examples and their labels.

    Yields
    ------
    tuple of (NDArray, NDArray)
        The features and the labels of a batch.
    """
    order = numpy.random.permutation(len(features))
    for start in range(0, len(order), batch_size):
        indices = nd.array(order[start : start + batch_size])
        yield features.take(indices), labels.take(indices)


def load_data_fashion_mnist(batch_size: int, resize: int | None = None, root: str | None = None) -> tuple[Any, Any]:
    """Return the batches of Fashion-MNIST: shuffled training batches, and test batches.

    Parameters
    ----------
    batch_size : int
        Number of images in a batch.
    resize : int, optional
        Height and width; 28 by default.
    root : str, optional
        Folder of the files; by default ``~/.mxnet/datasets/fashion-mnist``.

    Returns
    -------
    tuple of (DataLoader, DataLoader)
        The training batches and the test batches.
    """
    steps = [transforms.Resize(resize)] if resize else []
    change = transforms.Compose([*steps, transforms.ToTensor()])
    train, test = (
        gluon.data.DataLoader(
            gluon.data.vision.FashionMNIST(root=root, train=part).transform_first(change), batch_size, shuffle=part
        )
        for part in (True, False)
    )
    return train, test


def to_onehot(X: Any, size: int) -> list[Any]:
    """Return the one-hot encoding of each time step in a batch of sequences.

    Parameters
    ----------
    X : NDArray
        Indices of shape (batch, steps).
    size : int
        Number of elements in a one-hot row.

    Returns
    -------
    list of NDArray
        For each step, an array of shape (batch, size).
    """
    return [nd.one_hot(x, size) for x in X.T]


def mkdir_if_not_exist(path: list[str]) -> None:
    """Create a folder, unless it exists.

    Parameters
    ----------
    path : list of str
        The parts of the path.
    """
    os.makedirs(os.path.join(*path), exist_ok=True)


# --- training ----------------------------------------------------------------------------------


def evaluate_accuracy(data_iter: Iterable[Any], net: Any, ctx: Context | list[Context] | None = None) -> float:
    """Return the fraction of examples that a net classifies correctly.

    Parameters
    ----------
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    net : callable
        Function that returns the scores of a batch.
    ctx : Context or list of Context, optional
        Devices to compute on; the CPU by default.

    Returns
    -------
    float
        The fraction, between 0 and 1.
    """
    devices = [ctx] if isinstance(ctx, Context) else ctx or [cpu()]
    right = total = 0
    for features, labels in data_iter:
        for X, y in _shards(features, labels, devices):
            right += _hits(net(X), y)
            total += y.size
    return right / total


def _shards(features: Any, labels: Any, devices: list[Context]) -> list[tuple[Any, Any]]:
    """Split a batch and its labels over devices."""
    split = gluon.utils.split_and_load
    even = len(features) % len(devices) == 0
    return list(zip(*(split(part, devices, even_split=even) for part in (features, labels)), strict=True))


def _hits(y_hat: Any, y: Any) -> int:
    return int((y_hat.argmax(axis=1) == y.astype("float32")).sum().asscalar())


def _train(
    train_iter: Iterable[Any],
    net: Any,
    loss: Callable[[Any, Any], Any],
    step: Callable[[int], None],
    devices: list[Context],
    score: Callable[[], float],
    num_epochs: int,
    timed: bool,
) -> None:
    """Run a training step for each batch, and print the mean loss and accuracy of each epoch."""
    for epoch in range(num_epochs):
        start, loss_sum, right, count = time.perf_counter(), 0.0, 0, 0
        for features, labels in train_iter:
            shards = _shards(features, labels, devices)
            with autograd.record():
                scores = [net(X) for X, _ in shards]
                losses = [loss(y_hat, y) for y_hat, (_, y) in zip(scores, shards, strict=True)]
            autograd.backward(losses)
            step(len(features))
            loss_sum += sum(float(part.sum().asscalar()) for part in losses)
            right += sum(_hits(y_hat, y) for y_hat, (_, y) in zip(scores, shards, strict=True))
            count += len(features)
        line = f"epoch {epoch + 1}, loss {loss_sum / count:.4f}, train acc {right / count:.3f}, test acc {score():.3f}"
        print(line + (f", time {time.perf_counter() - start:.1f} sec" if timed else ""))


def train(
    train_iter: Iterable[Any],
    test_iter: Iterable[Any],
    net: Any,
    loss: Callable[[Any, Any], Any],
    trainer: Any,
    ctx: Context | list[Context],
    num_epochs: int,
) -> None:
    """Train a classifier on one or several devices, and print losses, accuracies, and times.

    Parameters
    ----------
    train_iter, test_iter : iterable of (X, y)
        Training batches and test batches.
    net : gluon.Block
        The net.
    loss : callable
        Function that returns a loss for each example from predictions and labels.
    trainer : gluon.Trainer
        The trainer of the net's parameters.
    ctx : Context or list of Context
        The devices.
    num_epochs : int
        Number of epochs.
    """
    print("training on", ctx)
    devices = [ctx] if isinstance(ctx, Context) else ctx
    _train(
        train_iter, net, loss, trainer.step, devices, lambda: evaluate_accuracy(test_iter, net, ctx), num_epochs, True
    )


def train_ch3(
    net: Any,
    train_iter: Iterable[Any],
    test_iter: Iterable[Any],
    loss: Callable[[Any, Any], Any],
    num_epochs: int,
    batch_size: int,
    params: list[Any] | None = None,
    lr: float | None = None,
    trainer: Any = None,
) -> None:
    """Train a classifier with a trainer, or with gradient descent on ``params``, and print losses and accuracies.

    Parameters
    ----------
    net : callable
        Function that returns the scores of a batch.
    train_iter, test_iter : iterable of (X, y)
        Training batches and test batches.
    loss : callable
        Function that returns a loss for each example from scores and labels.
    num_epochs, batch_size : int
        Number of epochs, and number of examples in a batch.
    params : list of NDArray, optional
        Arrays to train by gradient descent without a trainer.
    lr : float, optional
        Learning rate, which is used only without a trainer.
    trainer : gluon.Trainer, optional
        The trainer.

    Raises
    ------
    ValueError
        If neither a trainer nor both ``params`` and ``lr`` are passed.
    """
    if trainer is None and (params is None or lr is None):
        raise ValueError("train_ch3 requires either trainer, or both params and lr")

    def step(_: int) -> None:
        if trainer is None:
            sgd(params or [], lr or 0.0, batch_size)
        else:
            trainer.step(batch_size)

    _train(train_iter, net, loss, step, [cpu()], lambda: evaluate_accuracy(test_iter, net), num_epochs, False)


def train_ch5(
    net: Any,
    train_iter: Iterable[Any],
    test_iter: Iterable[Any],
    batch_size: int,
    trainer: Any,
    ctx: Context,
    num_epochs: int,
) -> None:
    """Train a classifier on a device with cross-entropy loss, and print losses, accuracies, and times.

    Parameters
    ----------
    net : gluon.Block
        The net.
    train_iter, test_iter : iterable of (X, y)
        Training batches and test batches.
    batch_size : int
        Number of examples in a batch.
    trainer : gluon.Trainer
        The trainer.
    ctx : Context
        The device.
    num_epochs : int
        Number of epochs.
    """
    print("training on", ctx)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    score = lambda: evaluate_accuracy(test_iter, net, ctx)  # noqa: E731
    _train(train_iter, net, loss, lambda _: trainer.step(batch_size), [ctx], score, num_epochs, True)


# --- plots -------------------------------------------------------------------------------------


def semilogy(
    x_vals: Any,
    y_vals: Any,
    x_label: str,
    y_label: str,
    x2_vals: Any = None,
    y2_vals: Any = None,
    legend: list[str] | None = None,
    figsize: tuple[float, float] = (3.5, 2.5),
) -> None:
    """Plot one or two curves with a logarithmic y-axis.

    Parameters
    ----------
    x_vals, y_vals : sequence of float
        Coordinates of the first curve.
    x_label, y_label : str
        Labels of the axes.
    x2_vals, y2_vals : sequence of float, optional
        Coordinates of the second curve.
    legend : list of str, optional
        Labels of the curves.
    figsize : (float, float)
        Size of the figure in inches.
    """
    set_figsize(figsize)
    plt = pyplot()
    plt.xlabel(x_label)
    plt.ylabel(y_label)
    plt.semilogy(x_vals, y_vals)
    if x2_vals is not None and y2_vals is not None:
        plt.semilogy(x2_vals, y2_vals, linestyle=":")
        plt.legend(legend)


def show_images(imgs: Any, num_rows: int, num_cols: int, scale: float = 2) -> Any:
    """Show images in a grid, and return the axes as an array of shape (rows, columns).

    Parameters
    ----------
    imgs : sequence of NDArray
        The images.
    num_rows, num_cols : int
        Number of rows and number of columns.
    scale : float
        Size of each image in inches.
    """
    from .d2l.plotting import show_images

    return show_images(imgs, num_rows, num_cols, scale=scale).reshape(num_rows, num_cols)


def show_fashion_mnist(images: Any, labels: list[str]) -> None:
    """Show images of Fashion-MNIST in a row, with their labels.

    Parameters
    ----------
    images : sequence of NDArray
        The images.
    labels : sequence of str
        Titles of the images.
    """
    from .d2l.plotting import show_images

    show_images([image.reshape((28, 28)) for image in images], 1, len(images), titles=labels)


def __getattr__(name: str) -> Any:
    if name == "plt":
        return pyplot()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
