"""The base classes of an experiment's parts: a module (the model), a data module (the examples), and a trainer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import autograd, gluon
from .. import numpy as np
from ..internals.support.display import Shown
from ..util import np_shape
from .devices import gpu
from .devices import num_gpus as _gpus_here
from .plotting import _show, pyplot, use_svg_display
from .values import as_values

__all__ = ["Classifier", "DataModule", "HyperParameters", "Module", "ProgressBoard", "Trainer", "add_to_class"]


def add_to_class(owner: type) -> Callable[[Any], None]:
    """Return a decorator that turns a function into a method of an existing class.

    Parameters
    ----------
    owner : type
        The class that gets the method.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> class Dog:
    ...     pass
    >>> @add_to_class(Dog)
    ... def bark(self):
    ...     return "woof"
    >>> Dog().bark()
    'woof'
    """

    def register(method: Any) -> None:
        setattr(owner, method.__name__, method)

    return register


class HyperParameters(Shown):
    """A base class for classes that store the arguments of their constructor as attributes.

    Examples
    --------
    >>> class Net(HyperParameters):
    ...     def __init__(self, size, rate=0.1):
    ...         self.save_hyperparameters(ignore=["rate"])
    >>> Net(3).hparams
    {'size': 3}
    """

    def save_hyperparameters(self, ignore: Sequence[str] = ()) -> None:
        """Store the arguments of the calling function as attributes, and in the dictionary ``hparams``.

        Parameters
        ----------
        ignore : sequence of str
            Names of arguments that are not stored. Names that begin with an underscore are never stored.
        """
        frame = inspect.currentframe()
        assert frame is not None and frame.f_back is not None
        arguments = inspect.getargvalues(frame.f_back).locals
        left_out = {"self", *ignore}
        self.hparams: dict[str, Any] = {
            name: x for name, x in arguments.items() if name not in left_out and not name.startswith("_")
        }
        for name, value in self.hparams.items():
            setattr(self, name, value)


class ProgressBoard(HyperParameters):
    """A plot whose curves grow during training. Each point is the mean of several values.

    Parameters
    ----------
    xlabel, ylabel, xlim, ylim, xscale, yscale, figsize
        Arguments of :func:`plot`.
    ls, colors : list of str
        Line styles and colors, one for each curve.
    fig, axes : optional
        Figure and axes to draw into.
    display : bool
        Whether to draw the plot. If False, the points are only stored.
    """

    xlabel: str | None
    ylabel: str | None
    xlim: Any
    ylim: Any
    xscale: str
    yscale: str
    ls: Sequence[str]
    colors: Sequence[str]
    axes: Any
    figsize: tuple[float, float]
    display: bool

    def __init__(
        self,
        xlabel: str | None = None,
        ylabel: str | None = None,
        xlim: Any = None,
        ylim: Any = None,
        xscale: str = "linear",
        yscale: str = "linear",
        ls: Sequence[str] = ("-", "--", "-.", ":"),
        colors: Sequence[str] = ("C0", "C1", "C2", "C3"),
        fig: Any = None,
        axes: Any = None,
        figsize: tuple[float, float] = (3.5, 2.5),
        display: bool = True,
    ) -> None:
        self.xlabel, self.ylabel, self.xlim, self.ylim = xlabel, ylabel, xlim, ylim
        self.xscale, self.yscale, self.ls, self.colors = xscale, yscale, ls, colors
        self.fig, self.axes, self.figsize, self.display = fig, axes, figsize, display
        self.raw_points: dict[str, list[tuple[float, float]]] = {}
        self.data: dict[str, list[tuple[float, float]]] = {}

    def draw(self, x: Any, y: Any, label: str, every_n: int = 1) -> None:
        """Add a point to the curve of a label. The plot shows the mean of every ``every_n`` points.

        Parameters
        ----------
        x, y : number or ndarray
            Coordinates of the point.
        label : str
            The label of the curve.
        every_n : int
            Number of points whose mean is drawn as a single point.
        """
        waiting = self.raw_points.setdefault(label, [])
        curve = self.data.setdefault(label, [])
        waiting.append((float(x), float(as_values(y))))
        if len(waiting) < every_n:
            return
        curve.append(tuple(sum(values) / len(waiting) for values in zip(*waiting, strict=True)))  # type: ignore[arg-type]
        waiting.clear()
        if self.display:
            self._draw()

    def _draw(self) -> None:
        use_svg_display()
        if self.fig is None:
            self.fig: Any = pyplot().figure(figsize=self.figsize)
        axes = self.axes or self.fig.gca()
        axes.cla()
        for (label, curve), style, color in zip(self.data.items(), self.ls, self.colors, strict=False):
            axes.plot([x for x, _ in curve], [y for _, y in curve], linestyle=style, color=color, label=label)
        axes.set(xlabel=self.xlabel or "x", ylabel=self.ylabel or "", xscale=self.xscale, yscale=self.yscale)
        for limits, limit in ((self.xlim, axes.set_xlim), (self.ylim, axes.set_ylim)):
            if limits is not None and limits[0] != limits[1]:
                limit(limits)
        axes.legend()
        _show(self.fig)


class Module(gluon.Block, HyperParameters):
    """The base class of models: a block with its loss and its optimizer.

    Parameters
    ----------
    plot_train_per_epoch, plot_valid_per_epoch : int
        Number of points per epoch in the training curve and in the validation curve.
    """

    plot_train_per_epoch: int
    plot_valid_per_epoch: int
    trainer: Any
    net: Any
    lr: float

    def __init__(self, plot_train_per_epoch: int = 2, plot_valid_per_epoch: int = 1) -> None:
        super().__init__()
        self.plot_train_per_epoch, self.plot_valid_per_epoch = plot_train_per_epoch, plot_valid_per_epoch
        self.hparams: dict[str, int] = {
            "plot_train_per_epoch": plot_train_per_epoch,
            "plot_valid_per_epoch": plot_valid_per_epoch,
        }
        self.board: ProgressBoard = ProgressBoard()

    def loss(self, y_hat: Any, y: Any) -> Any:
        """Return the loss of a batch. Subclasses override this method.

        Parameters
        ----------
        y_hat : ndarray
            The predictions.
        y : ndarray
            The labels.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError(f"{type(self).__name__} has no loss: define loss(self, y_hat, y)")

    def forward(self, X: Any) -> Any:  # type: ignore[override]
        """Compute the output of ``self.net``.

        Parameters
        ----------
        X : ndarray
            The input.

        Returns
        -------
        ndarray
            The output.

        Raises
        ------
        AttributeError
            If the module has no attribute ``net``.
        """
        if not hasattr(self, "net"):
            raise AttributeError(f"{type(self).__name__} has no net: set self.net, or define forward", name="net")
        return self.net(X)

    def plot(self, key: str, value: Any, train: bool) -> None:
        """Add a point to the training curve or the validation curve.

        Parameters
        ----------
        key : str
            Name of the quantity to plot, such as ``loss``.
        value : ndarray or number
            Value of the point.
        train : bool
            Whether the point belongs to the training curve.
        """
        trainer = self.trainer
        self.board.xlabel = "epoch"
        if train:
            x = trainer.train_batch_idx / trainer.num_train_batches
            every_n = trainer.num_train_batches / self.plot_train_per_epoch
        else:
            x = trainer.epoch + 1
            every_n = trainer.num_val_batches / self.plot_valid_per_epoch
        self.board.draw(x, value, f"{'train' if train else 'val'}_{key}", every_n=int(every_n))

    def training_step(self, batch: Sequence[Any]) -> Any:
        """Compute, plot, and return the loss of a batch. The last element of the batch contains the labels.

        Parameters
        ----------
        batch : sequence of ndarray
            The batch.

        Returns
        -------
        ndarray
            The loss.
        """
        value = self.loss(self(*batch[:-1]), batch[-1])
        self.plot("loss", value, train=True)
        return value

    def validation_step(self, batch: Sequence[Any]) -> None:
        """Plot the loss of a batch.

        Parameters
        ----------
        batch : sequence of ndarray
            The batch.
        """
        self.plot("loss", self.loss(self(*batch[:-1]), batch[-1]), train=False)

    def configure_optimizers(self) -> Any:
        """Return the optimizer: stochastic gradient descent with the learning rate ``self.lr``."""
        parameters = self.parameters()
        if isinstance(parameters, list):
            from .training import SGD

            return SGD(parameters, self.lr)
        return gluon.Trainer(parameters, "sgd", {"learning_rate": self.lr})

    def parameters(self) -> Any:
        """Return the parameters of the layers. If no layer has parameters, return the arrays that are attributes.

        Returns
        -------
        ParameterDict or list of ndarray
            The parameters, or the arrays.
        """
        parameters = self.collect_params()
        return parameters if len(parameters.keys()) else self.get_scratch_params()

    def get_scratch_params(self) -> list[Any]:
        """Return the arrays that are attributes of this module and of its submodules."""
        arrays: list[Any] = []
        for value in (getattr(self, name) for name in dir(self)):
            if isinstance(value, np.ndarray):
                arrays.append(value)
            elif isinstance(value, Module):
                arrays += value.get_scratch_params()
        return arrays

    def set_scratch_params_device(self, device: Any) -> None:
        """Move the arrays of this module and of its submodules to a device, and attach new gradient arrays.

        Parameters
        ----------
        device : Context
            The device.
        """
        for name in dir(self):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                moved = value.as_in_ctx(device)
                moved.attach_grad()
                setattr(self, name, moved)
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, Module):
                    part.set_scratch_params_device(device)


class Classifier(Module):
    """The base class of classifiers. The loss is the cross-entropy, and validation also plots the accuracy."""

    def validation_step(self, batch: Sequence[Any]) -> None:
        """Plot the loss and the accuracy of a batch.

        Parameters
        ----------
        batch : sequence of ndarray
            The batch.
        """
        scores = self(*batch[:-1])
        self.plot("loss", self.loss(scores, batch[-1]), train=False)
        self.plot("acc", self.accuracy(scores, batch[-1]), train=False)

    def accuracy(self, y_hat: Any, y: Any, averaged: bool = True) -> Any:
        """Return the accuracy or, with ``averaged=False``, whether each prediction is correct.

        Parameters
        ----------
        y_hat : ndarray
            The predictions: a score for each class.
        y : ndarray
            The indices of the true classes.
        averaged : bool
            Whether to average over the predictions.

        Returns
        -------
        ndarray
            The accuracy, or 1 for each correct prediction and 0 for each wrong prediction.
        """
        classes = y_hat.reshape(-1, y_hat.shape[-1]).argmax(axis=1)
        right = (classes.astype(y.dtype) == y.reshape(-1)).astype("float32")
        return right.mean() if averaged else right

    def loss(self, y_hat: Any, y: Any, averaged: bool = True) -> Any:
        """Return the mean cross-entropy or, with ``averaged=False``, the cross-entropy of each prediction.

        Parameters
        ----------
        y_hat : ndarray
            The predictions: a score for each class.
        y : ndarray
            The indices of the true classes.
        averaged : bool
            Whether to average over the predictions.

        Returns
        -------
        ndarray
            The cross-entropy.
        """
        losses = gluon.loss.SoftmaxCrossEntropyLoss()(y_hat.reshape(-1, y_hat.shape[-1]), y.reshape(-1))
        return losses.mean() if averaged else losses

    def layer_summary(self, shape: Sequence[int]) -> None:
        """Print the output shape of each layer of ``self.net`` for an input of the shape ``shape``.

        Parameters
        ----------
        shape : tuple of int
            The shape of an input.
        """
        with np_shape():
            X = np.random.normal(size=tuple(shape))
            for layer in self.net:
                X = layer(X)
                print(type(layer).__name__, "output shape:\t", X.shape)


class DataModule(HyperParameters):
    """The base class of data sets, with loaders of the training examples and the validation examples.

    Parameters
    ----------
    root : str
        Folder of the files.
    num_workers : int
        Number of workers that prepare batches in advance.
    """

    root: str
    num_workers: int
    batch_size: int

    def __init__(self, root: str = "../data", num_workers: int = 4) -> None:
        self.root, self.num_workers = root, num_workers
        self.hparams: dict[str, Any] = {"root": root, "num_workers": num_workers}

    def get_dataloader(self, train: bool) -> Iterable[Any]:
        """Return the training batches or the validation batches. Subclasses override this method.

        Parameters
        ----------
        train : bool
            Whether to return the training batches.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError(f"{type(self).__name__} has no data loader: define get_dataloader(self, train)")

    def train_dataloader(self) -> Any:
        """Return the batches for training."""
        return self.get_dataloader(train=True)

    def val_dataloader(self) -> Any:
        """Return the batches for validation."""
        return self.get_dataloader(train=False)

    def get_tensorloader(self, tensors: Sequence[Any], train: bool, indices: slice = slice(0, None)) -> Any:
        """Return a loader of batches, which shuffles the examples for training.

        Parameters
        ----------
        tensors : sequence of ndarray
            The arrays, whose first axes have equal sizes.
        train : bool
            Whether to shuffle for training.
        indices : slice
            The range of examples to use.

        Returns
        -------
        DataLoader
            The batches.
        """
        dataset = gluon.data.ArrayDataset(*(tensor[indices] for tensor in tensors))
        return gluon.data.DataLoader(dataset, self.batch_size, shuffle=train)


class Trainer(HyperParameters):
    """An object that trains a model on a data set for a number of epochs.

    Parameters
    ----------
    max_epochs : int
        Number of epochs.
    num_gpus : int
        Maximum number of GPUs to use; 0 for the CPU.
    gradient_clip_val : float
        Maximum total norm of the gradients; 0 for no limit.
    """

    max_epochs: int
    gradient_clip_val: float
    epoch: int
    train_batch_idx: int
    val_batch_idx: int

    def __init__(self, max_epochs: int, num_gpus: int = 0, gradient_clip_val: float = 0) -> None:
        self.max_epochs, self.gradient_clip_val = max_epochs, gradient_clip_val
        self.gpus: list[Any] = [gpu(i) for i in range(min(num_gpus, _gpus_here()))]

    def prepare_data(self, data: Any) -> None:
        """Create and store the loaders of the training batches and the validation batches.

        Parameters
        ----------
        data : DataModule
            The data set.
        """
        self.train_dataloader: Any = data.train_dataloader()
        self.val_dataloader: Any = data.val_dataloader()
        self.num_train_batches: int = len(self.train_dataloader)
        self.num_val_batches: int = 0 if self.val_dataloader is None else len(self.val_dataloader)

    def prepare_model(self, model: Any) -> None:
        """Store the model, and move it to the first GPU if the trainer uses GPUs.

        Parameters
        ----------
        model : Module
            The model.
        """
        model.trainer = self
        model.board.xlim = [0, self.max_epochs]
        if self.gpus:
            model.collect_params().reset_ctx(self.gpus[0])
            model.set_scratch_params_device(self.gpus[0])
        self.model = model

    def prepare_batch(self, batch: Sequence[Any]) -> Sequence[Any]:
        """Copy a batch to the first GPU, or return the batch unchanged if the trainer uses no GPU.

        Parameters
        ----------
        batch : sequence of ndarray
            The batch.

        Returns
        -------
        sequence of ndarray
            The arrays on the GPU, or the unchanged batch.
        """
        return [array.as_in_context(self.gpus[0]) for array in batch] if self.gpus else batch

    def fit(self, model: Any, data: Any) -> None:
        """Train a model on a data set.

        Parameters
        ----------
        model : Module
            The model.
        data : DataModule
            The data set.
        """
        self.prepare_data(data)
        self.prepare_model(model)
        self.optim: Any = model.configure_optimizers()
        self.epoch = self.train_batch_idx = self.val_batch_idx = 0
        for epoch in range(self.max_epochs):
            self.epoch = epoch
            self.fit_epoch()

    def fit_epoch(self) -> None:
        """Train on each training batch once, and then run a validation step for each validation batch."""
        for batch in self.train_dataloader:
            with autograd.record():
                loss = self.model.training_step(self.prepare_batch(batch))
            loss.backward()
            if self.gradient_clip_val > 0:
                self.clip_gradients(self.gradient_clip_val, self.model)
            self.optim.step(1)
            self.train_batch_idx += 1
        for batch in () if self.val_dataloader is None else self.val_dataloader:
            self.model.validation_step(self.prepare_batch(batch))
            self.val_batch_idx += 1

    def clip_gradients(self, grad_clip_val: float, model: Any) -> None:
        """Scale the gradients of a model so that their total norm is at most ``grad_clip_val``.

        Parameters
        ----------
        grad_clip_val : float
            Maximum norm.
        model : Module
            The model.
        """
        from .training import clip

        parameters = model.parameters()
        clip(parameters if isinstance(parameters, list) else [p.data() for p in parameters.values()], grad_clip_val)
