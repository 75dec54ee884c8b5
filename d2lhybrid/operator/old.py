"""MXNet's older base classes of custom operators, which :class:`CustomOp` replaces."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ..internals.support.display import Shown
from .custom import CustomOp, CustomOpProp, register

__all__ = ["NDArrayOp", "NumpyOp", "PythonOp"]

_numbers = itertools.count()


class PythonOp(Shown):
    """The base class of :class:`NumpyOp` and :class:`NDArrayOp`. New programs use :class:`CustomOp`.

    Parameters
    ----------
    need_top_grad : bool
        Whether the backward pass uses the gradients of the outputs. For a loss, pass False.
    """

    #: Whether the arrays are NumPy arrays.
    _in_numpy = False

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return a symbol that applies the operator to symbols, like :meth:`get_symbol`.

        Parameters
        ----------
        *args, **kwargs
            Arguments of :meth:`get_symbol`.
        """
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Any:
        """Return a symbol that applies the operator to symbols.

        Parameters
        ----------
        *args, **kwargs
            Arguments of ``sym.Custom`` except ``op_type``: the inputs, and the name of the node.

        Returns
        -------
        Symbol
            The outputs of the operator.
        """
        from ..symbol._functions import Custom

        name = f"_python_op_{next(_numbers)}"
        register(name)(lambda: _Prop(self))  # type: ignore[arg-type]
        return Custom(*args, op_type=name, **kwargs)

    def forward(self, in_data: Sequence[Any], out_data: Sequence[Any]) -> None:
        """Compute the outputs. By default, the output is the input.

        Parameters
        ----------
        in_data, out_data : list of array
            The inputs, and the outputs to write to.
        """
        out_data[0][:] = in_data[0]

    def backward(
        self, out_grad: Sequence[Any], in_data: Sequence[Any], out_data: Sequence[Any], in_grad: Sequence[Any]
    ) -> None:
        """Compute the gradients of the inputs. By default, all elements of the gradient are 1.

        Parameters
        ----------
        out_grad, in_data, out_data : list of array
            The output gradients, the inputs, and the outputs.
        in_grad : list of array
            The gradients of the inputs, to write to.
        """
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Return the shapes of the inputs and of the outputs.

        Parameters
        ----------
        in_shape : list of list of int
            The shape of each input.

        Returns
        -------
        tuple of (list, list)
            The shapes.
        """
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Return the names of the inputs."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Return whether the backward pass uses the gradients of the outputs."""
        return self.need_top_grad_


class NumpyOp(PythonOp):
    """An operator on NumPy arrays."""

    _in_numpy = True


class NDArrayOp(PythonOp):
    """An operator on NDArrays."""

    def declare_backward_dependency(
        self, out_grad: Sequence[int], in_data: Sequence[int], out_data: Sequence[int]
    ) -> list[int]:
        """Return the indices of the arrays that the backward pass uses; all arrays by default.

        Parameters
        ----------
        out_grad, in_data, out_data : sequence of int
            Indices of the output gradients, of the inputs, and of the outputs.

        Returns
        -------
        list of int
            The indices.
        """
        return [*(out_grad if self.need_top_grad() else []), *in_data, *out_data]


class _Prop(CustomOpProp):
    def __init__(self, python_op: PythonOp) -> None:
        super().__init__(python_op.need_top_grad())
        self._op = python_op
        self.infer_shape, self.list_outputs = python_op.infer_shape, python_op.list_outputs
        self.list_arguments = python_op.list_arguments
        if isinstance(python_op, NDArrayOp):
            self.declare_backward_dependency = python_op.declare_backward_dependency

    def create_operator(self, ctx: Any, in_shapes: list[Any], in_dtypes: list[int]) -> Any:
        return _Op(self._op)


class _Op(CustomOp):
    def __init__(self, python_op: PythonOp) -> None:
        super().__init__()
        self._op = python_op

    def _arrays(self, arrays: Sequence[Any]) -> list[Any]:
        return [a.asnumpy().copy() for a in arrays] if self._op._in_numpy else list(arrays)

    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        results = self._arrays(out_data)
        self._op.forward(in_data=self._arrays(in_data), out_data=results)
        if self._op._in_numpy:
            for target, result in zip(out_data, results, strict=True):
                target[:] = result

    def backward(self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any) -> None:
        results = self._arrays(in_grad)
        arrays = [self._arrays(part) for part in (out_grad, in_data, out_data)]
        self._op.backward(out_grad=arrays[0], in_data=arrays[1], out_data=arrays[2], in_grad=results)
        if self._op._in_numpy:
            for target, result in zip(in_grad, results, strict=True):
                target[:] = result
