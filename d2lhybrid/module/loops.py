"""The training, evaluation, and prediction loops of all modules."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy

from .. import metric as metrics
from .. import ndarray as nd
from ..callback import BatchEndParam
from ..initializer import Uniform
from ..internals.support.display import Shown
from ..internals.support.number_arguments import number
from ..io import DataBatch, DataIter
from .inputs import as_list, require, require_ready

__all__ = ["Loops"]


class Loops(Shown):
    """The base class of :class:`~d2lhybrid.module.BaseModule` with the training and prediction loops."""

    # Type declarations of the methods that subclasses define.
    binded: bool
    params_initialized: bool
    symbol: Any
    logger: Any
    bind: Any
    init_params: Any
    init_optimizer: Any
    install_monitor: Any
    prepare: Any
    forward: Any
    backward: Any
    update: Any
    update_metric: Any
    get_outputs: Any
    get_params: Any
    set_params: Any

    def forward_backward(self, data_batch: Any) -> None:
        """Run the forward pass in training mode and the backward pass for a batch.

        Parameters
        ----------
        data_batch : DataBatch
            The batch.
        """
        self.forward(data_batch, is_train=True)
        self.backward()

    def score(
        self,
        eval_data: Any,
        eval_metric: Any,
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        score_end_callback: Any = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Any = None,
    ) -> list[tuple[str, Any]]:
        """Compute the values of a metric on data.

        Parameters
        ----------
        eval_data : DataIter
            The data.
        eval_metric : EvalMetric, str, or list of these
            The metric.
        num_batch : int, optional
            Number of batches; all batches by default.
        batch_end_callback, score_end_callback : callable or list of callable, optional
            Callbacks that are called after each batch and at the end, with a :class:`BatchEndParam`.
        reset : bool
            Whether to start from the beginning of the data.
        epoch : int
            Index of the epoch, for callbacks.
        sparse_row_id_fn : callable, optional
            Argument of :meth:`prepare`.

        Returns
        -------
        list of (str, float)
            The names and values of the metric.
        """
        require_ready(self, "score()")
        if reset:
            eval_data.reset()
        if not isinstance(eval_metric, metrics.EvalMetric):
            eval_metric = metrics.create(eval_metric)
        eval_metric.reset()
        actual_num_batch = 0
        for nbatch, eval_batch in enumerate(eval_data):
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            self._update_with(eval_metric, eval_batch)
            _call(batch_end_callback, BatchEndParam(epoch, nbatch, eval_metric, locals()))
            actual_num_batch += 1
        _call(score_end_callback, BatchEndParam(epoch, actual_num_batch, eval_metric, locals()))
        return eval_metric.get_name_value()

    def _update_with(self, eval_metric: Any, batch: Any) -> None:
        if isinstance(batch, list):
            self.update_metric(eval_metric, [b.label for b in batch], pre_sliced=True)
        else:
            self.update_metric(eval_metric, batch.label)

    def iter_predict(
        self, eval_data: Any, num_batch: int | None = None, reset: bool = True, sparse_row_id_fn: Any = None
    ) -> Iterator[tuple[list[Any], int, Any]]:
        """Yield the outputs for each batch of data, without the padding of the last batch.

        Parameters
        ----------
        eval_data : DataIter
            The data.
        num_batch : int, optional
            Number of batches; by default, all batches.
        reset : bool
            Whether to start from the beginning of the data.
        sparse_row_id_fn : callable, optional
            Argument of :meth:`prepare`.

        Yields
        ------
        tuple of (list of NDArray, int, DataBatch)
            The outputs, the index of the batch, and the batch.
        """
        require_ready(self, "iter_predict()")
        if reset:
            eval_data.reset()
        for nbatch, eval_batch in enumerate(eval_data):
            if num_batch is not None and nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            pad = eval_batch.pad or 0
            yield [out[0 : out.shape[0] - pad] for out in self.get_outputs()], nbatch, eval_batch

    def predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Any = None,
    ) -> Any:
        """Compute the outputs for data.

        Parameters
        ----------
        eval_data : DataIter, NDArray or numpy.ndarray
            The data. For an array, only the first output is returned.
        num_batch : int, optional
            Number of batches; by default, all batches.
        merge_batches : bool
            Whether to concatenate the outputs of all batches. If False, the result is a list with the outputs of each
            batch.
        reset : bool
            Whether to start from the beginning of the data.
        always_output_list : bool
            Whether to return a list even if there is only one output.
        sparse_row_id_fn : callable, optional
            Argument of :meth:`prepare`.

        Returns
        -------
        NDArray, list of NDArray, or list of list of NDArray
            A single output, a list of outputs, or, with ``merge_batches=False``, the list of outputs of each batch.

        Raises
        ------
        AssertionError
            If the module is not bound, if its parameters are not initialized, or if the batches to concatenate have
            different numbers of outputs.
        ValueError
            If the type of the data is not supported.
        """
        require_ready(self, "predict()")
        if isinstance(eval_data, nd.NDArray | numpy.ndarray):
            array = nd.array(eval_data) if isinstance(eval_data, numpy.ndarray) else eval_data
            self.forward(DataBatch([array]))
            return self.get_outputs()[0]
        if not isinstance(eval_data, DataIter):
            raise ValueError("eval_data must be of type NDArray or DataIter")
        outputs_of_batches = [
            [out.copy() for out in outputs]
            for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        ]
        if not outputs_of_batches or not merge_batches:
            return outputs_of_batches
        if any(len(outputs) != len(outputs_of_batches[0]) for outputs in outputs_of_batches):
            raise AssertionError(
                "Cannot merge batches, as num of outputs is not the same in mini-batches. Maybe bucketing is used?"
            )
        merged = [nd.concatenate(list(column)) for column in zip(*outputs_of_batches, strict=True)]
        return merged[0] if len(merged) == 1 and not always_output_list else merged

    def fit(
        self,
        train_data: Any,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        eval_end_callback: Any = None,
        eval_batch_end_callback: Any = None,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Any = None,
    ) -> None:
        """Train the module for several epochs, with an optional evaluation after each epoch.

        Parameters
        ----------
        train_data, eval_data : DataIter
            Training data and optional validation data, which is evaluated after each epoch.
        eval_metric, validation_metric : EvalMetric or str
            Metrics for training and validation. By default, the training metric is also used for validation.
        epoch_end_callback : callable or list, optional
            Callbacks that are called after each epoch, with the epoch, the symbol, the arguments, and the auxiliary
            states.
        batch_end_callback, eval_end_callback, eval_batch_end_callback : callable or list, optional
            Callbacks that receive a :class:`BatchEndParam`.
        kvstore, optimizer, optimizer_params
            Arguments of :meth:`init_optimizer`.
        initializer, arg_params, aux_params, allow_missing, force_init
            Arguments of :meth:`init_params`.
        force_rebind : bool
            Whether to bind again if the module is already bound.
        begin_epoch, num_epoch : int
            Index of the first epoch, and exclusive upper bound of the indices. ``num_epoch`` is required.
        monitor : Monitor, optional
            Monitor to install, which logs statistics after each batch.
        sparse_row_id_fn : callable, optional
            Argument of :meth:`prepare`.

        Raises
        ------
        AssertionError
            If ``num_epoch`` is missing.
        """
        require(num_epoch is not None, "please specify number of epochs")
        assert num_epoch is not None
        self.bind(train_data.provide_data, train_data.provide_label, for_training=True, force_rebind=force_rebind)
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(initializer, arg_params, aux_params, allow_missing=allow_missing, force_init=force_init)
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params)
        if validation_metric is None:
            validation_metric = eval_metric
        if not isinstance(eval_metric, metrics.EvalMetric):
            eval_metric = metrics.create(eval_metric)
        for epoch in range(begin_epoch, num_epoch):
            tic = time.time()
            for name, value in self._fit_epoch(locals()):
                self.logger.info("Epoch[%d] Train-%s=%f", epoch, name, number(value))
            self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
            arguments, states = self.get_params()
            self.set_params(arguments, states)
            for callback in as_list(epoch_end_callback or []):
                callback(epoch, self.symbol, arguments, states)
            if eval_data is not None:
                scores = self.score(
                    eval_data, validation_metric, score_end_callback=eval_end_callback,
                    batch_end_callback=eval_batch_end_callback, epoch=epoch,
                )  # fmt: skip
                for name, value in scores:
                    self.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, number(value))
            train_data.reset()

    def _fit_epoch(self, given: dict[str, Any]) -> list[tuple[str, Any]]:
        """Train on all batches. The next batch is prepared before the current batch is released.

        ``given`` contains the local variables of :meth:`fit`. Callbacks receive these and the local variables of this
        method, by MXNet's names.
        """
        eval_metric, monitor = given["eval_metric"], given["monitor"]
        eval_metric.reset()
        data_iter, nbatch, values = iter(given["train_data"]), 0, []
        following = next(data_iter, None)
        while following is not None:
            data_batch = following
            if monitor is not None:
                monitor.tic()
            self.forward_backward(data_batch)
            self.update()
            self._update_with(eval_metric, data_batch)
            following = next(data_iter, None)
            if following is not None:
                self.prepare(following, sparse_row_id_fn=given["sparse_row_id_fn"])
            if monitor is not None:
                monitor.toc_print()
            if following is None:
                values = eval_metric.get_global_name_value()
            own_variables = {
                "data_iter": data_iter, "nbatch": nbatch, "data_batch": data_batch, "end_of_batch": following is None,
                "next_data_batch": data_batch if following is None else following,
            }  # fmt: skip
            _call(
                given["batch_end_callback"], BatchEndParam(given["epoch"], nbatch, eval_metric, given | own_variables)
            )
            nbatch += 1
        return values


def _call(callbacks: Any, parameters: BatchEndParam) -> None:
    for callback in as_list(callbacks or []):
        callback(parameters)
