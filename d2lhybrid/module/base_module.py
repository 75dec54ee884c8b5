"""The interface of modules, which subclasses implement. The training loops are in :mod:`.loops`."""

from __future__ import annotations

import logging
import warnings
from typing import Any

from .. import ndarray as nd
from ..context import cpu
from ..initializer import Uniform
from ..internals.support.lists import as_given_list
from .inputs import check_input_names, check_names_match, describe_inputs, require, require_ready
from .loops import Loops

__all__ = ["BaseModule"]


# User-defined modules import these names from this module.
_check_input_names, _check_names_match, _parse_data_desc = check_input_names, check_names_match, describe_inputs
_as_list = as_given_list


class BaseModule(Loops):
    """The base class of modules. Subclasses define binding, the forward and backward passes, and updates.

    Parameters
    ----------
    logger : logging.Logger
        Logger for the progress of training.

    Attributes
    ----------
    binded, params_initialized, optimizer_initialized : bool
        Whether the module is bound, and whether its parameters and its optimizer are initialized.
    for_training, inputs_need_grad : bool
        Arguments of the last call to ``bind``.
    """

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = self.for_training = self.inputs_need_grad = False
        self.params_initialized = self.optimizer_initialized = False
        self._symbol: Any = None
        self._total_exec_bytes = 0

    # --- files -----------------------------------------------------------------------------------

    def save_params(self, fname: str) -> None:
        """Save the parameters and the auxiliary states to a file.

        Parameters
        ----------
        fname : str
            Path of the file.
        """
        arg_params, aux_params = self.get_params()
        arrays = {f"arg:{k}": v.as_in_context(cpu()) for k, v in arg_params.items()}
        nd.save(fname, {**arrays, **{f"aux:{k}": v.as_in_context(cpu()) for k, v in aux_params.items()}})

    def load_params(self, fname: str) -> None:
        """Load parameters from a file that :meth:`save_params` saved.

        Parameters
        ----------
        fname : str
            Path of the file.

        Raises
        ------
        ValueError
            If the file contains arrays that are not parameters.
        """
        parts: dict[str, dict[str, Any]] = {"arg": {}, "aux": {}}
        loaded = nd.load(fname)
        for key, value in (loaded if isinstance(loaded, dict) else {"": None}).items():
            kind, _, name = key.partition(":")
            if kind not in parts:
                raise ValueError(f"Invalid param file {fname}")
            parts[kind][name] = value
        self.set_params(parts["arg"], parts["aux"])

    # --- methods and properties that subclasses define -------------------------------------------

    @property
    def symbol(self) -> Any:
        """The symbol of the module, or None if the module has no symbol."""
        return self._symbol

    @property
    def data_names(self) -> Any:
        """The names of the inputs. Subclasses override this property."""
        raise NotImplementedError

    @property
    def output_names(self) -> Any:
        """The names of the outputs. Subclasses override this property."""
        raise NotImplementedError

    @property
    def data_shapes(self) -> Any:
        """The names and shapes of the inputs. Subclasses override this property."""
        raise NotImplementedError

    @property
    def label_shapes(self) -> Any:
        """The names and shapes of the labels, or None or an empty list. Subclasses override this property."""
        raise NotImplementedError

    @property
    def output_shapes(self) -> Any:
        """The names and shapes of the outputs. Subclasses override this property."""
        raise NotImplementedError

    def get_params(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the arguments and the auxiliary states, by name. Subclasses override this method.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize all parameters. Subclasses override this method.

        Parameters
        ----------
        initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
            Arguments of :meth:`Module.init_params`.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Set the values of parameters.

        Parameters
        ----------
        arg_params, aux_params, allow_missing, force_init, allow_extra
            Arguments of :meth:`init_params`.
        """
        self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)

    def get_states(self, merge_multi_context: bool = True) -> list[Any]:
        """Return the states that the module carries from batch to batch.

        Subclasses with states override this method. This class has no states.

        Parameters
        ----------
        merge_multi_context : bool
            Whether to concatenate the arrays of all devices instead of returning a list.

        Returns
        -------
        list
            An empty list.

        Raises
        ------
        AssertionError
            If the module is not bound or its parameters are not initialized, or if ``merge_multi_context`` is True.
        """
        require_ready(self, "get_states()")
        require(not merge_multi_context, "merge_multi_context=True is not supported for get_states yet.")
        return []

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states that the module carries from batch to batch.

        Parameters
        ----------
        states : list of list of NDArray, optional
            The states on all devices, in the form of :meth:`get_states`.
        value : float, optional
            Value for all elements. Pass either ``states`` or ``value``.

        Raises
        ------
        AssertionError
            If the module is not bound, if its parameters are not initialized, or if an argument is passed, because this
            class has no states.
        """
        require_ready(self, "set_states()")
        require(not states and not value, f"{type(self).__name__} has no states to set")

    def install_monitor(self, mon: Any) -> None:
        """Install a :class:`~d2lhybrid.monitor.Monitor`, which records computed values.

        Subclasses override this method.

        Parameters
        ----------
        mon : Monitor
            The monitor.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Prepare the module for the next batch. This class prepares nothing.

        Parameters
        ----------
        data_batch : DataBatch
            The batch.
        sparse_row_id_fn : callable, optional
            Function that returns the rows of sparse parameters that the batch needs. This class warns that it doesn't
            call the function.
        """
        if sparse_row_id_fn is not None:
            warnings.warn("sparse_row_id_fn is not invoked for BaseModule.", stacklevel=2)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the forward pass. Subclasses override this method.

        Parameters
        ----------
        data_batch : DataBatch
            The batch.
        is_train : bool, optional
            Whether layers behave as in training; by default, the setting of ``bind``.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass. Subclasses override this method.

        Parameters
        ----------
        out_grads : NDArray or list of NDArray, optional
            Gradients with respect to the outputs. Not required if the outputs are losses.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last ``forward``. Subclasses override this method.

        Parameters
        ----------
        merge_multi_context : bool
            Whether to concatenate the arrays of all devices. If False, each output is a list with one array for each
            device.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the inputs. Subclasses override this method.

        Parameters
        ----------
        merge_multi_context : bool
            Whether to concatenate the arrays of all devices. If False, each gradient is a list with one array for each
            device.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def update(self) -> None:
        """Update the parameters with the optimizer. Subclasses override this method.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last ``forward``. Subclasses override this method.

        Parameters
        ----------
        eval_metric : EvalMetric
            The metric.
        labels : list of NDArray
            The labels.
        pre_sliced : bool
            Whether ``labels`` is a list with the labels of each device.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

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
        """Create the executors and arrays for inputs of fixed shapes. Subclasses override this method.

        Parameters
        ----------
        data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req
            Arguments of :meth:`Module.bind`.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Create the optimizer. Subclasses override this method.

        Parameters
        ----------
        kvstore, optimizer, optimizer_params, force_init
            Arguments of :meth:`Module.init_optimizer`.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError
