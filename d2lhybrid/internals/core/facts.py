"""The facts about an operator that the compiler uses in addition to the operator's rules.

Each fact has a default. Facts are declared below the kernel, a value by an assignment and a rule by a decorator::

    reshape.view = "reshape"
    exp.ufunc("exp")

    @bias.lowering
    def _(emit): ...

A program calls the kernel of an operator without declared facts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..compiler.emitter import Emitter, Lowering
    from ..ops.products import Product

__all__ = ["Facts"]


class Facts:
    """The facts that the compiler uses about one operator.

    Attributes
    ----------
    view : {"", "reshape", "transpose"}
        Whether the result is a view of the first input: reshaped, or with its axes permuted according to the
        attribute ``axes``.
    overwrites : tuple of int
        The indices of the inputs that the lowering may overwrite with the result if their types are equal. The default
        is 0 and 1 for an element-wise operator, and no input for other operators.
    ufunc_name : str or None
        The NumPy function with the same result on floating-point arrays; see :meth:`ufunc`.
    identity : {"", "always", "same type"}
        Whether the operator returns its first input: in every program, or only if this input has the type of the
        result.
    neutral : float or None
        The value of the attribute ``scalar`` with which the operator returns its input unchanged.
    lenient : bool
        Whether the kernel accepts shapes or types that the rules reject, because NumPy broadcasts sizes of 1 and
        promotes types, or because the kernel doesn't read an input. An eager call then applies the rules before the
        kernel.
    inputs_each : int
        The number of inputs that ``num_args`` counts as one input; for example, 3 for a quantized array and the ends of
        its range.
    takes_anything : bool
        Whether MXNet ignores unknown attributes of this operator; by default, True if the operator has no attributes
        and a fixed number of inputs.
    by_name : tuple of str
        The inputs and attributes that MXNet's function accepts but doesn't document. In this package, they are
        keyword-only.
    is_loss : bool
        Whether the operator is a loss whose gradient ignores the incoming gradient, so that a backward pass can start
        from it.
    calls_python : bool
        Whether a user wrote the operator, so that a program calls back into Python.
    asks_device : str or callable
        The reason why the kernel copies values from a GPU to the host, or a function of the attributes that returns
        the reason; empty if the kernel copies nothing.
    tells_device : str or callable
        The values that the kernel copies from the host to a GPU, as text, or a function of the attributes that returns
        this text; empty if the kernel copies nothing.
    hidden_in_mxnet : int
        The number of additional outputs that MXNet counts in files, such as workspaces.
    hidden_names : tuple of str
        MXNet's names for the hidden outputs, which only files can select.
    names_outputs : bool
        Whether MXNet passes the names of outputs to monitors.
    names_inputs : bool or None
        Whether MXNet passes the names of inputs to monitors; None if MXNet does so unless ``data`` is the only input.
    precision : {"", "half", "single", "widest"} or tuple
        The element type in mixed precision, or ``(attribute, values)``: single precision if the attribute has one of
        these values.
    assumes_single : bool
        Whether MXNet assumes single precision if no element type is known.
    zero_stays : callable or None
        The function of the attributes that returns whether the result is zero where all inputs are zero, so that sparse
        arrays stay sparse; see :mod:`d2lhybrid.internals.ops.storage`.
    lazy_rows : {"", "sparse gradient", "sparse weight"}
        Whether an optimizer's operator updates only the rows that a row-sparse gradient stores: always, or only if the
        weight is row-sparse, too.
    initial : callable or None
        The function of the attributes that returns the initializers of some inputs, in the text format of saved files.
    reduces : bool
        Whether the kernel does one arithmetic operation for each element of its first input.
    family : str
        A key of ``pictures.graph_family.FAMILIES``, which determines the operator's color in pictures; by default,
        ``FAMILY`` in the file of its kernel.
    """

    kernel: Callable[..., Any]
    elementwise: bool
    attributes: dict[str, Any]
    variadic: str | None

    view: Literal["", "reshape", "transpose"] = ""
    overwrites: tuple[int, ...] = ()
    _takes_anything: bool | None = None
    by_name: tuple[str, ...] = ()
    ufunc_name: str | None = None
    ufunc_reversed: bool = False
    lowering_rule: Lowering | None = None
    lowering_condition: Callable[..., bool] | None = None
    numpy_lowering_rule: Lowering | None = None
    expression_rule: str | Callable[..., str | None] | None = None
    product_rule: Callable[..., Product | None] | None = None
    flops_rule: Callable[..., int] | None = None
    reduces: bool = False
    identity: Literal["", "always", "same type"] = ""
    neutral: float | None = None
    lenient: bool = False
    inputs_each: int = 1
    is_loss: bool = False
    calls_python: bool = False
    asks_device: str | Callable[..., str] = ""
    tells_device: str | Callable[..., str] = ""
    hidden_in_mxnet: int = 0
    hidden_names: tuple[str, ...] = ()
    precision: Literal["", "half", "single", "widest"] | tuple[str, tuple[str, ...]] = ""  # single for those values
    assumes_single: bool = False
    zero_stays: Callable[..., bool] | None = None
    lazy_rows: Literal["", "sparse gradient", "sparse weight"] = ""
    initial: Callable[..., dict[str, str]] | None = None
    names_outputs: bool = False
    names_inputs: bool | None = None
    _family: str | None = None

    @property
    def family(self) -> str:
        """The family that determines the operator's color in pictures."""
        return self._family or getattr(sys.modules.get(self.kernel.__module__), "FAMILY", "other")

    @family.setter
    def family(self, name: str) -> None:
        self._family = name

    @property
    def takes_anything(self) -> bool:
        """Whether MXNet ignores unknown attributes."""
        if self._takes_anything is not None:
            return self._takes_anything
        return not self.attributes and self.variadic is None

    @takes_anything.setter
    def takes_anything(self, answer: bool) -> None:
        self._takes_anything = answer

    def ufunc(self, name: str, is_reversed: bool = False) -> None:
        """Declare the NumPy function that computes the operator for floating-point arrays of one element type.

        The NumPy function must take the inputs, then the attribute ``scalar`` if the operator has it, and ``out=``.

        Parameters
        ----------
        name : str
            The function's name in NumPy and CuPy.
        is_reversed : bool
            Whether the function takes the inputs in reverse order, as ``subtract`` does for ``scalar - x``.
        """
        self.ufunc_name, self.ufunc_reversed = name, is_reversed
        self.lowering(self._call_ufunc)

    def _call_ufunc(self, emit: Emitter) -> None:
        arguments = list(emit.arguments)
        if "scalar" in self.attributes:
            compares = self.ufunc_name in ("maximum", "minimum")
            arguments.append((emit.beside if compares else emit.number)(emit.node.params.get("scalar", 1.0)))
        assert self.ufunc_name is not None
        emit.call(self.ufunc_name, *(reversed(arguments) if self.ufunc_reversed else arguments))

    def lowering(self, rule: Lowering) -> Lowering:
        """Attach ``rule(emit)``, which writes the lines of code that compute the operator with NumPy or CuPy.

        The lowering applies if all element types are the same floating-point type and the result is one array.

        Parameters
        ----------
        rule : callable
            The function that writes the lines.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.lowering_rule = rule
        return rule

    def lowered_if(self, rule: Callable[..., bool]) -> Callable[..., bool]:
        """Attach ``rule(*input_shapes, **attributes)``, which returns whether the lowering applies.

        Parameters
        ----------
        rule : callable
            The function that decides whether a call is lowered.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.lowering_condition = rule
        return rule

    def numpy_lowering(self, rule: Lowering) -> Lowering:
        """Attach a lowering that is only for NumPy, and that applies to any types and any number of results.

        Parameters
        ----------
        rule : callable
            The function ``rule(emit)``, as for :meth:`lowering`.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.numpy_lowering_rule = rule
        return rule

    def expression(self, rule: str | Callable[..., str | None]) -> Any:
        """Attach the expression of the operator in C and CUDA C, for ``float`` and ``double``.

        The rule is the text of an expression, or a function ``rule(**attributes)`` that returns this text or None. The
        text may contain ``{0}`` and ``{1}`` for the inputs, ``{s}`` for the attribute ``scalar``, ``{low}`` and
        ``{high}`` for ``a_min`` and ``a_max``, the numbers ``zero`` and ``one``, and the functions of
        ``compiler/backends/c_expressions.py``. That file also contains the expressions of most NumPy functions.

        Parameters
        ----------
        rule : str or callable
            The text, or the function that returns the text.

        Returns
        -------
        str or callable
            The argument `rule`.
        """
        self.expression_rule = rule
        return rule

    def product(self, rule: Callable[..., Product | None]) -> Callable[..., Product | None]:
        """Attach ``rule(result, *inputs, **attributes)``, which returns the matrix product that the operator computes.

        ``result`` and ``inputs`` are tensor types with one floating-point type and at least one element. The rule
        returns None if a call isn't a matrix product.

        Parameters
        ----------
        rule : callable
            The function that describes the product.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.product_rule = rule
        return rule

    def flops(self, rule: Callable[..., int]) -> Callable[..., int]:
        """Attach ``rule(result, *inputs, **attributes)``, which counts arithmetic operations from tensor types.

        Parameters
        ----------
        rule : callable
            The function that counts the operations.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.flops_rule = rule
        return rule
