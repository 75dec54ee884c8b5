"""The base classes of user-defined operators, and the registry of operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..error import MXNetError
from ..internals.support.display import Shown
from ..internals.support.suggestions import did_you_mean
from ..util import is_np_array

__all__ = ["CustomOp", "CustomOpProp", "prop_of", "register"]

_DEFAULT = "default"


class CustomOp(Shown):
    """The base class for the computations of custom operators."""

    def __init__(self) -> None:
        pass

    def forward(
        self, is_train: bool, req: Sequence[str], in_data: Sequence[Any], out_data: Sequence[Any], aux: Sequence[Any]
    ) -> None:
        """Compute the outputs. Subclasses override this method.

        Parameters
        ----------
        is_train : bool
            Whether layers behave as in training.
        req : list of str
            The write request of each output; see :meth:`assign`.
        in_data, out_data, aux : list of NDArray
            Inputs (read-only), outputs, and states.
        """

    def backward(
        self,
        req: Sequence[str],
        out_grad: Sequence[Any],
        in_data: Sequence[Any],
        out_data: Sequence[Any],
        in_grad: Sequence[Any],
        aux: Sequence[Any],
    ) -> None:
        """Compute the gradients of the inputs. Subclasses override this method.

        Parameters
        ----------
        req : list of str
            The write request of each gradient. ``"null"`` means that the gradient isn't needed.
        out_grad, in_data, out_data, in_grad, aux : list of NDArray
            The output gradients, the inputs, the outputs, the input gradients, and the auxiliary states.
        """

    def assign(self, dst: Any, req: str, src: Any) -> None:
        """Write a result according to a write request.

        Parameters
        ----------
        dst : NDArray
            Array to write to.
        req : {"null", "write", "inplace", "add"}
            Write request: write nothing, overwrite the array (``"write"`` and ``"inplace"``), or add to the array.
        src : NDArray
            The result.

        Raises
        ------
        ValueError
            If the request is unknown.
        """
        index: Any = () if is_np_array() else slice(None)
        if req in ("write", "inplace"):
            dst[index] = src
        elif req == "add":
            dst[index] += src
        elif req != "null":
            raise ValueError(f"req must be 'null', 'write', 'inplace', or 'add', not {req!r}")


class CustomOpProp(Shown):
    """The base class for descriptions of custom operators: names, shapes, and element types of inputs and outputs.

    Parameters
    ----------
    need_top_grad : bool
        Whether the backward pass uses the gradients of the outputs. For a loss, pass False.
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Return the shapes of inputs, outputs, and optionally states.

        By default, all outputs have the shape of the first input.

        Parameters
        ----------
        in_shape : list of list of int
            The shape of each input. An unknown shape is an empty list.

        Returns
        -------
        tuple of two or three lists
            The shapes.
        """
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type: list[Any]) -> Any:
        """Return the element types of inputs, outputs, and optionally states.

        By default, all outputs and states have the type of the first input.

        Parameters
        ----------
        in_type : list of type
            The element type of each input, as a NumPy class.

        Returns
        -------
        tuple of two or three lists
            The element types.
        """
        first = in_type[0]
        return in_type, [first] * len(self.list_outputs()), [first] * len(self.list_auxiliary_states())

    def infer_storage_type(self, in_stype: list[str]) -> Any:
        """Return the storage types of inputs, outputs, and states.

        This package doesn't call this method, because custom operators compute with dense arrays.

        Parameters
        ----------
        in_stype : list of str
            The storage type of each input.

        Returns
        -------
        tuple of (list, list, list)
            The storage types.

        Raises
        ------
        AssertionError
            If an input is not dense.
        """
        if any(stype != _DEFAULT for stype in in_stype):
            raise AssertionError("Default infer_storage_type implementation doesnt allow non default stypes")
        return in_stype, [_DEFAULT] * len(self.list_outputs()), [_DEFAULT] * len(self.list_auxiliary_states())

    def infer_storage_type_backward(
        self,
        ograd_stype: list[str],
        in_stype: list[str],
        out_stype: list[str],
        igrad_stype: list[str],
        aux_stype: list[str],
    ) -> Any:
        """Return the storage types of all arrays of the backward pass.

        This package doesn't call this method, because custom operators compute with dense arrays.

        Parameters
        ----------
        ograd_stype, in_stype, out_stype, igrad_stype, aux_stype : list of str
            Storage types of the output gradients, the inputs, the outputs, the input gradients, and the states.

        Returns
        -------
        tuple of five list
            The storage types.
        """
        return tuple([_DEFAULT] * len(part) for part in (ograd_stype, in_stype, out_stype, igrad_stype, aux_stype))

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Return the names of the inputs."""
        return ["data"]

    def list_auxiliary_states(self) -> list[str]:
        """Return the names of the states."""
        return []

    def declare_backward_dependency(
        self, out_grad: Sequence[int], in_data: Sequence[int], out_data: Sequence[int]
    ) -> list[int]:
        """Return the indices of the arrays that the backward pass uses.

        This package passes all arrays regardless of the result.

        Parameters
        ----------
        out_grad, in_data, out_data : sequence of int
            Indices of the output gradients, of the inputs, and of the outputs.

        Returns
        -------
        list of int
            The indices.
        """
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]

    def create_operator(self, ctx: Any, in_shapes: list[Any], in_dtypes: list[int]) -> Any:
        """Return the :class:`CustomOp` that computes on a device.

        Parameters
        ----------
        ctx : Context
            The device.
        in_shapes : list of list of int
            The shape of each input.
        in_dtypes : list of int
            The element type of each input, as MXNet's type code.

        Returns
        -------
        CustomOp
            The operator.
        """
        return CustomOp()


_Prop = TypeVar("_Prop", bound=type)
#: The class of each registered name, and whether its operators use ``np`` arrays.
_registered: dict[str, tuple[Any, bool]] = {"custom_op": (CustomOpProp, False)}


def register(reg_name: str) -> Callable[[_Prop], _Prop]:
    """Return a decorator that registers a :class:`CustomOpProp` under a name.

    Parameters
    ----------
    reg_name : str
        The name. A class replaces an earlier class of the same name.

    Returns
    -------
    callable
        The decorator, which returns the class.

    Raises
    ------
    TypeError
        If the name is not a string or is empty, or if the decorated object is neither a subclass of
        :class:`CustomOpProp` nor a function that returns a ``CustomOpProp``.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> class Twice(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * 2)
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * 2)
    >>> @mx.operator.register("twice")
    ... class TwiceProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Twice()
    >>> mx.nd.Custom(mx.nd.array([1, 2]), op_type="twice")
    <BLANKLINE>
    [2. 4.]
    <NDArray 2 @cpu(0)>
    """
    if not isinstance(reg_name, str) or not reg_name:
        raise TypeError(f"the name of a custom operator must be a nonempty string, not {reg_name!r}")

    def do_register(prop_cls: _Prop) -> _Prop:
        if not callable(prop_cls) or (isinstance(prop_cls, type) and not hasattr(prop_cls, "create_operator")):
            raise TypeError(
                "a custom operator must be registered with a subclass of CustomOpProp, or with a function that returns "
                f"a CustomOpProp, not {prop_cls!r}"
            )
        _registered[reg_name] = prop_cls, is_np_array()
        return prop_cls

    return do_register


def prop_of(op_type: str, settings: dict[str, str]) -> tuple[Any, bool]:
    """Return an instance of the class that is registered under a name, and whether the operator uses ``np`` arrays.

    Parameters
    ----------
    op_type : str
        The name.
    settings : dict of str to str
        Arguments of the class.

    Returns
    -------
    tuple of CustomOpProp and bool
        The instance, and whether the class was registered in NumPy mode.

    Raises
    ------
    MXNetError
        If no operator has this name, or if the constructor of its class raises an error.
    """
    if not op_type:
        raise MXNetError("Check failed: !params.op_type.empty(): Required argument `op_type` is missing.")
    if op_type not in _registered:
        error = MXNetError(
            "Check failed: CustomOperator: :Get()->Find(params.op_type) != nullptr: Cannot find custom operator "
            f"{op_type}"
        )
        if hint := did_you_mean(op_type, _registered).strip():
            error.add_note(hint)
        raise error
    prop_cls, as_numpy = _registered[op_type]
    try:
        prop = prop_cls(**settings)
    except Exception as error:
        raise MXNetError(f"Error in {op_type}.__init__: {type(error).__name__}: {error}") from error
    if not hasattr(prop, "create_operator"):
        raise MXNetError(
            f"Error in {op_type}.__init__: the registered function must return a CustomOpProp, not {prop!r}"
        )
    return prop, as_numpy
