"""Modules without a symbol, whose methods compute in Python."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from .. import ndarray as nd
from ..initializer import Uniform
from .base_module import BaseModule
from .inputs import require

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """A module without parameters. Subclasses define ``forward``, ``backward``, and ``_compute_output_shapes``.

    Parameters
    ----------
    data_names, label_names, output_names : sequence of str
        Names of inputs, labels, and outputs.
    logger : logging.Logger
        Logger for progress messages.
    """

    for_training: bool
    inputs_need_grad: bool

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Sequence[str] | None,
        output_names: Sequence[str],
        logger: Any = logging,
    ) -> None:
        super().__init__(logger=logger)
        self._data_names = list(data_names)
        self._label_names = None if label_names is None else list(label_names)
        self._output_names = output_names
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> Any:
        """The names of the inputs."""
        return self._data_names

    @property
    def output_names(self) -> Any:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """The names and shapes of the inputs."""
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """The names and shapes of the labels."""
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs."""
        return self._output_shapes

    def get_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return two empty dictionaries, because there are no parameters.

        Returns
        -------
        tuple of (dict, dict)
            Two empty dictionaries.
        """
        return {}, {}

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Do nothing, because there are no parameters.

        The parameters are those of :meth:`BaseModule.init_params`.
        """

    def update(self) -> None:
        """Do nothing, because there are no parameters."""

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Do nothing, because there are no parameters.

        The parameters are those of :meth:`BaseModule.init_optimizer`.
        """

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs, if there are labels.

        The parameters are those of :meth:`BaseModule.update_metric`.

        Raises
        ------
        RuntimeError
            If ``pre_sliced`` is True and there are labels.
        """
        if self._label_shapes is None:
            return
        if pre_sliced:
            raise RuntimeError("PythonModule does not support presliced labels")
        eval_metric.update(labels, self.get_outputs())

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Store the shapes of the inputs, and compute the shapes of the outputs.

        The parameters are those of :meth:`Module.bind`.

        Raises
        ------
        AssertionError
            If the names differ from the module's names, or if ``grad_req`` is not ``"write"``.
        """
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        require(grad_req == "write", "Python module only support write gradient")
        require(
            [x[0] for x in data_shapes] == self._data_names,
            f"the names in data_shapes must be {self._data_names}, not {[x[0] for x in data_shapes]}",
        )
        if label_shapes is not None:
            require(
                [x[0] for x in label_shapes] == self._label_names,
                f"the names in label_shapes must be {self._label_names}, not {[x[0] for x in label_shapes]}",
            )
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._data_shapes, self._label_shapes = data_shapes, label_shapes
        self._output_shapes = self._compute_output_shapes()

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the names and shapes of the outputs."""
        raise NotImplementedError


class PythonLossModule(PythonModule):
    """A module for a loss in Python, which returns its input and computes the gradient with a function.

    Parameters
    ----------
    name : str
        Name of the loss.
    data_names, label_names : sequence of str
        Name of the input and name of the label.
    logger : logging.Logger
        Logger for progress messages.
    grad_func : callable, optional
        Function of the scores and labels that returns the gradient of the scores. Without this function, a subclass
        defines ``_backward_impl``.
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Any = logging,
        grad_func: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger=logger)
        require(
            len(data_names) == 1 and len(label_names) == 1,
            f"PythonLossModule requires exactly one data name and one label name, not {data_names} and {label_names}",
        )
        require(grad_func is None or callable(grad_func), f"grad_func must be a function, not {grad_func!r}")
        self._name, self._grad_func = name, grad_func
        self._scores = self._labels = self._scores_grad = None

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(f"{self._name}_output", self._data_shapes[0][1])]

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Store the scores and, in training, the labels.

        The parameters are those of :meth:`BaseModule.forward`.
        """
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the scores.

        Parameters
        ----------
        merge_multi_context : bool
            Must be True, because there is only one device.

        Returns
        -------
        list of NDArray
            The scores, as the only element.
        """
        require(merge_multi_context, "merge_multi_context must be True, because there is only one device")
        return [self._scores]

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradient of the scores.

        Parameters
        ----------
        out_grads : None
            Must be None, because the output is a loss.
        """
        require(out_grads is None, "For a loss module, out_grads should be None")
        require(self.for_training, "to run backward(), call bind() with for_training=True")
        self._backward_impl()

    def _backward_impl(self) -> None:
        if self._grad_func is None:
            raise NotImplementedError(
                f"{type(self).__name__} has no gradient function: pass grad_func to the constructor, or override "
                "_backward_impl"
            )
        gradient = self._grad_func(self._scores, self._labels)
        self._scores_grad = gradient if isinstance(gradient, nd.NDArray) else nd.array(gradient)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradient of the scores.

        Parameters
        ----------
        merge_multi_context : bool
            Must be True, because there is only one device.

        Returns
        -------
        list of NDArray
            The gradient, as the only element.
        """
        require(merge_multi_context, "merge_multi_context must be True, because there is only one device")
        return [self._scores_grad]

    def install_monitor(self, mon: Any) -> None:
        """Raise an error, because there is no executor.

        Parameters
        ----------
        mon : Monitor
            Ignored.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError("PythonLossModule has no executor, so a Monitor cannot be installed")
