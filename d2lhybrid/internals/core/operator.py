"""The operator registry, in which every operator is defined once.

An operator is a plain function of an array module ``xp`` (NumPy or CuPy) and arrays, with the
decorator :func:`operator`. The rules of the operator follow directly below the function::

    @operator("FullyConnected", "_npx_fully_connected")
    def fully_connected(xp, data: Array, weight: Array, bias: Array | None = None,
                        num_hidden: int = REQUIRED, no_bias: bool = False, flatten: bool = True):
        '''Affine map. (numpydoc)'''
        ...

    @fully_connected.infer_shape      # None = not known yet
    def _(data, weight, bias, *, num_hidden, no_bias, flatten): ...

    @fully_connected.gradient         # written once, runs on arrays and on symbols
    def _(F, dy, y, data, weight, bias, *, num_hidden, no_bias, flatten): ...

The annotation of a parameter declares its role:

==================  ==============================================================================
``Array``           an input of the graph; ``Array | None`` an input that may be missing;
                    ``*data: Array`` any number of inputs (the attribute ``num_args`` in a file)
``Training``        filled in by the caller: True while training (never an attribute)
``Generator``       filled in by the caller: the random generator of the context
anything else       an attribute: ``int``, ``float``, ``bool``, ``str``, ``Shape``, ``Floats``,
                    ``Pairs``, ``DType``, ``Literal[...]``, each also with ``| None``; ``Any`` for
                    values without a text form, so that files cannot contain the operator
==================  ==============================================================================

The names are MXNet's, so that the JSON format needs no mapping table. Files contain the first name.
The prefix of a name determines its public namespace (``_linalg_`` -> ``nd.linalg``, ``_npx_`` -> ``npx``,
``_`` -> ``nd._internal``, none -> ``nd``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...error import MXNetError
from ..support.locks import cached_property
from ..support.suggestions import did_you_mean
from . import attributes as settings
from .attributes import REQUIRED, Array, Attribute, DType, Floats, Generator, Input, Pairs, Shape, Training
from .facts import Facts

__all__ = [
    "REQUIRED", "Array", "Attribute", "DType", "Floats", "Generator", "Input", "Operator", "Pairs", "Shape", "Training",
    "all_operators", "get_operator", "is_registered", "operator", "registered_names",
]  # fmt: skip


#: The error message for the gradient of an operator without a gradient rule.
NOT_DIFFERENTIABLE = "Operator {} is non-differentiable because it didn't register FGradient attribute."


class Operator(settings.Inputs, Facts):
    """An operator: its kernel, attributes, rules, and facts for the compiler.

    Attributes
    ----------
    name : str
        MXNet's canonical name, which ``-symbol.json`` files contain.
    names : tuple of str
        All names of the operator, the canonical name first.
    kernel : callable
        The function ``kernel(xp, *arrays, **attributes)``, which never writes to its inputs.
    inputs : tuple of Input
        The declared array parameters, without a ``*`` parameter.
    variadic : str or None
        The name of the ``*`` parameter of an operator with any number of inputs.
    attributes : dict of str to Attribute
        The attributes, in the order of the signature.
    aux, differentiable, elementwise, threaded, fresh
        See :func:`operator`.
    pure : bool
        Whether equal inputs give equal outputs, so that a pass may merge, fold, or drop nodes with this operator.
    """

    def __init__(
        self,
        kernel: Callable[..., Any],
        names: tuple[str, ...],
        outputs: int | Callable[..., int],
        visible_outputs: int | Callable[..., int] | None,
        aux: tuple[str, ...],
        differentiable: bool,
        elementwise: bool,
        threaded: bool,
        fresh: bool,
    ) -> None:
        self.kernel = kernel
        self.name: str = names[0]
        self.names = names
        self.aux = aux
        self.differentiable = differentiable
        self.refuses_gradient = False  # whether the gradient rule raises an error
        self.elementwise = elementwise
        self.overwrites: tuple[int, ...] = (0, 1) if elementwise else ()
        self.threaded = threaded
        self.fresh = fresh
        self.__doc__ = kernel.__doc__
        self.inputs: tuple[Input, ...] = ()
        self.variadic: str | None = None
        self.attributes: dict[str, Attribute] = {}
        self.uses_training = self.uses_generator = False
        self._read_signature(inspect.signature(kernel))
        self.pure = not self.uses_generator
        self._outputs = outputs
        self._visible = outputs if visible_outputs is None else visible_outputs
        self.shape_rule: Callable[..., Any] | None = None
        self.input_shape_rule: Callable[..., Any] | None = None
        self.type_rule: Callable[..., Any] | None = None
        self.gradient_rule: Callable[..., Any] | None = None
        self._gradient_extras: frozenset[str] = frozenset()
        self._updates_need_training = {"forward": False, "backward": False}
        self._draws: Callable[..., bool] | None = None
        self._starts: Callable[..., bool] | None = None
        self.forward_updates: Callable[..., dict[str, Any]] | None = None
        self.backward_updates: Callable[..., dict[str, Any]] | None = None
        #: The rule that returns the :class:`~d2lhybrid.internals.core.sparse_rows.LookedUp` of a call, or None.
        self.looks_up: Callable[..., Any] | None = None
        #: The indices of the inputs whose gradients have the same stored rows as the incoming gradient.
        self.hands_rows_on: frozenset[int] = frozenset()

    def _read_signature(self, signature: inspect.Signature) -> None:
        inputs = []
        for parameter in list(signature.parameters.values())[1:]:
            annotation = str(parameter.annotation)
            if annotation == "Array" and parameter.kind is parameter.VAR_POSITIONAL:
                self.variadic = parameter.name
            elif annotation in ("Array", "Array | None"):
                inputs.append(Input(parameter.name, annotation != "Array"))
            elif annotation == "Training":
                self.uses_training: bool = True
            elif annotation == "Generator":
                self.uses_generator: bool = True
            else:
                default = REQUIRED if parameter.default is parameter.empty else parameter.default
                self.attributes[parameter.name] = settings.make_attribute(
                    parameter.name, annotation, default, self.name
                )
        self.inputs = tuple(inputs)

    # Decorators that attach rules ------------------------------------------------

    def infer_shape(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Attach the shape rule ``rule(*input_shapes, **attributes) -> (inputs, outputs)``.

        A shape is None (nothing known) or a tuple whose unknown sizes are None. The rule returns
        two lists: the input shapes, completed as far as possible, and the output shapes.
        The rule raises :class:`~d2lhybrid.error.ShapeError` if shapes contradict each other.

        Parameters
        ----------
        rule : callable
            The function that infers shapes.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.shape_rule = rule
        return rule

    def infer_input_shapes(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Attach the rule ``rule(output_shapes, *input_shapes, **attributes) -> input_shapes``.

        An operator needs this rule if its output shapes determine input shapes. The rule returns the input shapes,
        completed as far as possible.

        Parameters
        ----------
        rule : callable
            The function that completes the input shapes.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.input_shape_rule = rule
        return rule

    def infer_type(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Attach the type rule, which has the form of the shape rule.

        An unknown element type is None.

        Parameters
        ----------
        rule : callable
            The function that infers element types.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.type_rule = rule
        return rule

    def gradient(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Attach the gradient rule, which computes a vector-Jacobian product.

        ``rule(F, dy, y, *inputs, **attributes)`` returns one gradient per input, None for a gradient that is zero. For
        an operator with one output, ``dy`` and ``y`` are values. For an operator with several outputs, ``dy`` and ``y``
        are lists over all outputs, including hidden outputs, whose ``dy`` is None. ``F`` provides every operator under
        each of its names. A rule may declare three more keywords. ``needs`` contains, for each input, whether its
        gradient is needed. ``arrived`` contains 1 for an output whose gradient has arrived, and 0 for an output whose
        ``dy`` is zeros instead. ``training`` says whether the call was in training mode.

        Parameters
        ----------
        rule : callable
            The function that returns the gradients.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.gradient_rule = rule
        self._gradient_extras = frozenset(inspect.signature(rule).parameters) & {"arrived", "needs", "training"}
        return rule

    def draws_when(self, rule: Callable[..., bool]) -> Callable[..., bool]:
        """Attach ``rule(**attributes)``, which returns whether a call draws random numbers.

        Without this rule, every call of an operator with a random generator draws.

        Parameters
        ----------
        rule : callable
            The function that decides whether a call draws random numbers.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self._draws = rule
        return rule

    def draws(self, params: dict[str, Any]) -> bool:
        """Return whether a call with given attributes draws random numbers.

        Parameters
        ----------
        params : dict
            Attributes of the call.

        Returns
        -------
        bool
            Whether the call draws random numbers.
        """
        return self.uses_generator and (self._draws is None or self._draws(**self.complete(params)))

    def starts_when(self, rule: Callable[..., bool]) -> Callable[..., bool]:
        """Attach ``rule(**attributes)``, which returns whether a call of an operator starts a gradient, as a loss does.

        Without this rule, only a loss starts a gradient.
        """
        self._starts = rule
        return rule

    def starts(self, params: dict[str, Any]) -> bool:
        """Return whether a call with given attributes starts a gradient even if no gradient arrives.

        Parameters
        ----------
        params : dict
            Attributes of the call.

        Returns
        -------
        bool
            Whether the call starts a gradient.
        """
        if self._starts is not None:
            return self._starts(**self.complete(params))
        return self.is_loss and not params.get("out_grad", False)

    def updates_in_forward(self, rule: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
        """Attach the rule ``rule(F, y, *inputs, **attributes) -> {input name: new value}``.

        The caller of the kernel writes the new values into the input arrays after the call. In this way, an operator
        with a pure kernel can update states, such as the momentum of ``sgd_mom_update``.

        Parameters
        ----------
        rule : callable
            The function that returns the new values.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.forward_updates = rule
        self._updates_need_training["forward"] = "training" in inspect.signature(rule).parameters
        return rule

    def updates_in_backward(self, rule: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
        """Attach a rule like that of :meth:`updates_in_forward` for updates in the backward pass, as in BatchNorm.

        Parameters
        ----------
        rule : callable
            The function that returns the new values.

        Returns
        -------
        callable
            The argument `rule`.
        """
        self.backward_updates = rule
        self._updates_need_training["backward"] = "training" in inspect.signature(rule).parameters
        return rule

    def vjp(
        self,
        F: Any,
        output_grads: list[Any],
        outputs: list[Any],
        inputs: Sequence[Any],
        params: dict[str, Any],
        needs: tuple[bool, ...],
        training: bool,
    ) -> list[Any]:
        """Run the gradient rule in a function space, and return the gradients of the inputs.

        If there are several outputs, zeros replace missing gradients of visible outputs.

        Parameters
        ----------
        F : KernelSpace, GraphSpace, or RecordedSpace
            The function space.
        output_grads : list
            The gradient of each output, None for a missing gradient.
        outputs, inputs : sequence
            The values of the outputs and the inputs.
        params : dict
            The attributes, without defaults.
        needs : tuple of bool
            Whether the gradient of each input is needed.
        training : bool
            Whether the call was in training mode.

        Returns
        -------
        list
            One gradient per input, None for a gradient that is zero.
        """
        if self.gradient_rule is None:
            return [None] * len(inputs)
        keywords = self.complete(params)
        if "needs" in self._gradient_extras:
            keywords["needs"] = needs
        if "arrived" in self._gradient_extras:
            keywords["arrived"] = tuple(int(g is not None) for g in output_grads)
        if "training" in self._gradient_extras:
            keywords["training"] = training
        if len(outputs) == 1:
            return list(self.gradient_rule(F, output_grads[0], outputs[0], *inputs, **keywords))[: len(inputs)]
        visible = self.num_visible_outputs(params, len(inputs))
        dy = [
            F.zeros_like(y) if g is None and i < visible else g
            for i, (g, y) in enumerate(zip(output_grads, outputs, strict=True))
        ]
        return list(self.gradient_rule(F, dy, outputs, *inputs, **keywords))[: len(inputs)]

    def updates(
        self, stage: str, F: Any, outputs: list[Any], inputs: Sequence[Any], params: dict[str, Any], training: bool
    ) -> dict[str, Any]:
        """Return the new values of inputs that hold state.

        Parameters
        ----------
        stage : {"forward", "backward"}
            The pass after which the states are updated.
        F : object
            The function space.
        outputs, inputs : sequence
            Values of the outputs and of the inputs.
        params : dict
            The attributes of the call, without defaults.
        training : bool
            Whether the operator ran in training mode.

        Returns
        -------
        dict of str to array
            The new values, by the name of the input, or by its index as text for a variadic operator.
        """
        rule = self.forward_updates if stage == "forward" else self.backward_updates
        if rule is None:
            return {}
        keywords = self.complete(params)
        if self._updates_need_training[stage]:
            keywords["training"] = training
        return rule(F, outputs[0] if len(outputs) == 1 else outputs, *inputs, **keywords)

    # Properties of the operator, and of calls ---------------------------------------------------

    @cached_property
    def in_files(self) -> bool:
        """Whether a file may contain this operator. Operators that only compiler passes create can't be in a file."""
        return not any(a.kind == "Any" for a in self.attributes.values())

    @cached_property
    def plain(self) -> bool:
        """Whether a call only runs the kernel: one output, no training mode, no random numbers, no new states."""
        return (
            self._outputs == 1 and not self.uses_training and not self.uses_generator and self.forward_updates is None
        )

    @cached_property
    def moves_states(self) -> bool:
        """Whether a call updates some of its inputs, such as running statistics or the momentum of an optimizer."""
        return self.forward_updates is not None or self.backward_updates is not None

    def num_outputs(self, params: dict[str, Any], num_inputs: int = 0) -> int:
        """Return the number of the kernel's outputs for given attributes and a given number of inputs.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        num_inputs : int
            Number of inputs of the call.

        Returns
        -------
        int
            The number of outputs.
        """
        count = self._outputs
        return count if isinstance(count, int) else self._count(count, params, num_inputs)

    def num_visible_outputs(self, params: dict[str, Any], num_inputs: int = 0) -> int:
        """Return the number of outputs that a call returns. All other outputs are hidden.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        num_inputs : int
            Number of inputs of the call.

        Returns
        -------
        int
            The number of outputs.
        """
        count = self._visible
        return count if isinstance(count, int) else self._count(count, params, num_inputs)

    def _count(self, count: Callable[..., int], params: dict[str, Any], num_inputs: int) -> int:
        keywords = self.complete(params)
        if self.variadic is not None:
            keywords["num_args"] = num_inputs
        return count(**keywords)

    def complete(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes of a call, completed with defaults.

        Parameters
        ----------
        params : dict
            The attributes of the call, without defaults.

        Returns
        -------
        dict of str to object
            The attributes with defaults.
        """
        return self._defaults | params

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {name: a.default for name, a in self.attributes.items()}

    def parse(self, given: dict[str, Any], node: str = "") -> dict[str, Any]:
        """Parse attributes from Python values or from the strings of a file.

        Parameters
        ----------
        given : dict of str to object
            The values by attribute.
        node : str
            Name of the node, for the error message.

        Returns
        -------
        dict of str to object
            The parsed values, without defaults.

        Raises
        ------
        MXNetError
            If an attribute is unknown, if a value cannot be parsed, or if a required attribute is missing.
        """
        counted = None if self.variadic is None else settings.NUMBER_OF_ARGUMENTS
        return settings.read_attributes(self.attributes, counted, given, f"operator {self.name}", node)

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring of the operator's kernel."""
        return inspect.cleandoc(self.kernel.__doc__ or "").split("\n\n")[0]

    def __call__(self, xp: Any, *arrays: Any, **attributes: Any) -> Any:
        """Run the kernel on raw arrays. Kernels call each other in this way."""
        return self.kernel(xp, *arrays, **attributes)

    def __repr__(self) -> str:
        return f"<Operator {self.name}>"


_OPERATORS: dict[str, Operator] = {}


def operator(
    *names: str,
    outputs: int | Callable[..., int] = 1,
    visible_outputs: int | Callable[..., int] | None = None,
    aux: tuple[str, ...] = (),
    differentiable: bool = True,
    elementwise: bool = False,
    threaded: bool = False,
    fresh: bool = False,
) -> Callable[[Callable[..., Any]], Operator]:
    """Return a decorator that registers a kernel as an operator under MXNet's names.

    Parameters
    ----------
    *names : str
        MXNet's names for the operator, the canonical name first.
    outputs : int or callable
        The number of arrays that the kernel returns, or a function of the attributes that returns the number.
    visible_outputs : int or callable, optional
        The number of outputs that a call returns; all by default. The remaining outputs are hidden.
    aux : tuple of str
        The names of inputs that hold state, which the operator updates and which are never differentiated.
    differentiable : bool
        Whether the gradient can be nonzero; False for ``argmax``, comparisons, and the creation of arrays.
    elementwise : bool
        Whether an output element depends only on the input elements at the same position (after broadcasting), so
        that the compiler may fuse the operator with its neighbors.
    threaded : bool
        Whether the kernel uses several threads for large arrays, because it multiplies or decomposes matrices.
    fresh : bool
        Whether the kernel never returns a view of an input, so that the compiler may write into the result.

    Returns
    -------
    callable
        The decorator, which returns the kernel's operator.

    Raises
    ------
    ValueError
        If an operator with one of the names already exists, unless it was defined in a cell of a notebook.
    """

    def register(kernel: Callable[..., Any]) -> Operator:
        op = Operator(kernel, names, outputs, visible_outputs, aux, differentiable, elementwise, threaded, fresh)
        for name in names:
            if name in _OPERATORS and _OPERATORS[name].kernel.__module__ != "__main__":  # a cell may run again
                error = ValueError(f"operator {name!r} is already registered")
                error.add_note("Choose another name for your operator.")
                raise error
            _OPERATORS[name] = op
        return op

    return register


def get_operator(name: str) -> Operator:
    """Return the operator with a given name, which may be any of the operator's names.

    Parameters
    ----------
    name : str
        A name of the operator.

    Returns
    -------
    Operator
        The operator with this name.

    Raises
    ------
    MXNetError
        If no operator has the name. If a name is similar, a note suggests it.
    """
    try:
        return _OPERATORS[name]
    except KeyError:
        error = MXNetError(f"Check failed: op != nullptr: Operator {settings.shorten(name)} is not registered")
        if hint := did_you_mean(name, _OPERATORS).strip():
            error.add_note(hint)
        raise error from None


def is_registered(name: str) -> bool:
    """Return whether an operator with a given name exists.

    Parameters
    ----------
    name : str
        A name of an operator.

    Returns
    -------
    bool
        Whether an operator has the name.
    """
    return name in _OPERATORS


def registered_names() -> Iterator[str]:
    """Iterate over all names of all operators."""
    return iter(_OPERATORS)


def all_operators() -> list[Operator]:
    """Return every operator once, in the order of registration."""
    return list(dict.fromkeys(_OPERATORS.values()))
