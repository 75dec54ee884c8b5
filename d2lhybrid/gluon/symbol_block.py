"""A block that runs an existing graph, for models that this package or MXNet exported."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

from .. import symbol as sym
from ..error import MXNetError
from ..internals.support.commit import all_or_nothing
from ..symbol.symbol import Symbol
from ..symbol.transform import substitute
from ..util import is_np_array
from .block import flatten, regroup
from .hybrid_block import HybridBlock
from .parameter_dict import ParameterDict

__all__ = ["SymbolBlock"]


class SymbolBlock(HybridBlock):
    """A block that runs an existing graph.

    Parameters
    ----------
    outputs : Symbol or list of Symbol
        The outputs of the block.
    inputs : Symbol or list of Symbol
        The variables that are inputs of the block. All other variables become parameters.
    params : ParameterDict, optional
        Dictionary in which to look for existing parameters.

    Raises
    ------
    AssertionError
        If an input is not a variable.
    """

    def __init__(self, outputs: Any, inputs: Any, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=None, params=None)
        self._prefix = ""
        self._params = ParameterDict("", params)
        if isinstance(inputs, Symbol) and len(inputs) == 1:
            inputs = [inputs]
        if isinstance(outputs, list | tuple) and len(outputs) == 1:
            outputs = outputs[0]
        input_symbols, self._in_format = flatten(inputs, "input")
        output_symbols, self._out_format = flatten(outputs, "output")
        out = sym.Group(output_symbols)
        for symbol in input_symbols:
            if len(symbol.get_internals().list_outputs()) != 1:
                raise AssertionError(f"Input symbols must be variable, but {symbol} is an output of operators")
        self._warn_types(input_symbols)
        self._find_parameters(out, input_symbols)
        self._cached_graph = (input_symbols, out)
        self._active = True

    @staticmethod
    def _warn_types(inputs: list[Symbol]) -> None:
        """Warn, as MXNet does, of the first input without a declared element type."""
        for symbol in inputs:
            dtypes, _, _ = symbol.infer_type_partial()
            if None in dtypes:
                warnings.warn(
                    "Cannot decide type for the following arguments. Consider providing them as input:\n\t"
                    f"{symbol.name}: None",
                    stacklevel=4,
                )
                return

    def _find_parameters(self, out: Symbol, inputs: list[Symbol]) -> None:
        names = {symbol.name for symbol in inputs}
        dtypes = _types_of_parameters(out, inputs)
        for name in out.list_arguments():
            if name not in names:
                self.params.get(name, allow_deferred_init=True, dtype=dtypes.get(name, numpy.float32))
        for name in out.list_auxiliary_states():
            if name not in names:
                dtype = dtypes.get(name, numpy.float32)
                self.params.get(name, grad_req="null", allow_deferred_init=True, dtype=dtype)
        common = _common_prefix(list(self._params.keys()))
        self._reg_params = {name[len(common) :]: p for name, p in self._params.items()}
        self._stored_names = {p.name: key for key, p in self._reg_params.items()}

    @staticmethod
    def imports(
        symbol_file: str,
        input_names: Any,
        param_file: str | None = None,
        ctx: Any = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """Return a block that runs an exported model.

        Parameters
        ----------
        symbol_file : str
            Path of ``...-symbol.json``.
        input_names : str or list of str
            Names of the variables that are inputs.
        param_file : str, optional
            Path of ``...-0000.params``.
        ctx : Context or list of Context, optional
            Devices of the parameters; the CPU by default.
        allow_missing, ignore_extra : bool
            Whether to accept parameters that only the graph has, and parameters that only the file has.

        Returns
        -------
        SymbolBlock
            The block.

        Raises
        ------
        MXNetError
            If a file is missing or damaged.
        AssertionError
            If the graph and the parameters do not match.
        """
        symbol = sym.load(symbol_file)
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        # Without a parameter file, the element types of the parameters are unknown: assume float32.
        inputs = [sym.var(name, dtype="float32" if param_file is None else None) for name in names]
        if is_np_array():
            symbol, inputs = symbol.as_np_ndarray(), [i.as_np_ndarray() for i in inputs]
        block = SymbolBlock(symbol, inputs)
        if param_file is not None:
            block.collect_params().load(
                param_file, ctx, allow_missing, ignore_extra, cast_dtype=True, dtype_source="saved"
            )
        return block

    def __repr__(self) -> str:
        assert self._cached_graph is not None
        inputs, out = self._cached_graph
        return f"{type(self).__name__}(\n{out} : {len(inputs)} -> {len(out.list_outputs())}\n)"

    def _run_eagerly(self, ctx: Any, *args: Any) -> Any:
        return self._call_cached_op(*args)

    def _run_symbolically(self, *args: Any) -> Any:
        """Return the graph applied to symbols."""
        assert self._cached_graph is not None
        flat, structure = flatten(args, "input")
        if structure != self._in_format:
            raise ValueError(
                f"the arguments of this call are nested as {structure}, but the inputs of the SymbolBlock are nested "
                f"as {self._in_format} (0 represents one symbol)"
            )
        inputs, out = self._cached_graph
        used = set(out.list_inputs())
        replacements = {old.name: new for old, new in zip(inputs, flat, strict=True) if old.name in used}
        replacements.update({n: p.var() for n, p in self.params.items() if n in used})
        replaced = substitute(out, replacements)
        return replaced if self._out_format == 0 else regroup(list(replaced), self._out_format)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy, including the graph."""
        return {**super().__getstate__(), "_cached_graph": self._cached_graph}

    def _clear_cached_op(self, **values: Any) -> None:
        # Keep the graph, because it cannot be traced again.
        super()._clear_cached_op(_cached_graph=self.__dict__.get("_cached_graph"), **values)

    def reset_ctx(self, ctx: Any) -> None:
        """Move all parameters to other devices.

        Parameters
        ----------
        ctx : Context or list of Context
            The devices. Each parameter gets a copy on each device.

        Examples
        --------
        >>> from d2lhybrid import cpu, gluon, sym
        >>> x = sym.var("x", dtype="float32")
        >>> net = gluon.SymbolBlock(sym.FullyConnected(x, num_hidden=1, name="fc"), x)
        >>> net.initialize()
        >>> net.reset_ctx(cpu(1))
        >>> net.collect_params()["fc_bias"].list_ctx()
        [cpu(1)]
        """
        self.collect_params().reset_ctx(ctx)

    def cast(self, dtype: Any) -> None:
        """Convert all parameters to another element type.

        Statistics for which an operator requires another element type are converted to that type. For example, batch
        normalization of float16 data keeps its statistics in float32.

        Parameters
        ----------
        dtype : str or type
            The new element type.
        """
        self._clear_cached_op()
        required = self._types_of_statistics(numpy.dtype(dtype))
        with all_or_nothing(*self._parts()):
            for name, parameter in self.params.items():
                parameter.cast(required.get(name, dtype))

    def _types_of_statistics(self, dtype: numpy.dtype) -> dict[str, Any]:
        """Return the element types that stateful operators require for their parameters, by parameter name."""
        assert self._cached_graph is not None
        required = {}
        for node in self._cached_graph[1]._nodes():
            if node.op is None or not node.op.aux or node.op.type_rule is None:
                continue
            input_types = [dtype, *[None] * (len(node.inputs) - 1)]
            types, _ = node.op.type_rule(*input_types, **node.op.complete(node.params))
            for (child, _), wanted in zip(node.inputs, types, strict=False):
                if child.op is None and wanted is not None and wanted != dtype:
                    required[child.name] = wanted
        return required

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because the block runs its graph instead.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError


def _types_of_parameters(out: Symbol, inputs: list[Symbol]) -> dict[str, Any]:
    """Return the element types of a graph's variables, by name; empty unless the inputs' types determine all of them.

    As in MXNet, the types that the inputs declare count. The types that the variables of the graph declare count only
    if each input declares one.
    """
    known = {}
    for symbol in inputs:
        (known[symbol.name],) = symbol.infer_type_partial()[0]  # `_warn_types` has warned already
    if None in known.values():
        return {}
    used = set(out.list_inputs())
    try:
        arguments, _, states = out.infer_type(**{name: dtype for name, dtype in known.items() if name in used})
    except MXNetError:
        return {}
    if arguments is None or states is None:
        return {}
    names = [*out.list_arguments(), *out.list_auxiliary_states()]
    return dict(zip(names, [*arguments, *states], strict=True))


def _common_prefix(names: list[str]) -> str:
    """Return the common beginning of all names."""
    if not names:
        return ""
    first, last = min(names), max(names)
    count = 0
    while count < len(first) and count < len(last) and first[count] == last[count]:
        count += 1
    return first[:count]
