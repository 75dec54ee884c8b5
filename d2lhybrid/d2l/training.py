"""The losses, the optimizer steps, and the training loops of the chapters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy

from .. import autograd, gluon
from .. import initializer as init
from .. import numpy as np
from ..internals.support.display import Shown
from ..internals.support.plural import counted
from .devices import try_all_gpus
from .plotting import Animator
from .scoring import Accumulator, accuracy, evaluate_accuracy_gpu, evaluate_accuracy_gpus, evaluate_loss
from .timing import Timer

__all__ = [
    "SGD",
    "clip",
    "get_data_ch11",
    "grad_clipping",
    "sgd",
    "split_batch",
    "squared_loss",
    "train_2d",
    "train_batch_ch13",
    "train_ch6",
    "train_ch11",
    "train_ch13",
    "train_concise_ch11",
]


def squared_loss(y_hat: Any, y: Any) -> Any:
    """Return half the squared errors.

    Parameters
    ----------
    y_hat, y : ndarray
        The predictions and the labels, with equal numbers of elements.

    Returns
    -------
    ndarray
        The loss of each element, in the shape of ``y_hat``.
    """
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


# --- steps -------------------------------------------------------------------------------------


def sgd(params: Iterable[Any], lr: float, batch_size: int) -> None:
    """Run one step of stochastic gradient descent on arrays, in place.

    Parameters
    ----------
    params : list of ndarray
        The arrays to update, with gradients.
    lr : float
        Learning rate.
    batch_size : int
        Divisor of the gradients.
    """
    for param in params:
        param[:] = param - lr * param.grad / batch_size


class SGD(Shown):
    """Stochastic gradient descent on arrays.

    Parameters
    ----------
    params : list of array
        The arrays to train, with gradients.
    lr : float
        Learning rate.
    """

    params: Sequence[Any]
    lr: float

    def __init__(self, params: Sequence[Any], lr: float) -> None:
        self.params, self.lr = params, lr

    def step(self, _: Any = None) -> None:
        """Run one step of stochastic gradient descent.

        Parameters
        ----------
        _ : object
            Ignored. Callers pass a batch size, as they do to ``Trainer.step``.
        """
        sgd(self.params, self.lr, 1)


def clip(params: Sequence[Any], limit: float) -> None:
    """Scale the gradients of arrays so that their total norm is at most ``limit``.

    Parameters
    ----------
    params : sequence of ndarray
        The arrays, with gradients.
    limit : float
        Maximum norm.
    """
    length = math.sqrt(sum(float((param.grad**2).sum()) for param in params))
    if length > limit:
        for param in params:
            param.grad[:] *= limit / length


def grad_clipping(net: Any, theta: float) -> None:
    """Clip the gradients of a net to the total norm ``theta``.

    Parameters
    ----------
    net : gluon.Block, or an object with the arrays ``params``
        The net with the gradients.
    theta : float
        Maximum norm.
    """
    is_block = isinstance(net, gluon.Block)
    clip([p.data() for p in net.collect_params().values()] if is_block else net.params, theta)


# --- one device --------------------------------------------------------------------------------


def _reports(i: int, batches: int) -> bool:
    """Return whether a batch is one of the five or so batches per epoch whose results are plotted."""
    return (i + 1) % max(batches // 5, 1) == 0 or i == batches - 1


def train_ch6(net: Any, train_iter: Any, test_iter: Any, num_epochs: int, lr: float, device: Any) -> None:
    """Reinitialize and train a classifier, plot its loss and accuracies, and print these values and the speed.

    Parameters
    ----------
    net : gluon.Block
        The net, whose parameters are reinitialized.
    train_iter, test_iter : iterable of (X, y)
        Training batches and test batches.
    num_epochs : int
        Number of epochs.
    lr : float
        Learning rate.
    device : Context
        The device.
    """
    net.initialize(force_reinit=True, ctx=device, init=init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    animator = Animator(xlabel="epoch", xlim=[1, num_epochs], legend=["train loss", "train acc", "test acc"])
    timer, batches = Timer(), len(train_iter)
    sums, test_acc = Accumulator(3), 0.0
    for epoch in range(num_epochs):
        sums.reset()
        for i, (features, labels) in enumerate(train_iter):
            timer.start()
            X, y = features.as_in_context(device), labels.as_in_context(device)
            with autograd.record():
                y_hat = net(X)
                losses = loss(y_hat, y)
            losses.backward()
            trainer.step(X.shape[0])
            sums.add(losses.sum(), accuracy(y_hat, y), X.shape[0])
            timer.stop()
            if _reports(i, batches):
                animator.add(epoch + (i + 1) / batches, (sums[0] / sums[2], sums[1] / sums[2], None))
        test_acc = evaluate_accuracy_gpu(net, test_iter)
        animator.add(epoch + 1, (None, None, test_acc))
    print(f"loss {sums[0] / sums[2]:.3f}, train acc {sums[1] / sums[2]:.3f}, test acc {test_acc:.3f}")
    print(f"{sums[2] * num_epochs / timer.sum():.1f} examples/sec on {device}")


# --- several devices ---------------------------------------------------------------------------


def split_batch(X: Any, y: Any, devices: list[Any]) -> tuple[list[Any], list[Any]]:
    """Split a batch and its labels over devices.

    Parameters
    ----------
    X, y : ndarray
        The examples and their labels.
    devices : list of Context
        The devices.

    Returns
    -------
    (list of ndarray, list of ndarray)
        The shards of the examples, and the shards of the labels.

    Raises
    ------
    ValueError
        If the numbers of examples and labels differ.
    """
    if X.shape[0] != y.shape[0]:
        raise ValueError(f"the batch has {counted(X.shape[0], 'example')}, but {counted(y.shape[0], 'label')}")
    return gluon.utils.split_and_load(X, devices), gluon.utils.split_and_load(y, devices)


def train_batch_ch13(
    net: Any,
    features: Any,
    labels: Any,
    loss: Callable[[Any, Any], Any],
    trainer: Any,
    devices: list[Any],
    split_f: Callable[[Any, Any, list[Any]], tuple[Any, Any]] = split_batch,
) -> tuple[float, float]:
    """Run one training step with a batch that is split over devices.

    Parameters
    ----------
    net : gluon.Block
        The net, whose parameters are on all devices.
    features, labels : ndarray
        The examples and their labels.
    loss : callable
        Function that returns a loss for each example from predictions and labels.
    trainer : gluon.Trainer
        The trainer of the net's parameters.
    devices : list of Context
        The devices.
    split_f : callable
        Function that splits a batch over devices; :func:`split_batch` by default.

    Returns
    -------
    pair of float
        The sum of the losses, and the number of correct predictions.
    """
    shards, y_shards = split_f(features, labels, devices)
    with autograd.record():
        scores = [net(X) for X in shards]
        losses = [loss(y_hat, y) for y_hat, y in zip(scores, y_shards, strict=True)]
    for part in losses:
        part.backward()
    # Unused layers, as in fine-tuning, have gradients from an earlier step.
    trainer.step(labels.shape[0], ignore_stale_grad=True)
    hits = sum(accuracy(y_hat, y) for y_hat, y in zip(scores, y_shards, strict=True))
    return sum(float(part.sum()) for part in losses), hits


def train_ch13(
    net: Any,
    train_iter: Any,
    test_iter: Any,
    loss: Callable[[Any, Any], Any],
    trainer: Any,
    num_epochs: int,
    devices: list[Any] | None = None,
    split_f: Callable[[Any, Any, list[Any]], tuple[Any, Any]] = split_batch,
) -> None:
    """Train a net on several devices, plot its loss and accuracies, and print these values and the speed.

    Parameters
    ----------
    net : gluon.Block
        The net, whose parameters are on all devices.
    train_iter, test_iter : iterable of (X, y)
        Training batches and test batches.
    loss : callable
        Function that returns a loss for each example from predictions and labels.
    trainer : gluon.Trainer
        The trainer of the net's parameters.
    num_epochs : int
        Number of epochs.
    devices : list of Context, optional
        The devices; by default, all GPUs, or the CPU if there is no GPU.
    split_f : callable
        Function that splits a batch over devices; :func:`split_batch` by default.
    """
    devices = try_all_gpus() if devices is None else devices
    timer, batches = Timer(), len(train_iter)
    legend = ["train loss", "train acc", "test acc"]
    animator = Animator(xlabel="epoch", xlim=[1, num_epochs], ylim=[0, 1], legend=legend)
    sums, test_acc = Accumulator(4), 0.0
    for epoch in range(num_epochs):
        sums.reset()
        for i, (features, labels) in enumerate(train_iter):
            timer.start()
            value, hits = train_batch_ch13(net, features, labels, loss, trainer, devices, split_f)
            sums.add(value, hits, labels.shape[0], labels.size)
            timer.stop()
            if _reports(i, batches):
                animator.add(epoch + (i + 1) / batches, (sums[0] / sums[2], sums[1] / sums[3], None))
        test_acc = evaluate_accuracy_gpus(net, test_iter, split_f)
        animator.add(epoch + 1, (None, None, test_acc))
    print(f"loss {sums[0] / sums[2]:.3f}, train acc {sums[1] / sums[3]:.3f}, test acc {test_acc:.3f}")
    print(f"{sums[2] * num_epochs / timer.sum():.1f} examples/sec on {devices}")


# --- optimizers --------------------------------------------------------------------------------


def train_2d(
    trainer: Callable[..., Any], steps: int = 20, f_grad: Callable[..., Any] | None = None
) -> list[tuple[Any, Any]]:
    """Run an optimizer of two variables from the point (-5, -2), and return its path.

    Parameters
    ----------
    trainer : callable
        Function ``trainer(x1, x2, s1, s2)`` that returns the next values of the two variables and of two states. If
        ``f_grad`` is not None, it is the fifth argument.
    steps : int
        Number of steps.
    f_grad : callable, optional
        Function that computes the gradient.

    Returns
    -------
    list of (x1, x2)
        The points of the path.

    Examples
    --------
    >>> path = train_2d(lambda x1, x2, s1, s2: (x1 / 2, x2 / 2, 0, 0), steps=1)
    epoch 1, x1: -2.500000, x2: -1.000000
    >>> path
    [(-5, -2), (-2.5, -1.0)]
    """
    x1, x2, s1, s2 = -5, -2, 0, 0
    path: list[tuple[Any, Any]] = [(x1, x2)]
    further = () if f_grad is None else (f_grad,)
    for _ in range(steps):
        x1, x2, s1, s2 = trainer(x1, x2, s1, s2, *further)
        path.append((x1, x2))
    print(f"epoch {steps}, x1: {float(x1):f}, x2: {float(x2):f}")
    return path


def get_data_ch11(batch_size: int = 10, n: int = 1500) -> tuple[Any, int]:
    """Return batches of the first ``n`` rows of the normalized airfoil data, and the number of features.

    Parameters
    ----------
    batch_size : int
        Number of examples in a batch.
    n : int
        Number of rows.

    Returns
    -------
    (DataLoader, int)
        The batches, and the number of features.
    """
    from .datasets import download, load_array

    rows = numpy.genfromtxt(download("airfoil"), dtype=numpy.float32, delimiter="\t")
    data = np.array((rows - rows.mean(axis=0)) / rows.std(axis=0))
    return load_array((data[:n, :-1], data[:n, -1]), batch_size), data.shape[1] - 1


def _descend(
    net: Callable[[Any], Any],
    loss: Callable[[Any, Any], Any],
    step: Callable[[Any, int], None],
    data_iter: Any,
    num_epochs: int,
) -> tuple[list[float], list[float]]:
    """Run a step for each batch, and plot the loss over all data after every 200 examples."""
    animator = Animator(xlabel="epoch", ylabel="loss", xlim=[0, num_epochs], ylim=[0.22, 0.35])
    n, timer = 0, Timer()
    for _ in range(num_epochs):
        for X, y in data_iter:
            with autograd.record():
                losses = loss(net(X), y)
            step(losses, X.shape[0])
            n += X.shape[0]
            if n % 200 == 0:
                timer.stop()
                animator.add(n / X.shape[0] / len(data_iter), (evaluate_loss(net, data_iter, loss),))
                timer.start()
    history = animator.Y[0] if animator.Y else [evaluate_loss(net, data_iter, loss)]
    print(f"loss: {history[-1]:.3f}, {timer.sum() / num_epochs:.3f} sec/epoch")
    return timer.cumsum(), history


def train_ch11(
    trainer_fn: Callable[..., Any],
    states: Any,
    hyperparams: dict[str, Any],
    data_iter: Any,
    feature_dim: int,
    num_epochs: int = 2,
) -> tuple[list[float], list[float]]:
    """Train a linear regression model with an optimizer function.

    Parameters
    ----------
    trainer_fn : callable
        Function that updates the arrays ``[w, b]``. It receives the arrays, the states, and the hyperparameters.
    states : object
        The states of the optimizer.
    hyperparams : dict
        Learning rate and other hyperparameters.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    feature_dim : int
        Number of features of an example.
    num_epochs : int
        Number of epochs.

    Returns
    -------
    pair of list of float
        The cumulative training time in seconds, and the loss, both recorded after every 200 examples.
    """
    from .models import linreg

    w, b = np.random.normal(scale=0.01, size=(feature_dim, 1)), np.zeros(1)
    w.attach_grad()
    b.attach_grad()

    def step(losses: Any, _: int) -> None:
        with autograd.record():
            mean = losses.mean()
        mean.backward()
        trainer_fn([w, b], states, hyperparams)

    return _descend(lambda X: linreg(X, w, b), squared_loss, step, data_iter, num_epochs)


def train_concise_ch11(tr_name: str, hyperparams: dict[str, Any], data_iter: Any, num_epochs: int = 2) -> None:
    """Train a linear regression model with a Gluon optimizer, which is specified by name.

    Parameters
    ----------
    tr_name : str
        Name of the optimizer.
    hyperparams : dict
        Arguments of the optimizer.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    num_epochs : int
        Number of epochs.
    """
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(1))
    net.initialize(init.Normal(sigma=0.01))
    trainer = gluon.Trainer(net.collect_params(), tr_name, hyperparams)

    def step(losses: Any, batch_size: int) -> None:
        losses.backward()
        trainer.step(batch_size)

    _descend(net, gluon.loss.L2Loss(), step, data_iter, num_epochs)
