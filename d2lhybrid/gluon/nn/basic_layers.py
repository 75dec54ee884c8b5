"""Containers, dense layers, and other basic layers."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ... import ndarray as nd
from ... import symbol as sym
from ...util import names_of_the_package
from ..block import Block, overridable
from ..hybrid_block import HybridBlock, operators
from ..parameter import Parameter
from ..utils import _indent

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = [
    "Activation",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "HybridLambda",
    "HybridSequential",
    "Lambda",
    "Sequential",
]


class _Container:
    """The base class of :class:`Sequential` and :class:`HybridSequential`: indexed children in sequence."""

    _children: Any
    _prefix: str

    def add(self, *blocks: Any) -> None:
        """Append blocks to the sequence.

        Parameters
        ----------
        *blocks : Block
            The blocks.
        """
        for block in blocks:
            self.register_child(block)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        lines = "\n".join(f"  ({key}): {_indent(child.__repr__(), 2)}" for key, child in self._children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def __getitem__(self, key: Any) -> Any:
        layers = list(self._children.values())[key]
        if not isinstance(layers, list):
            return layers
        part: Any = type(self)(prefix=self._prefix)  # type: ignore[call-arg]
        with part.name_scope():
            part.add(*layers)
        return part

    def __len__(self) -> int:
        return len(self._children)


class Sequential(_Container, Block):
    """A sequence of blocks. Each block receives the output of the preceding block.

    Parameters
    ----------
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> net = Sequential()
    >>> net.add(Dense(4, activation="relu"), Dense(2))
    >>> net
    Sequential(
      (0): Dense(None -> 4, Activation(relu))
      (1): Dense(None -> 2, linear)
    )
    >>> net[1], len(net)
    (Dense(None -> 2, linear), 2)
    """

    @overridable
    def forward(self, x: Any) -> Tensor | Any:
        """Pass the input through all blocks in order.

        Parameters
        ----------
        x : NDArray
            The input of the first block.

        Returns
        -------
        NDArray
            The output of the last block.
        """
        for block in self._children.values():
            x = block.__call__(x)  # block(x) would add a level of recursion in C
        return x

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridize each child separately, because a Sequential itself cannot be traced.

        Parameters
        ----------
        active : bool
            Whether to compile the children. If False, they run eagerly again.
        **kwargs : bool or str
            Options of :meth:`HybridBlock.hybridize <d2lhybrid.gluon.HybridBlock.hybridize>`.
        """
        if self._children and all(isinstance(child, HybridBlock) for child in self._children.values()):
            warnings.warn(
                f"All children of this Sequential layer '{self.prefix}' are HybridBlocks. Consider using "
                "HybridSequential for the best performance.",
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Container, HybridBlock):
    """A sequence of hybrid blocks. After ``hybridize()``, the whole sequence is one graph.

    Parameters
    ----------
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> net = HybridSequential()
    >>> net.add(Dense(4), Flatten())
    >>> net.initialize()
    >>> net.hybridize()
    >>> net(nd.ones((2, 3))).shape
    (2, 4)
    """

    @overridable
    def hybrid_forward(self, F: Any, x: Any) -> Tensor | Any:
        """Pass the input through all blocks in order."""
        for block in self._children.values():
            x = block.__call__(x)  # block(x) would add a level of recursion in C
        return x


class Activation(HybridBlock):
    """A layer that applies an activation function to each element.

    Parameters
    ----------
    activation : str
        ``"relu"``, ``"sigmoid"``, ``"tanh"``, ``"softrelu"``, or ``"softsign"``.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> Activation("relu")(nd.array([-1, 1]))
    <BLANKLINE>
    [0. 1.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, activation: str, **kwargs: Any) -> None:
        self._act_type = activation
        super().__init__(**kwargs)

    def _alias(self) -> str:
        return self._act_type

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the activation function to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).Activation(x, act_type=self._act_type, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"


class Dense(HybridBlock):
    """A fully connected layer: ``activation(x · weightᵀ + bias)``.

    Parameters
    ----------
    units : int
        Number of outputs.
    activation : str, optional
        Name of an :class:`Activation`; none by default.
    use_bias : bool
        Whether to add a bias.
    flatten : bool
        Whether to merge all axes except the first into one. With False, the layer acts on the last axis.
    dtype : str or numpy dtype
        Element type of the parameters.
    weight_initializer, bias_initializer : Initializer or str, optional
        Initializers of the parameters.
    in_units : int
        Number of inputs. With 0, the first call infers the number.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = Dense(2, weight_initializer="ones")
    >>> layer.initialize()
    >>> layer(nd.array([[1, 2, 3]]))
    <BLANKLINE>
    [[6. 6.]]
    <NDArray 1x2 @cpu(0)>
    >>> layer
    Dense(3 -> 2, linear)
    """

    weight: Parameter
    act: Activation | None

    def __init__(
        self,
        units: int,
        activation: str | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_units: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._units, self._in_units, self._flatten = units, in_units, flatten
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            self.bias: Parameter | None = None
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(units,), init=bias_initializer, dtype=dtype, allow_deferred_init=True
                )
            self.act = None if activation is None else Activation(activation, prefix=activation + "_")

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Tensor:
        """Compute ``activation(x · weightᵀ + bias)``. ``F`` is ``mx.nd`` or ``mx.sym``."""
        out = operators(F).FullyConnected(
            x, weight, bias, num_hidden=self._units, no_bias=bias is None, flatten=self._flatten, name="fwd"
        )
        return out if self.act is None else self.act(out)

    def __repr__(self) -> str:
        shape = self.weight.shape
        assert shape is not None
        return f"{type(self).__name__}({shape[1] or None} -> {shape[0]}, {self.act or 'linear'})"


class Dropout(HybridBlock):
    """A layer that, in training, sets random elements to zero and divides all other elements by ``1 - rate``.

    Parameters
    ----------
    rate : float
        Probability that an element is dropped.
    axes : tuple of int
        Axes along which all elements are dropped or kept together.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, rate: float, axes: tuple[int, ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._rate, self._axes = rate, axes

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Drop random elements in training, or return the input in prediction. ``F`` is ``mx.nd`` or ``mx.sym``."""
        op = operators(F)
        if self._rate > 0:
            return op.Dropout(x, p=self._rate, axes=self._axes, cudnn_off=False, name="fwd")
        return op.identity(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


class Embedding(HybridBlock):
    """A layer that replaces each index in its input with a row of a table.

    Parameters
    ----------
    input_dim : int
        Number of rows of the table.
    output_dim : int
        Number of elements in a row.
    dtype : str or numpy dtype
        Element type of the table.
    weight_initializer : Initializer or str, optional
        The initializer of the table.
    sparse_grad : bool
        Whether the gradient of the table is a :class:`RowSparseNDArray`, whose memory is dense.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    weight: Parameter

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        sparse_grad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=(input_dim, output_dim), init=weight_initializer, dtype=dtype,
                allow_deferred_init=True, grad_stype="row_sparse" if sparse_grad else "default",
            )  # fmt: skip

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Tensor:
        """Return the row of the table for each index in ``x``. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).Embedding(x, weight, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        table = self._kwargs
        return f"{type(self).__name__}({table['input_dim']} -> {table['output_dim']}, {table['dtype']})"


class Flatten(HybridBlock):
    """A layer that merges all axes except the first into one."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Merge all axes except the first into one. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).Flatten(x)

    def __repr__(self) -> str:
        return type(self).__name__


class Lambda(Block):
    """A block that calls a function.

    Parameters
    ----------
    function : str or callable
        Name of an operator of ``mx.nd``, or a function that takes the inputs.
    prefix : str, optional
        Prefix of the block.

    Raises
    ------
    AssertionError
        If ``mx.nd`` has no operator of that name.
    ValueError
        If ``function`` is neither a name nor callable.
    """

    def __init__(self, function: Any, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            if not hasattr(nd, function):
                raise AssertionError(f"Function name {function} is not found in ndarray.")
            self._func_impl: Callable[..., Any] = getattr(nd, function)
        elif callable(function):
            self._func_impl = function
        else:
            raise ValueError(f"Unrecognized function in lambda: {function} of type {type(function)}")

    def forward(self, *args: Any) -> Any:
        """Call the function.

        Parameters
        ----------
        *args : NDArray
            The arguments.

        Returns
        -------
        NDArray
            The result of the function.
        """
        return self._func_impl(*args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_name_of(self._func_impl)})"


def _call_named(name: str, F: Any, *args: Any) -> Any:
    """Call a function of ``F`` by name. A module-level function can be pickled, but a lambda can't."""
    return getattr(F, name)(*args)


class HybridLambda(HybridBlock):
    """A hybrid block that calls a function.

    Parameters
    ----------
    function : str or callable
        Name of an operator of ``mx.nd`` and ``mx.sym``, or a function that takes ``F`` and the inputs.
    prefix : str, optional
        Prefix of the block.

    Raises
    ------
    AssertionError
        If ``mx.nd`` or ``mx.sym`` lacks an operator of that name.
    ValueError
        If ``function`` is neither a name nor callable.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> HybridLambda(lambda F, x: F.square(x) + 1)(nd.array([1, 2]))
    <BLANKLINE>
    [2. 5.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, function: Any, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            if not (hasattr(nd, function) and hasattr(sym, function)):
                raise AssertionError(f"Function name {function} is not found in symbol/ndarray.")
            self._func: Callable[..., Any] = functools.partial(_call_named, function)
            self._func_name = function
        elif callable(function):
            self._func = function
            self._func_name = _name_of(function)
        else:
            raise ValueError(f"Unrecognized function in lambda: {function} of type {type(function)}")

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """Call the function."""
        return self._func(F, x, *args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"


def _name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__, {"_BatchNorm": "norm_layers"})
