"""The estimator, an object that runs the training loop of a net."""

from __future__ import annotations

import copy
import logging
import sys
import warnings
from typing import Any

from d2lhybrid.context import Context, cpu, gpu, num_gpus
from d2lhybrid.internals.support.display import Shown
from d2lhybrid.internals.support.number_arguments import whole_number
from d2lhybrid.metric import Loss as LossMetric

from ...data import DataLoader
from ...loss import Loss
from ...trainer import Trainer
from .batch_processor import BatchProcessor
from .event_handler import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)
from .events import as_handlers
from .utils import as_metrics, check_handler_metrics, suggest_metric

__all__ = ["Estimator"]

_EVENTS = (TrainBegin, EpochBegin, BatchBegin, BatchEnd, EpochEnd, TrainEnd)
_NO_LOADER = (
    "Estimator only support input as Gluon DataLoader. Alternatively, you can transform your DataIter or any NDArray "
    "into Gluon DataLoader. Refer to gluon.data.DataLoader"
)


class Estimator(Shown):
    """An object that trains and validates a net.

    Parameters
    ----------
    net : Block
        The net. The estimator initializes parameters that are not initialized yet.
    loss : Loss
        The loss to minimize.
    train_metrics, val_metrics : EvalMetric or list of EvalMetric, optional
        The metrics. The default training metrics are a metric that suits the loss, and the loss itself. The default
        validation metrics are copies of the training metrics.
    initializer : Initializer, optional
        Initializer of the parameters.
    trainer : Trainer, optional
        The trainer; SGD with a learning rate of 0.001 by default.
    context : Context or list of Context, optional
        The devices; the first GPU by default, or the CPU if there is no GPU.
    val_net, val_loss : Block, Loss, optional
        Net and loss for validation, if they differ from those for training.
    batch_processor : BatchProcessor, optional
        The object that processes batches; a new :class:`BatchProcessor` by default.

    Raises
    ------
    ValueError
        If the loss, trainer, metric, or device is invalid.
    AssertionError
        If one of the devices is a GPU that does not exist.
    """

    net: Any
    loss: Any
    context: list[Context]

    logger: Any = None

    def __init__(
        self,
        net: Any,
        loss: Any,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Any = None,
        context: Any = None,
        val_net: Any = None,
        val_loss: Any = None,
        batch_processor: Any = None,
    ) -> None:
        self.net, self.loss = net, _check_loss(loss)
        self._train_metrics, self._val_metrics = as_metrics(train_metrics), as_metrics(val_metrics)
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.val_loss: Any = self.loss if val_loss is None else _check_loss(val_loss)
        self.val_net: Any = net if val_net is None else val_net
        self.logger = logging.Logger(name="Estimator", level=logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = _check_context(context)
        self._initialize(initializer)
        self.trainer: Any = self._check_trainer(trainer)
        self.batch_processor: Any = _check_processor(batch_processor)
        self.max_epoch: int | None = None
        self.max_batch: int | None = None
        self.batch_axis: int = 0

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            self.net.initialize(ctx=self.context, **({"init": initializer} if initializer else {}))
        elif initializer:
            warnings.warn(
                "Network already fully initialized, skipping initialization. You don't need to pass initializer if you "
                "already initialized your net. You can use net.initialize(init=your_initializer, force_reinit=True)to "
                "force re-initialize.",
                stacklevel=3,
            )

    def _is_initialized(self) -> bool:
        for parameter in self.net.collect_params().values():
            try:
                parameter.list_ctx()
            except RuntimeError:
                return False
        return True

    def _check_trainer(self, trainer: Any) -> Any:
        if not trainer:
            warnings.warn("No trainer specified, default SGD optimizer with learning rate 0.001 is used.", stacklevel=3)
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if not isinstance(trainer, Trainer):
            raise ValueError(f"Trainer must be a Gluon Trainer instance, refer to gluon.Trainer:{trainer}")
        return trainer

    def _add_default_training_metrics(self) -> None:
        if not self._train_metrics:
            suggested = suggest_metric(self.loss)
            self._train_metrics = [suggested] if suggested else []
            self._train_metrics.append(LossMetric(self.loss.name.rstrip("1234567890")))
        for metric in self._train_metrics:
            metric.name = f"training {metric.name}"

    def _add_validation_metrics(self) -> None:
        if not self._val_metrics:
            self._val_metrics = [copy.deepcopy(metric) for metric in self._train_metrics]
        for metric in self._val_metrics:
            if "training" in metric.name:
                metric.name = metric.name.replace("training", "validation")
            else:
                metric.name = f"validation {metric.name}"

    @property
    def train_metrics(self) -> list[Any]:
        """The metrics of training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[Any]:
        """The metrics of validation."""
        return self._val_metrics

    # --- the loops ---------------------------------------------------------------------------------

    def evaluate(self, val_data: Any, batch_axis: int = 0, event_handlers: Any = None) -> None:
        """Validate the net, and store the results in ``val_metrics``.

        Parameters
        ----------
        val_data : DataLoader
            The validation data.
        batch_axis : int
            The axis along which batches are split.
        event_handlers : EventHandler or list of EventHandler, optional
            Handlers of validation events.

        Raises
        ------
        ValueError
            If ``val_data`` is not a DataLoader.
        """
        if not isinstance(val_data, DataLoader):
            raise ValueError(_NO_LOADER)
        for metric in self.val_metrics:
            metric.reset()
        handlers = as_handlers(event_handlers)
        usual: list[Any] = []
        if not any(isinstance(handler, MetricHandler) for handler in handlers):
            usual.append(MetricHandler(metrics=self.val_metrics))
        if not any(isinstance(handler, LoggingHandler) for handler in handlers):
            usual.append(LoggingHandler(metrics=self.val_metrics))
        at = dict(zip(_EVENTS, self._categorize_handlers(_sorted(handlers, usual, set(self.val_metrics))), strict=True))
        for handler in at[EpochBegin]:
            handler.epoch_begin(self)
        for batch in val_data:
            for handler in at[BatchBegin]:
                handler.batch_begin(self, batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            for handler in at[BatchEnd]:
                handler.batch_end(self, batch=batch, pred=pred, label=label, loss=loss)
        for handler in at[EpochEnd]:
            handler.epoch_end(self)

    def fit(
        self,
        train_data: Any,
        val_data: Any = None,
        epochs: int | None = None,
        event_handlers: Any = None,
        batches: int | None = None,
        batch_axis: int = 0,
    ) -> None:
        """Train the net for a number of epochs or batches.

        Parameters
        ----------
        train_data, val_data : DataLoader
            The training data, and optionally the validation data.
        epochs, batches : int
            Number of epochs or of batches. Specify exactly one of these arguments.
        event_handlers : EventHandler or list of EventHandler, optional
            Handlers to call in addition to the default handlers.
        batch_axis : int
            The axis along which batches are split.

        Raises
        ------
        ValueError
            If the data is not a DataLoader, if not exactly one of ``epochs`` and ``batches`` is specified, or if a
            handler uses unknown metrics.
        """
        if not isinstance(train_data, DataLoader):
            raise ValueError(_NO_LOADER)
        if (not epochs) == (not batches):
            raise ValueError(
                "Fit only support exactly one type of iteration, train by number of epochs or number of batches.Please "
                "specify one and only one of: epochs or batches."
            )
        for name, count in (("epochs", epochs), ("batches", batches)):
            if count is not None:  # a negative count would never be reached
                whole_number(name, count, least=0)
        self.max_epoch, self.max_batch, self.batch_axis = epochs, batches, batch_axis
        handlers = self._prepare_default_handlers(val_data, event_handlers)
        at = dict(zip(_EVENTS, self._categorize_handlers(handlers), strict=True))
        for handler in at[TrainBegin]:
            handler.train_begin(self)
        over = False
        while not over:
            for handler in at[EpochBegin]:
                handler.epoch_begin(self)
            for batch in train_data:
                for handler in at[BatchBegin]:
                    handler.batch_begin(self, batch=batch)
                _, label, pred, loss = self.batch_processor.fit_batch(self, batch, batch_axis)
                answers = [h.batch_end(self, batch=batch, pred=pred, label=label, loss=loss) for h in at[BatchEnd]]
                if any(answers):
                    break
            answers = [handler.epoch_end(self) for handler in at[EpochEnd]]
            over = any(answers)
        for handler in at[TrainEnd]:
            handler.train_end(self)

    @staticmethod
    def _categorize_handlers(handlers: list[Any]) -> tuple[list[Any], ...]:
        """Return the handlers of each event, in the order of the events."""
        return tuple([handler for handler in handlers if isinstance(handler, event)] for event in _EVENTS)

    def _prepare_default_handlers(self, val_data: Any, event_handlers: Any) -> list[Any]:
        handlers = as_handlers(event_handlers)
        usual: list[Any] = [StoppingHandler(self.max_epoch, self.max_batch)]
        if not any(isinstance(handler, GradientUpdateHandler) for handler in handlers):
            usual.append(GradientUpdateHandler())
        if not any(isinstance(handler, MetricHandler) for handler in handlers):
            usual.append(MetricHandler(metrics=self.train_metrics))
        if val_data and not any(isinstance(handler, ValidationHandler) for handler in handlers):
            usual.append(ValidationHandler(val_data=val_data, eval_fn=self.evaluate))
        if not any(isinstance(handler, LoggingHandler) for handler in handlers):
            usual.append(LoggingHandler(metrics=self.train_metrics))
        return _sorted(handlers, usual, {*self.train_metrics, *self.val_metrics})


def _sorted(handlers: list[Any], usual: list[Any], known: set[Any]) -> list[Any]:
    """Return all handlers, sorted by priority. Custom and default handlers must use the same metrics."""
    ordered = [*handlers, *usual]
    if handlers and usual:
        for handler in ordered:
            check_handler_metrics(handler, known)
    return sorted(ordered, key=lambda handler: getattr(handler, "priority", 0))


def _check_loss(loss: Any) -> Any:
    if not isinstance(loss, Loss):
        raise ValueError(f"loss must be a Loss, refer to gluon.loss.Loss:{loss}")
    return loss


def _check_processor(processor: Any) -> Any:
    if processor is None:
        return BatchProcessor()
    if not all(callable(getattr(processor, name, None)) for name in ("fit_batch", "evaluate_batch")):
        raise ValueError("Customized Batch Processor must contain fit_batch() and evaluate_batch() methods")
    return processor


def _check_context(context: Any) -> list[Context]:
    count = num_gpus()
    if not context:
        if count > 1:
            warnings.warn(
                "You have multiple GPUs, gpu(0) will be used by default.To utilize all your GPUs, specify context as a "
                "list of gpus, e.g. context=[mx.gpu(0), mx.gpu(1)] ",
                stacklevel=3,
            )
        return [gpu(0)] if count else [cpu()]
    contexts = [context] if isinstance(context, Context) else context
    if not isinstance(contexts, list) or not all(isinstance(c, Context) for c in contexts):
        raise ValueError(
            "context must be a Context or a list of Context, for example mx.cpu() or [mx.gpu(0), mx.gpu(1)], refer to "
            f"mxnet.Context:{context}"
        )
    for ctx in contexts:
        if ctx.device_typeid == 2 and ctx.device_id >= count:
            available = ", ".join(["mx.cpu()", *(str(gpu(i)) for i in range(count))])
            raise AssertionError(f"{ctx} is not available, please make sure your context is in one of: {available}")
    return contexts
