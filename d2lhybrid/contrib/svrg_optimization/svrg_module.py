"""A module that trains with stochastic variance reduced gradients (SVRG)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ... import ndarray as nd
from ...context import Context, cpu
from ...module import Module
from ...module.inputs import require
from ...optimizer import Optimizer
from .svrg_optimizer import _SVRGOptimizer

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """A module that keeps a copy of earlier parameters, and the mean gradients at these parameters.

    From the current gradient of a batch, the module subtracts the batch's gradient at the earlier parameters, and adds
    the mean gradient. The result has the same expectation and less variance (SVRG: stochastic variance reduced
    gradient).

    Parameters
    ----------
    symbol, data_names, label_names, logger, context, work_load_list, fixed_param_names, state_names, group2ctxs,
    compression_params
        Arguments of :class:`~d2lhybrid.module.Module`.
    update_freq : int
        Number of epochs between two updates of the copy.

    Raises
    ------
    TypeError, ValueError
        If ``update_freq`` is not a positive integer.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> from d2lhybrid import nd
    >>> x = nd.random.normal(shape=(64, 2))
    >>> line = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="line")
    >>> line = mx.sym.LinearRegressionOutput(line, name="out")
    >>> module = SVRGModule(line, label_names=["out_label"], update_freq=2)
    >>> data = mx.io.NDArrayIter(x, nd.dot(x, nd.array([1, -2])), 16, label_name="out_label")
    >>> module.fit(data, eval_metric="mse", optimizer_params={"learning_rate": 0.1}, num_epoch=20)
    >>> module.get_params()[0]["line_weight"].round()
    <BLANKLINE>
    [[ 1. -2.]]
    <NDArray 1x2 @cpu(0)>
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] = cpu(),  # noqa: B008
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
        update_freq: int | None = None,
    ) -> None:
        given = (
            symbol, data_names, label_names, logger, context, work_load_list, fixed_param_names, state_names,
            group2ctxs, compression_params,
        )  # fmt: skip
        super().__init__(*given)
        told = "update_freq in SVRGModule must be {} to represent the frequency for calculating full gradients"
        if not isinstance(update_freq, int):
            raise TypeError(told.format("an integer"))
        if update_freq <= 0:
            raise ValueError(told.format("a positive integer"))
        self.update_freq = update_freq
        self._mod_aux = Module(*given)
        self._ctx_len = len(self._context)
        #: The mean gradients of the kept parameters, for each device.
        self._param_dict: list[dict[str, Any]] = []

    # --- methods that also call the module with the kept parameters ------------------------------------

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
        """Create the executors and, for training, also the executors that use the earlier parameters.

        The parameters are those of :meth:`d2lhybrid.module.Module.bind`.
        """
        given = data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req
        super().bind(*given)
        if for_training:
            self._mod_aux.bind(*given)

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Change the input shapes of all executors, including those that use the earlier parameters.

        The parameters are those of :meth:`d2lhybrid.module.Module.reshape`.
        """
        super().reshape(data_shapes, label_shapes)
        self._mod_aux.reshape(data_shapes, label_shapes)

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Prepare all executors for a batch, including those that use the earlier parameters.

        The parameters are those of :meth:`d2lhybrid.module.Module.prepare`.
        """
        super().prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self._mod_aux.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the forward pass for a batch. In training mode, also run the forward pass with the earlier parameters.

        The parameters are those of :meth:`d2lhybrid.module.Module.forward`.
        """
        super().forward(data_batch, is_train)
        training = self.for_training if is_train is None else is_train
        if training and self._mod_aux.params_initialized:
            self._mod_aux.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass with the current and with the earlier parameters.

        The parameters are those of :meth:`d2lhybrid.module.Module.backward`.
        """
        super().backward(out_grads)
        if self._mod_aux.params_initialized:
            self._mod_aux.backward(out_grads)

    # --- the gradients ---------------------------------------------------------------------------------

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Create the optimizer, and the arrays for the mean gradients.

        The parameters are those of :meth:`d2lhybrid.module.Module.init_optimizer`.
        """
        parameters = self.get_params()[0]
        self._param_dict = [
            {name: nd.zeros(value.shape, ctx, value.dtype) for name, value in parameters.items()}
            for ctx in self._context
        ]
        super().init_optimizer(kvstore, self._svrg_optimizer(optimizer, optimizer_params), force_init=force_init)

    def _svrg_optimizer(self, optimizer: Any, optimizer_params: Any) -> Optimizer:
        names = self._exec_group.param_names
        numbered = {i * self._ctx_len + k: name for i, name in enumerate(names) for k in range(self._ctx_len)}
        numbered |= {len(numbered) + i: f"{name}_full" for i, name in enumerate(names)}
        settings = {"rescale_grad": 1.0 / self._exec_group.batch_size, **dict(optimizer_params)}
        return _SVRGOptimizer(optimizer, param_idx2name=numbered, **settings)

    def update_full_grads(self, train_data: Any) -> None:
        """Copy the current parameters, and compute the mean gradient over all data at these parameters.

        Parameters
        ----------
        train_data : DataIter
            The data. The method resets the iterator, and reads all its batches.
        """
        require(bool(self._param_dict), "call init_optimizer() before update_full_grads()")
        self._mod_aux.set_params(*self.get_params())
        group = self._mod_aux._exec_group
        sums = [{name: nd.zeros_like(value) for name, value in of_device.items()} for of_device in self._param_dict]
        train_data.reset()
        count, pad = 0, 0
        for batch in train_data:
            self._mod_aux.forward(batch, is_train=True)
            self._mod_aux.backward()
            count, pad = count + 1, batch.pad or 0
            for name, gradients in zip(group.param_names, group.grad_arrays, strict=True):
                for of_device, gradient in zip(sums, gradients, strict=True):
                    if gradient is not None:
                        of_device[name] += gradient
        batches = count - pad / train_data.batch_size
        for name in group.param_names:
            mean = sum((found[name].as_in_context(self._context[0]) for found in sums), nd.zeros_like(sums[0][name]))
            mean = mean / (batches * self._ctx_len)
            for of_device, ctx in zip(self._param_dict, self._context, strict=True):
                of_device[name] = mean.as_in_context(ctx)

    def update(self) -> None:
        """Update the parameters with variance-reduced gradients."""
        self._update_svrg_gradients()
        super().update()

    def _update_svrg_gradients(self) -> None:
        if not self._mod_aux.params_initialized:  # no parameters are kept yet
            return
        ours, kept = self._exec_group, self._mod_aux._exec_group
        for name, gradients, olds in zip(ours.param_names, ours.grad_arrays, kept.grad_arrays, strict=True):
            for of_device, gradient, old in zip(self._param_dict, gradients, olds, strict=True):
                if gradient is not None:
                    self._svrg_grads_update_rule([gradient], [old], [of_device[name]])

    def _svrg_grads_update_rule(
        self, g_curr_batch_curr_weight: Any, g_curr_batch_special_weight: Any, g_special_weight_all_batch: Any
    ) -> Any:
        """Correct a batch's gradients with the gradients of the kept parameters for the batch and for all data."""
        kept = zip(g_curr_batch_special_weight, g_special_weight_all_batch, strict=True)
        for gradient, (old, mean) in zip(g_curr_batch_curr_weight, kept, strict=True):
            gradient -= old
            gradient += mean
        return g_curr_batch_curr_weight

    def _fit_epoch(self, given: dict[str, Any]) -> list[tuple[str, Any]]:
        if given["epoch"] % self.update_freq == 0:
            self.update_full_grads(given["train_data"])
            given["train_data"].reset()
        return super()._fit_epoch(given)
