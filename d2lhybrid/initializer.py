"""Initializers, which set the initial values of parameters (``mx.init``).

An initializer is called with a name and an array. It fills arrays whose names end in ``bias`` or ``beta`` with zeros,
and arrays whose names end in ``gamma`` with ones. Its own rule applies to names that end in ``weight``. A new
initializer is a subclass with a method ``_init_weight``:

>>> import d2lhybrid as mx
>>> class Threes(Initializer):
...     def _init_weight(self, name, arr):
...         arr[:] = 3
>>> a = mx.nd.zeros((2,))
>>> Threes()(InitDesc("dense0_weight"), a)
>>> a.asnumpy()
array([3., 3.], dtype=float32)
"""

from __future__ import annotations

import json
import logging
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from . import registry
from .internals.device import array_modules
from .internals.support import clock
from .internals.support.display import Shown
from .internals.support.notes import with_note
from .ndarray import NDArray

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]


class InitDesc(str):
    """The name of an array to initialize, with additional attributes.

    Parameters
    ----------
    name : str
        Name of the array.
    attrs : dict of str to str, optional
        Attributes. An initializer in ``__init__`` takes precedence over the initializer that is called.
    global_init : Initializer, optional
        Initializer of the whole net, which :class:`FusedRNN` calls for the weights in the array.
    """

    attrs: dict[str, Any]
    global_init: Any

    def __new__(cls, name: str, attrs: Mapping[str, Any] | None = None, global_init: Any = None) -> InitDesc:
        """Create a string with attributes."""
        self = super().__new__(cls, name)
        self.attrs = dict(attrs or {})
        self.global_init = global_init
        return self


def _fill(arr: Any, value: Any) -> None:
    array_modules.use(arr._ctx)
    arr._data[...] = value
    clock.note_write([arr._data])


def _generator(arr: Any) -> Any:
    return array_modules.generator(arr._ctx)


def _fill_uniform(arr: Any, low: float, high: float) -> None:
    arr._data[...] = _generator(arr).random(arr.shape, dtype=numpy.float32) * (high - low) + low
    clock.note_write([arr._data])


def _fill_normal(arr: Any, sigma: float) -> None:
    arr._data[...] = _generator(arr).standard_normal(arr.shape, dtype=numpy.float32) * sigma
    clock.note_write([arr._data])


class Initializer(Shown):
    """The base class of all initializers.

    Parameters
    ----------
    **kwargs
        Settings, which :meth:`dumps` includes in its result.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[Any], str] | None = None

    def set_verbosity(self, verbose: bool = False, print_func: Callable[[Any], str] | None = None) -> Initializer:
        """Switch logging of initialized arrays on or off.

        Parameters
        ----------
        verbose : bool
            Whether to log each array that is initialized.
        print_func : callable, optional
            Function that converts the new array to a string; by default, the string contains the root mean square.

        Returns
        -------
        Initializer
            This initializer.
        """
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def _verbose_print(self, desc: str, init: str, arr: Any) -> None:
        if self._verbose and self._print_func:
            logging.info("Initialized %s as %s: %s", desc, init, self._print_func(arr))

    def dumps(self) -> str:
        """Return the name and the settings as JSON, which :func:`create` reads.

        Returns
        -------
        str
            A JSON list of the name in lower case and the settings.
        """
        return json.dumps([self.__class__.__name__.lower(), self._kwargs])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Initializer) or self.__class__ is not other.__class__:
            return False
        return self._kwargs == other._kwargs

    def __call__(self, desc: str, arr: Any) -> None:
        """Initialize an array.

        Parameters
        ----------
        desc : InitDesc
            Name of the array. The end of the name selects the rule.
        arr : NDArray
            The array, which is changed in place.

        Raises
        ------
        ValueError
            If no rule matches the name.
        """
        if not isinstance(desc, InitDesc):
            self._legacy_init(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        init = desc.attrs.get("__init__", "")
        if init:
            create(init)._init_weight(desc, arr)
            self._verbose_print(desc, init, arr)
            return
        for ending, rule in _RULES.items():
            if desc.endswith(ending):
                getattr(self, rule)(desc, arr)
                self._verbose_print(desc, ending, arr)
                return
        self._init_default(desc, arr)

    def _legacy_init(self, name: Any, arr: Any) -> None:
        """Initialize an array whose name is a plain string, by the rules of MXNet's older versions, with a warning."""
        warnings.warn(
            "\033[91mCalling initializer with init(str, NDArray) has been deprecated."
            "please use init(mx.init.InitDesc(...), NDArray) instead.\033[0m",
            DeprecationWarning,
            stacklevel=3,
        )
        if not isinstance(name, str):
            raise TypeError("name must be string")
        if not isinstance(arr, NDArray):
            raise TypeError("arr must be NDArray")
        if name.startswith("upsampling"):
            self._init_bilinear(name, arr)
        elif name.startswith("stn_loc") and name.endswith("weight"):
            self._init_zero(name, arr)
        elif name.startswith("stn_loc") and name.endswith("bias"):
            self._init_loc_bias(name, arr)
        else:
            for ending, rule in {**_RULES, **_LEGACY_RULES}.items():
                if name.endswith(ending):
                    getattr(self, rule)(name, arr)
                    return
            self._init_default(name, arr)

    # Programs call this method directly, for the weights of upsampling layers.
    def _init_bilinear(self, name: str, arr: Any) -> None:
        Bilinear()._init_weight(name, arr)

    def _init_loc_bias(self, name: str, arr: Any) -> None:
        assert arr.shape[0] == 6
        _fill(arr, array_modules.array_module(arr._ctx).asarray([1.0, 0, 0, 0, 1.0, 0]))

    def _init_zero(self, name: str, arr: Any) -> None:
        _fill(arr, 0.0)

    def _init_one(self, name: str, arr: Any) -> None:
        _fill(arr, 1.0)

    _init_bias = _init_beta = _init_zero
    _init_gamma = _init_one

    def _init_quantized_weight(self, name: str, arr: Any) -> None:
        _fill(arr, float(_generator(arr).integers(-127, 127)))  # as in MXNet, one number for all elements

    def _init_weight(self, name: str, arr: Any) -> None:
        raise with_note(
            NotImplementedError("Must override it"), f"Define _init_weight(self, name, arr) in {type(self).__name__}."
        )

    def _init_default(self, name: str, arr: Any) -> None:
        raise ValueError(
            f"Unknown initialization pattern for {name}. Default initialization is now limited to "
            '"weight", "bias", "gamma" (1.0), and "beta" (0.0).'
            "Please use mx.sym.Variable(init=mx.init.*) to set initialization pattern"
        )


#: The method that initializes an array, by the end of the array's name.
_RULES = {
    "weight": "_init_weight",
    "bias": "_init_bias",
    "gamma": "_init_gamma",
    "beta": "_init_beta",
    "min": "_init_zero",
    "max": "_init_one",
    "weight_quantize": "_init_quantized_weight",
    "bias_quantize": "_init_zero",
}
_LEGACY_RULES = {
    "moving_mean": "_init_zero",
    "moving_var": "_init_one",
    "moving_inv_var": "_init_zero",
    "moving_avg": "_init_zero",
}


def _root_mean_square(arr: Any) -> str:
    values = arr.asnumpy()
    return str(numpy.linalg.norm(values) / math.sqrt(values.size))


register: registry.Register = registry.get_register_func(Initializer, "initializer")
alias: registry.Alias = registry.get_alias_func(Initializer, "initializer")
create: Callable[..., Any] = registry.get_create_func(Initializer, "initializer")


# --- constants ---------------------------------------------------------------------------------


@register
@alias("zeros")
class Zero(Initializer):
    """An initializer that fills arrays with zeros."""

    def _init_weight(self, name: str, arr: Any) -> None:
        _fill(arr, 0.0)


@register
@alias("ones")
class One(Initializer):
    """An initializer that fills arrays with ones."""

    def _init_weight(self, name: str, arr: Any) -> None:
        _fill(arr, 1.0)


@register
class Constant(Initializer):
    """An initializer that fills arrays with a constant value, or with a copy of an array of the same shape.

    Parameters
    ----------
    value : float or NDArray
        The value or the array.
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        self.value = value

    def _init_weight(self, name: str, arr: Any) -> None:
        arr[:] = self.value

    def dumps(self) -> str:
        """Return the name and the value as JSON."""
        array = self.value.asnumpy() if hasattr(self.value, "asnumpy") else self.value
        self._kwargs["value"] = array.tolist() if isinstance(array, numpy.ndarray) else array
        return Initializer.dumps(self)


# --- random values -----------------------------------------------------------------------------


@register
class Uniform(Initializer):
    """An initializer that draws values from a uniform distribution over ``[-scale, scale)``.

    Parameters
    ----------
    scale : float
        Upper bound of the absolute values.
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name: str, arr: Any) -> None:
        _fill_uniform(arr, -self.scale, self.scale)


@register
class Normal(Initializer):
    """An initializer that draws values from a normal distribution with mean 0.

    Parameters
    ----------
    sigma : float
        Standard deviation.
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, name: str, arr: Any) -> None:
        _fill_normal(arr, self.sigma)


@register
class Orthogonal(Initializer):
    """An initializer that fills a matrix with orthogonal rows.

    If the matrix has more rows than columns, its columns are orthogonal instead.

    Parameters
    ----------
    scale : float
        Euclidean norm of each row or column.
    rand_type : {"uniform", "normal"}
        Distribution of the random matrix whose singular vectors are the rows or columns.
    """

    scale: float
    rand_type: str

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale, self.rand_type = scale, rand_type

    def _init_weight(self, name: str, arr: Any) -> None:
        rows, columns = arr.shape[0], math.prod(arr.shape[1:])
        rng, xp = _generator(arr), array_modules.array_module(arr._ctx)
        if self.rand_type == "uniform":
            start = rng.random((rows, columns)) * 2.0 - 1.0
        elif self.rand_type == "normal":
            start = rng.standard_normal((rows, columns))
        else:
            error = ValueError(f"Unknown random type {self.rand_type}")
            raise with_note(error, "rand_type of Orthogonal must be 'uniform' or 'normal'.")
        left, _, right = xp.linalg.svd(start, full_matrices=False)
        basis = left if left.shape == start.shape else right
        _fill(arr, self.scale * basis.reshape(arr.shape))


@register
class Xavier(Initializer):
    """Glorot's initializer, whose values keep the scale of signals about constant from layer to layer.

    With ``s = sqrt(magnitude / n)``, values are drawn from a uniform distribution over ``[-s, s)`` or from a normal
    distribution with standard deviation ``s``.

    Parameters
    ----------
    rnd_type : {"uniform", "gaussian"}
        Distribution of the values.
    factor_type : {"avg", "in", "out"}
        The divisor ``n``: the mean of the numbers of inputs and outputs, the number of inputs, or the number of
        outputs.
    magnitude : float
        The numerator ``magnitude`` in the formula.
    """

    rnd_type: str
    factor_type: str
    magnitude: float

    def __init__(self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type, self.factor_type, self.magnitude = rnd_type, factor_type, float(magnitude)

    def _init_weight(self, name: str, arr: Any) -> None:
        shape = arr.shape
        if len(shape) < 2:
            raise ValueError(f"Xavier initializer cannot be applied to vector {name}. It requires at least 2D.")
        window = math.prod(shape[2:])
        fan_in, fan_out = shape[1] * window, shape[0] * window
        factors = {"avg": (fan_in + fan_out) / 2.0, "in": fan_in, "out": fan_out}
        if self.factor_type not in factors:
            error = ValueError("Incorrect factor type")
            raise with_note(error, f"factor_type must be 'avg', 'in', or 'out', not {self.factor_type!r}.")
        scale = math.sqrt(self.magnitude / factors[self.factor_type])
        if self.rnd_type == "uniform":
            _fill_uniform(arr, -scale, scale)
        elif self.rnd_type == "gaussian":
            _fill_normal(arr, scale)
        else:
            error = ValueError("Unknown random type")
            raise with_note(error, f"rnd_type must be 'uniform' or 'gaussian', not {self.rnd_type!r}.")


@register
class MSRAPrelu(Xavier):
    """The initializer by He et al. for layers before a ReLU or a leaky ReLU.

    It draws values from a normal distribution.

    Parameters
    ----------
    factor_type : {"avg", "in", "out"}
        The divisor, as in :class:`Xavier`.
    slope : float
        Slope of the activation for negative inputs.
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


# --- special layers ----------------------------------------------------------------------------


@register
class Bilinear(Initializer):
    """An initializer that fills the weights of transposed convolutions with the kernel of bilinear upsampling."""

    def _init_weight(self, name: str, arr: Any) -> None:
        height, width = arr.shape[2:]
        factor = math.ceil(width / 2.0)
        center = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        rows = 1 - numpy.abs(numpy.arange(height) / factor - center)
        columns = 1 - numpy.abs(numpy.arange(width) / factor - center)
        _fill(arr, array_modules.array_module(arr._ctx).asarray(numpy.outer(rows, columns)))


@register
class LSTMBias(Initializer):
    """An initializer that sets the biases of an LSTM to zero, except the bias of the forget gate.

    Parameters
    ----------
    forget_bias : float
        Bias of the forget gate.
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name: str, arr: Any) -> None:
        units = arr.shape[0] // 4  # the order of the gates is input, forget, cell, output
        _fill(arr, 0.0)
        arr._data[units : 2 * units] = self.forget_bias
        clock.note_write([arr._data])


@register
class FusedRNN(Initializer):
    """An initializer for the parameter vector of the ``RNN`` operator, which contains all weights and biases.

    Parameters
    ----------
    init : Initializer or str or None
        Initializer of the weights. None uses the initializer of the whole net.
    num_hidden, num_layers : int
        Number of elements of the hidden state, and number of layers.
    mode : {"lstm", "gru", "rnn_relu", "rnn_tanh"}
        Type of the recurrent network.
    bidirectional : bool
        Whether the network runs in both directions.
    forget_bias : float
        Bias of an LSTM's forget gate.
    """

    def __init__(
        self,
        init: Initializer | str | None,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        inner: Initializer | None = None if init is None else create(init)
        super().__init__(
            init=None if inner is None else inner.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = inner
        self._hidden, self._layers, self._mode = num_hidden, num_layers, mode
        self._directions = 2 if bidirectional else 1
        self._forget_bias = forget_bias

    def _init_weight(self, name: str, arr: Any) -> None:
        gates = {"lstm": 4, "gru": 3}.get(self._mode, 1)
        rows, hidden, directions = gates * self._hidden, self._hidden, self._directions
        # Layout: i2h and h2h weights of every layer and direction, then their biases in that order.
        deeper = (self._layers - 1) * directions * rows * (hidden * directions + hidden + 2)
        inputs = (arr.size - deeper) // (directions * rows) - hidden - 2
        init = self._init or getattr(name, "global_init", None)
        if init is None:
            raise ValueError("FusedRNN has no initializer for its weights: pass init")
        vector, start = arr._data.reshape(-1), 0
        for layer in range(self._layers):
            for _ in range(directions):
                for columns in (inputs if layer == 0 else hidden * directions, hidden):
                    part = arr[start : start + rows * columns].reshape((rows, columns))
                    init(InitDesc(f"{name}_weight"), part)
                    vector[start : start + rows * columns] = part._data.reshape(-1)
                    start += rows * columns
        vector[start:] = 0.0
        if self._mode == "lstm":
            vector[start:].reshape(-1, 4, hidden)[:, 1] = self._forget_bias


# --- combinations ------------------------------------------------------------------------------


class Mixed(Shown):
    """A combination of initializers. The first initializer whose pattern matches an array's name initializes the array.

    Parameters
    ----------
    patterns : list of str
        Regular expressions, matched at the start of the name.
    initializers : list of Initializer
        An initializer for each pattern.
    """

    def __init__(self, patterns: Sequence[str], initializers: Sequence[Initializer]) -> None:
        assert len(patterns) == len(initializers)
        self.map: list[tuple[re.Pattern[str], Initializer]] = [
            (re.compile(p), i) for p, i in zip(patterns, initializers, strict=True)
        ]

    def __call__(self, name: str, arr: Any) -> None:
        """Initialize an array with the first initializer whose pattern matches.

        Parameters
        ----------
        name : str
            Name of the array.
        arr : NDArray
            The array, which is changed in place.

        Raises
        ------
        ValueError
            If no pattern matches.
        """
        for pattern, init in self.map:
            if pattern.match(name):
                init(name, arr)
                return
        raise ValueError(
            f"Parameter name {name} did not match any pattern. Consider add a "
            '".*" pattern at the and with default Initializer.'
        )


class Load(Shown):
    """An initializer that copies values from a file or a dictionary. Another initializer fills all other arrays.

    Parameters
    ----------
    param : str or dict of str to NDArray
        File written by ``nd.save``, or arrays by name. The prefixes ``arg:`` and ``aux:`` are removed.
    default_init : Initializer, optional
        Initializer for names without a stored array.
    verbose : bool
        Whether to log each array that is initialized.
    """

    def __init__(self, param: Any, default_init: Any = None, verbose: bool = False) -> None:
        if isinstance(param, str):
            from .ndarray import load

            param = load(param)
        self.param: dict[str, Any] = {re.sub("^(arg|aux):", "", name): array for name, array in param.items()}
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: Any) -> None:
        """Initialize an array with the stored array of the same name, or with the default initializer.

        Parameters
        ----------
        name : str
            Name of the array.
        arr : NDArray
            The array, which is changed in place.

        Raises
        ------
        AssertionError
            If the shapes differ, or if there is neither a stored array nor a default initializer.
        """
        if name in self.param:
            stored = self.param[name]
            if arr.shape != stored.shape:
                raise AssertionError(
                    f"Parameter {name} cannot be initialized from loading. "
                    f"Shape mismatch, target {arr.shape} vs loaded {stored.shape}"
                )
            arr[:] = stored
            origin = "loading"
        else:
            if self.default_init is None:
                raise AssertionError(
                    f"Cannot Initialize {name}. Not found in loaded param and no default Initializer is provided."
                )
            self.default_init(name, arr)
            origin = "default"
        if self.verbose:
            logging.info("Initialized %s by %s", name, origin)
