"""``mx.model.FeedForward``: MXNet's oldest training interface, which uses a module internally."""

from __future__ import annotations

import logging
import time
import warnings
from typing import Any

import numpy

from .. import io
from .. import metric as metrics
from .. import ndarray as nd
from .. import symbol as sym
from ..callback import BatchEndParam, LogValidationMetricsCallback
from ..context import Context, cpu
from ..initializer import Uniform
from ..internals.support.display import Shown
from ..module import BucketingModule, Module
from ..module.inputs import as_list
from .checkpoint import load_checkpoint, save_checkpoint

__all__ = ["FeedForward"]

_LOG_VALIDATION = LogValidationMetricsCallback()


class FeedForward(Shown):
    """MXNet's oldest model class, which trains a symbol on arrays or iterators.

    In new programs, use :class:`~d2lhybrid.module.Module` instead.

    Parameters
    ----------
    symbol : Symbol or callable
        The graph, or a function that returns a graph for the key of a bucket.
    ctx : Context or list of Context, optional
        Device, or list of devices, to train on.
    num_epoch, epoch_size : int, optional
        Number of epochs, and number of batches per epoch; all batches by default.
    optimizer : str or Optimizer
        The optimizer, or its name.
    initializer : Initializer
        Initializer of the parameters.
    numpy_batch_size : int
        Batch size for arrays.
    arg_params, aux_params : dict, optional
        Values of arguments and of auxiliary states.
    allow_extra_params : bool
        Whether ``arg_params`` and ``aux_params`` may contain names that the graph lacks.
    begin_epoch : int
        Index of the first epoch.
    **kwargs
        Arguments of the optimizer.

    Raises
    ------
    AssertionError
        If ``symbol`` is neither a Symbol nor a function that returns a Symbol.
    """

    num_epoch: int | None
    epoch_size: int | None
    begin_epoch: int
    optimizer: Any
    initializer: Any
    kwargs: dict[str, Any]
    numpy_batch_size: int
    allow_extra_params: bool

    def __init__(
        self,
        symbol: Any,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        numpy_batch_size: int = 128,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        warnings.warn(
            "\033[91mmxnet.model.FeedForward has been deprecated. Please use mxnet.mod.Module instead.\033[0m",
            DeprecationWarning,
            stacklevel=2,
        )
        self.symbol: Any = symbol if isinstance(symbol, sym.Symbol) else None
        self.sym_gen = None if self.symbol is not None else symbol
        if self.symbol is None and not callable(symbol):
            raise AssertionError(f"symbol must be a Symbol or a function that returns a Symbol, not {symbol!r}")
        self.ctx: list[Context] | list[Any] = (
            [cpu()] if ctx is None else [ctx] if isinstance(ctx, Context) else list(ctx)
        )
        self.num_epoch, self.epoch_size, self.begin_epoch = num_epoch, epoch_size, begin_epoch
        self.optimizer, self.initializer, self.kwargs = optimizer, initializer, dict(kwargs)
        self.numpy_batch_size, self.allow_extra_params = numpy_batch_size, allow_extra_params
        self.arg_params: Any = arg_params
        self.aux_params: Any = aux_params
        if self.symbol is not None and allow_extra_params:
            self._drop_extra()

    def _drop_extra(self) -> None:
        arguments, states = self.symbol.list_arguments(), self.symbol.list_auxiliary_states()
        self.arg_params = {k: v for k, v in (self.arg_params or {}).items() if k in arguments} or None
        self.aux_params = {k: v for k, v in (self.aux_params or {}).items() if k in states} or None

    # --- data --------------------------------------------------------------------------------------

    def _iterator(self, data: Any, label: Any, is_train: bool) -> Any:
        if isinstance(data, io.DataIter):
            return data
        if not isinstance(data, numpy.ndarray | nd.NDArray):
            raise TypeError("X must be DataIter, NDArray or numpy.ndarray")
        if label is None:
            if is_train:
                raise ValueError("y must be specified when X is numpy.ndarray")
            label = numpy.zeros(data.shape[0])
        if not isinstance(label, numpy.ndarray | nd.NDArray):
            raise TypeError("y must be ndarray when X is numpy.ndarray")
        if data.shape[0] != label.shape[0]:
            raise ValueError("The numbers of data points and labels not equal")
        if label.ndim == 2 and label.shape[1] == 1:
            label = label.reshape((-1,))
        if label.ndim != 1:
            raise ValueError("Label must be 1D or 2D (with 2nd dimension being 1)")
        size = min(data.shape[0], self.numpy_batch_size)
        if is_train:
            return io.NDArrayIter(data, label, size, shuffle=True, last_batch_handle="roll_over")
        return io.NDArrayIter(data, label, size, shuffle=False)

    def _eval_iterator(self, eval_data: Any) -> Any:
        if eval_data is None or isinstance(eval_data, io.DataIter):
            return eval_data
        if not isinstance(eval_data, tuple | list) or len(eval_data) != 2:
            raise TypeError(
                "Eval data must be DataIter, or NDArray/numpy.ndarray/list pair (i.e. tuple/list of length 2)"
            )
        data, label = (numpy.array(part) if isinstance(part, list) else part for part in eval_data)
        if data is None:
            raise ValueError("Eval data is NONE")
        return self._iterator(data, label, is_train=True)

    # --- training ----------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Any = None,
        monitor: Any = None,
        eval_end_callback: Any = _LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
    ) -> None:
        """Train the model on arrays, or on batches from an iterator.

        Parameters
        ----------
        X, y : DataIter, NDArray or numpy.ndarray
            The data, and the labels if the data is an array.
        eval_data : DataIter or pair of arrays, optional
            Validation data.
        eval_metric, epoch_end_callback, batch_end_callback, kvstore, monitor, eval_end_callback, eval_batch_end_callback
            Arguments of :meth:`~d2lhybrid.module.BaseModule.fit`.
        logger, work_load_list
            Arguments of :class:`~d2lhybrid.module.Module`.
        """  # noqa: E501
        data, evaluation = self._iterator(X, y, is_train=True), self._eval_iterator(eval_data)
        names = [x[0] for x in data.provide_data], [x[0] for x in data.provide_label]
        settings = {"context": self.ctx, "logger": logger or logging, "work_load_list": work_load_list}
        if self.sym_gen is None:
            module: Any = Module(self.symbol, *names, **settings)
        else:
            make = self.sym_gen
            module = BucketingModule(lambda key: (make(key), *names), data.default_bucket_key, **settings)
        module.logger.info("Start training with %s", self.ctx)
        module.bind(data.provide_data, data.provide_label, for_training=True)
        if monitor is not None:
            module.install_monitor(monitor)
        module.init_params(self.initializer, self.arg_params, self.aux_params, allow_missing=True)
        module.init_optimizer(kvstore, self.optimizer, self.kwargs)
        metric = eval_metric if isinstance(eval_metric, metrics.EvalMetric) else metrics.create(eval_metric)
        data.reset()
        assert self.num_epoch is not None
        for epoch in range(self.begin_epoch, self.num_epoch):
            tic = time.time()
            self._train_epoch(module, epoch, data, metric, batch_end_callback, monitor)
            module.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
            self.arg_params, self.aux_params = module.get_params()
            for callback in as_list(epoch_end_callback or []):
                callback(epoch, module.symbol, self.arg_params, self.aux_params)
            if evaluation is not None:
                self._evaluate(module, epoch, evaluation, metric, eval_batch_end_callback, eval_end_callback)
        self.symbol = module.symbol
        self.arg_params, self.aux_params = module.get_params()

    def _train_epoch(self, module: Any, epoch: int, data: Any, metric: Any, callbacks: Any, monitor: Any) -> None:
        """Train on ``epoch_size`` batches, in several passes over the data if necessary; by default, on all batches."""
        metric.reset()
        nbatch, done = 0, False
        while not done:
            for batch in data:
                if monitor is not None:
                    monitor.tic()
                module.forward_backward(batch)
                module.update()
                if monitor is not None:
                    monitor.toc_print()
                module.update_metric(metric, batch.label)
                nbatch += 1
                for callback in as_list(callbacks or []):
                    callback(BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=locals()))
                done = self.epoch_size is not None and nbatch >= self.epoch_size
                if done:
                    return
            module.logger.info("Epoch[%d] Resetting Data Iterator", epoch)
            data.reset()
            done = self.epoch_size is None

    def _evaluate(
        self, module: Any, epoch: int, data: Any, metric: Any, batch_end_callback: Any, end_callback: Any
    ) -> None:
        """Evaluate the training metric on all batches."""
        metric.reset()
        data.reset()
        nbatch = 0
        for nbatch, batch in enumerate(data, 1):
            module.forward(batch, is_train=False)
            module.update_metric(metric, batch.label)
            for callback in as_list(batch_end_callback or []):
                callback(BatchEndParam(epoch=epoch, nbatch=nbatch - 1, eval_metric=metric, locals=locals()))
        for callback in as_list(end_callback or []):
            callback(BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=locals()))
        data.reset()

    # --- predicting --------------------------------------------------------------------------------

    def _predictor(self, data: Any) -> Module:
        if self.arg_params is None:
            raise AssertionError("the model has no parameters: call fit() first, or use the model that load() returns")
        module = Module(self.symbol, [x[0] for x in data.provide_data], None, context=self.ctx[0])
        module.bind(data.provide_data, for_training=False)
        named = {k: v for k, v in self.arg_params.items() if k in module._param_names}
        module.set_params(named, self.aux_params or {}, allow_missing=True)
        return module

    def predict(self, X: Any, num_batch: int | None = None, return_data: bool = False, reset: bool = True) -> Any:
        """Compute the outputs for data as NumPy arrays. With ``return_data``, also return the data and the labels.

        Parameters
        ----------
        X : NDArray, numpy.ndarray or DataIter
            The data.
        num_batch : int, optional
            Number of batches; by default, all batches.
        return_data : bool
            Whether to also return the data and the labels.
        reset : bool
            Whether to start from the beginning of the data.

        Returns
        -------
        numpy.ndarray, list of numpy.ndarray, or tuple
            The outputs, or a tuple of the outputs, the data, and the labels.
        """
        data = self._iterator(X, None, is_train=False)
        module = self._predictor(data)
        columns: list[list[list[Any]]] = [[], [], []]
        for outputs, _, batch in module.iter_predict(data, num_batch, reset):
            size = data.batch_size - (batch.pad or 0)
            for column, arrays in zip(columns, (outputs, batch.data, batch.label or []), strict=True):
                column.append([array[0:size].asnumpy() for array in arrays])
        joined = [[numpy.concatenate(parts) for parts in zip(*column, strict=True)] for column in columns]
        joined_outputs = tuple(arrays[0] if len(arrays) == 1 else arrays for arrays in joined)
        return joined_outputs if return_data else joined_outputs[0]

    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: int | None = None,
        batch_end_callback: Any = None,
        reset: bool = True,
    ) -> Any:
        """Compute the value of a metric on data.

        Parameters
        ----------
        X : NDArray, numpy.ndarray or DataIter
            The data, with labels.
        eval_metric : EvalMetric, str or callable
            The metric.
        num_batch : int, optional
            Number of batches; by default, all batches.
        batch_end_callback : callable or list of callable, optional
            Callback that is called after each batch, with a :class:`BatchEndParam`.
        reset : bool
            Whether to start from the beginning of the data.

        Returns
        -------
        float
            The value of the metric.
        """
        if not isinstance(eval_metric, metrics.EvalMetric):
            eval_metric = metrics.create(eval_metric)
        data = self._iterator(X, None, is_train=False)
        module = self._predictor(data)
        callbacks = batch_end_callback if isinstance(batch_end_callback, list) else [batch_end_callback]
        eval_metric.reset()
        if reset:
            data.reset()
        for nbatch, batch in enumerate(data):
            if num_batch is not None and nbatch == num_batch:
                break
            module.forward(batch, is_train=False)
            eval_metric.update(batch.label, module.get_outputs())
            for callback in callbacks:
                if callback is not None:
                    callback(BatchEndParam(0, nbatch, eval_metric, locals()))
        return eval_metric.get()[1]

    # --- files -------------------------------------------------------------------------------------

    def save(self, prefix: str, epoch: int | None = None, remove_amp_cast: bool = True) -> None:
        """Save a checkpoint. The default epoch number is ``num_epoch``.

        Parameters
        ----------
        prefix : str
            Prefix of the file paths.
        epoch : int, optional
            Epoch number in the name of the parameter file.
        remove_amp_cast : bool
            Ignored; accepted because MXNet's method has this parameter.

        Raises
        ------
        AssertionError
            If both ``epoch`` and ``num_epoch`` are None.
        """
        epoch = self.num_epoch if epoch is None else epoch
        if epoch is None:
            raise AssertionError("save() requires an epoch number: pass epoch, or set num_epoch")
        save_checkpoint(prefix, epoch, self.symbol, self.arg_params, self.aux_params, remove_amp_cast=remove_amp_cast)

    @staticmethod
    def load(prefix: str, epoch: int, ctx: Any = None, **kwargs: Any) -> FeedForward:
        """Return a model from the files of a checkpoint.

        Parameters
        ----------
        prefix, epoch : str, int
            Arguments of :meth:`save`.
        ctx : Context, optional
            Device to train on.
        **kwargs : object
            Arguments of :class:`FeedForward`.

        Returns
        -------
        FeedForward
            The model.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        return FeedForward(symbol, ctx=ctx, arg_params=arg_params, aux_params=aux_params, begin_epoch=epoch, **kwargs)

    @staticmethod
    def create(
        symbol: Any,
        X: Any,
        y: Any = None,
        ctx: Any = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Any = None,
        eval_end_callback: Any = _LOG_VALIDATION,
        eval_batch_end_callback: Any = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Create a model and train it. The parameters are those of :class:`FeedForward` and :meth:`fit`."""
        model = FeedForward(symbol, ctx, num_epoch, epoch_size, optimizer, initializer, **kwargs)
        model.fit(
            X, y, eval_data=eval_data, eval_metric=eval_metric, epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback, kvstore=kvstore, logger=logger, work_load_list=work_load_list,
            eval_end_callback=eval_end_callback, eval_batch_end_callback=eval_batch_end_callback,
        )  # fmt: skip
        return model
