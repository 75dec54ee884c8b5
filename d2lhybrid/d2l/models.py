"""Models that several chapters of *Dive into Deep Learning* use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import gluon
from .. import initializer as init
from .. import numpy as np
from ..gluon import nn
from .experiments import Classifier, Module
from .training import SGD

if TYPE_CHECKING:
    from ..typing import Tensor

__all__ = [
    "LeNet",
    "LinearRegression",
    "LinearRegressionScratch",
    "Residual",
    "SoftmaxRegression",
    "corr2d",
    "linreg",
    "resnet18",
]


def linreg(X: Any, w: Any, b: Any) -> Any:
    """Return ``Xw + b``.

    Parameters
    ----------
    X : ndarray
        The examples, of shape (batch, features).
    w : ndarray
        The weights, of shape (features, 1).
    b : ndarray
        The bias.

    Returns
    -------
    ndarray
        The predictions, of shape (batch, 1).
    """
    return X.dot(w) + b


def corr2d(X: Any, K: Any) -> Any:
    """Return the cross-correlation of a matrix with a kernel, computed element by element.

    Parameters
    ----------
    X : ndarray
        The matrix.
    K : ndarray
        The kernel.

    Returns
    -------
    ndarray
        The cross-correlation, smaller than ``X`` by the size of the kernel minus 1 along each axis.

    Examples
    --------
    >>> from d2lhybrid import np
    >>> corr2d(np.ones((3, 3)), np.ones((2, 2)))
    array([[4., 4.],
           [4., 4.]])
    """
    height, width = K.shape
    Y = np.zeros((X.shape[0] - height + 1, X.shape[1] - width + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i : i + height, j : j + width] * K).sum()
    return Y


class LinearRegressionScratch(Module):
    """Linear regression that computes with two arrays, ``w`` and ``b``.

    Parameters
    ----------
    num_inputs : int
        Number of features of an example.
    lr : float
        Learning rate.
    sigma : float
        Standard deviation of the initial weights.
    """

    def __init__(self, num_inputs: int, lr: float, sigma: float = 0.01) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.w, self.b = np.random.normal(0, sigma, (num_inputs, 1)), np.zeros(1)
        self.w.attach_grad()
        self.b.attach_grad()

    def forward(self, X: Any) -> Any:  # type: ignore[override]
        """Compute ``Xw + b``.

        Parameters
        ----------
        X : ndarray
            The examples, of shape (batch, features).

        Returns
        -------
        ndarray
            The predictions.
        """
        return linreg(X, self.w, self.b)

    def loss(self, y_hat: Any, y: Any) -> Any:
        """Return the mean of half the squared errors.

        Parameters
        ----------
        y_hat, y : ndarray
            The predictions and the labels.

        Returns
        -------
        ndarray
            The loss, an array with a single element.
        """
        return ((y_hat - y) ** 2 / 2).mean()

    def configure_optimizers(self) -> Any:
        """Return an :class:`SGD` optimizer for the arrays ``w`` and ``b``."""
        return SGD([self.w, self.b], self.lr)


class LinearRegression(Module):
    """Linear regression that computes with a Gluon layer.

    Parameters
    ----------
    lr : float
        Learning rate.
    """

    def __init__(self, lr: float) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.net: Any = nn.Dense(1)
        self.net.initialize(init.Normal(sigma=0.01))

    def loss(self, y_hat: Any, y: Any) -> Any:
        """Return the mean of half the squared errors.

        Parameters
        ----------
        y_hat, y : ndarray
            The predictions and the labels.

        Returns
        -------
        ndarray
            The loss, an array with a single element.
        """
        return gluon.loss.L2Loss()(y_hat, y).mean()

    def configure_optimizers(self) -> Any:
        """Return a Gluon trainer that updates the layer by stochastic gradient descent."""
        return gluon.Trainer(self.collect_params(), "sgd", {"learning_rate": self.lr})

    def get_w_b(self) -> tuple[Any, Any]:
        """Return the weights and the bias.

        Returns
        -------
        tuple of (ndarray, ndarray)
            The weights and the bias.
        """
        return self.net.weight.data(), self.net.bias.data()


class SoftmaxRegression(Classifier):
    """Softmax regression that computes with a Gluon layer.

    Parameters
    ----------
    num_outputs : int
        Number of classes.
    lr : float
        Learning rate.
    """

    def __init__(self, num_outputs: int, lr: float) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.net: Any = nn.Dense(num_outputs)
        self.net.initialize()


class LeNet(Classifier):
    """LeNet-5 with sigmoid activations.

    Parameters
    ----------
    lr : float
        Learning rate.
    num_classes : int
        Number of classes.
    """

    def __init__(self, lr: float = 0.1, num_classes: int = 10) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.net: Any = nn.HybridSequential()
        for channels, padding in ((6, 2), (16, 0)):
            self.net.add(nn.Conv2D(channels, kernel_size=5, padding=padding, activation="sigmoid"))
            self.net.add(nn.AvgPool2D(pool_size=2, strides=2))
        self.net.add(nn.Dense(120, activation="sigmoid"), nn.Dense(84, activation="sigmoid"), nn.Dense(num_classes))
        self.net.initialize(init.Xavier())


class Residual(gluon.HybridBlock):
    """A residual block that can be hybridized: two convolutions, whose output is added to the input.

    Parameters
    ----------
    num_channels : int
        Number of output channels.
    use_1x1conv : bool
        Whether to apply a 1 × 1 convolution to the input, which is necessary if the block changes the number of
        channels or the size of its input.
    strides : int
        Stride of the first convolution.
    """

    def __init__(self, num_channels: int, use_1x1conv: bool = False, strides: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(num_channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(num_channels, kernel_size=3, padding=1)
        self.conv3 = nn.Conv2D(num_channels, kernel_size=1, strides=strides) if use_1x1conv else None
        self.bn1, self.bn2 = nn.BatchNorm(), nn.BatchNorm()
        self.relu1, self.relu2 = nn.Activation("relu"), nn.Activation("relu")

    def hybrid_forward(self, F: Any, X: Any) -> Tensor:
        """Add the input to the output of the convolutions, and apply a ReLU."""
        Y = self.bn2(self.conv2(self.relu1(self.bn1(self.conv1(X)))))
        return self.relu2(Y + (X if self.conv3 is None else self.conv3(X)))


def resnet18(num_classes: int) -> nn.HybridSequential:
    """Return ResNet-18 for small images, with a 3 × 3 convolution and without pooling at the start.

    Parameters
    ----------
    num_classes : int
        Number of classes.

    Returns
    -------
    nn.HybridSequential
        The net, which is not initialized.

    Examples
    --------
    >>> len(resnet18(10))
    9
    """
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation("relu"))
    for channels in (64, 128, 256, 512):
        stage = nn.HybridSequential()
        halves = channels > 64
        stage.add(Residual(channels, use_1x1conv=halves, strides=2 if halves else 1), Residual(channels))
        net.add(stage)
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
