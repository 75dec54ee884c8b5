"""The conversion of models to mixed precision: graphs with casts, and parameters in the required precision."""

from __future__ import annotations

from typing import Any

from ...context import Context, cpu
from ...gluon import HybridBlock, SymbolBlock
from ...internals.core.infer import dtype_in
from ...module import BucketingModule
from ...symbol import Symbol, var
from .convert import convert_symbol
from .operators import check_target

__all__ = ["convert_bucketing_module", "convert_hybrid_block", "convert_model"]


def _cast_as_declared(symbol: Symbol, names: list[str], arrays: dict[str, Any]) -> None:
    """Convert arrays to the element types that a graph declares."""
    attrs = symbol.attr_dict()
    for name in names:
        dtype = dtype_in(attrs.get(name, {}), name) if name in arrays else None
        if dtype is not None:
            arrays[name] = arrays[name].astype(dtype)


def convert_model(
    sym: Symbol,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    target_dtype: Any = "float16",
    target_dtype_ops: list[str] | None = None,
    fp32_ops: list[str] | None = None,
    conditional_fp32_ops: list[tuple[str, str, list[str]]] | None = None,
    excluded_sym_names: list[str] | None = None,
    cast_optional_params: bool = False,
) -> tuple[Symbol, dict[str, Any], dict[str, Any]]:
    """Convert a graph and its parameters to mixed precision.

    Parameters
    ----------
    sym : Symbol
        A graph in single precision.
    arg_params, aux_params : dict of str to NDArray
        Parameters and states of the graph. The dictionaries are not modified.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names, cast_optional_params
        Arguments of :func:`convert_symbol`.

    Returns
    -------
    tuple of (Symbol, dict, dict)
        The graph with casts, the parameters, and the states.

    Raises
    ------
    AssertionError
        If an argument has the wrong type.
    """
    assert isinstance(sym, Symbol), "First argument to convert_model should be Symbol"
    assert isinstance(arg_params, dict), "Second argument to convert_model should be a dict of name to ndarray"
    assert isinstance(aux_params, dict), "Third argument to convert_model should be a dict of name to ndarray"
    data = [name for name in sym.list_inputs() if name not in arg_params and name not in aux_params]
    converted = convert_symbol(
        sym, target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names, data,
        cast_optional_params,
    )  # fmt: skip
    arguments, states = dict(arg_params), dict(aux_params)
    _cast_as_declared(converted, converted.list_arguments(), arguments)
    _cast_as_declared(converted, converted.list_auxiliary_states(), states)
    return converted, arguments, states


def convert_bucketing_module(
    bucketing_mod: BucketingModule,
    target_dtype: Any = "float16",
    target_dtype_ops: list[str] | None = None,
    fp32_ops: list[str] | None = None,
    conditional_fp32_ops: list[tuple[str, str, list[str]]] | None = None,
    excluded_sym_names: list[str] | None = None,
    cast_optional_params: bool = False,
) -> BucketingModule:
    """Convert a bucketing module to mixed precision, and return the result as a new module.

    Buckets that the module has not used yet are not converted.

    Parameters
    ----------
    bucketing_mod : BucketingModule
        A module that is bound and has parameters.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names, cast_optional_params
        Arguments of :func:`convert_symbol`.

    Returns
    -------
    BucketingModule
        The converted module, which is not bound.

    Raises
    ------
    AssertionError
        If ``bucketing_mod`` is not a BucketingModule, or has no buckets or no parameters.
    """
    assert isinstance(bucketing_mod, BucketingModule), "module should be instance of bucketing module"
    assert len(bucketing_mod._buckets) > 0, "Bucketing Module should not be empty"
    ready = bucketing_mod.params_initialized
    assert ready, "bucketing_mod params should be initialized for mixed precision conversion"
    symbols: dict[Any, Symbol] = {}
    arguments, states = bucketing_mod.get_params()
    for key, module in bucketing_mod._buckets.items():
        symbols[key], arguments, states = convert_model(
            module.symbol, arguments, states, target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops,
            excluded_sym_names, cast_optional_params,
        )  # fmt: skip
    return BucketingModule.load_dict(
        symbols, bucketing_mod._sym_gen, bucketing_mod._default_bucket_key, arguments, states, **bucketing_mod._settings
    )


def convert_hybrid_block(
    block: HybridBlock,
    target_dtype: Any = "float16",
    target_dtype_ops: list[str] | None = None,
    fp32_ops: list[str] | None = None,
    conditional_fp32_ops: list[tuple[str, str, list[str]]] | None = None,
    excluded_sym_names: list[str] | None = None,
    ctx: Context | list[Context] | None = None,
    cast_optional_params: bool = False,
) -> SymbolBlock:
    """Convert a hybridized block to mixed precision, and return the result as a new block.

    Parameters
    ----------
    block : HybridBlock
        A hybridized block that has been called.
    ctx : Context or list of Context, optional
        Devices of the parameters; the CPU by default. MXNet's default is the first GPU.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names, cast_optional_params
        Arguments of :func:`convert_symbol`.

    Returns
    -------
    SymbolBlock
        The converted block.

    Raises
    ------
    AssertionError
        If the block is not a HybridBlock.
    RuntimeError
        If the block has no graph yet.

    Examples
    --------
    >>> from d2lhybrid import gluon, nd
    >>> net = gluon.nn.Dense(2, in_units=3)
    >>> net.initialize()
    >>> net.hybridize()
    >>> y = net(nd.ones((1, 3)))
    >>> convert_hybrid_block(net, cast_optional_params=True).collect_params()[net.weight.name].dtype
    <class 'numpy.float16'>
    """
    assert isinstance(block, HybridBlock), "block input should be a HybridBlock"
    check_target(target_dtype)
    if not block._cached_graph:
        raise RuntimeError(
            "Please first call block.hybridize() and then run forward with this block at least once before calling "
            "convert_hybrid_block."
        )
    variables, symbol = block._cached_graph
    # Declare the types, because SymbolBlock warns of inputs without a type.
    inputs = [type(symbol)(var(v.name, dtype="float32")._entries) for v in variables if v is not None]
    converted = convert_symbol(
        symbol, target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names,
        [given.name for given in inputs], cast_optional_params,
    )  # fmt: skip
    arguments, states = {*converted.list_arguments()}, {*converted.list_auxiliary_states()}
    values = {n: p._reduce() for n, p in block.collect_params().items() if n in arguments or n in states}
    _cast_as_declared(converted, list(values), values)
    made = SymbolBlock(converted, inputs)
    parameters = made.collect_params()
    for name, value in values.items():
        parameters[name].cast(value.dtype)
    kinds = {name: "arg" if name in arguments else "aux" for name in values}
    parameters.load_dict({f"{kinds[n]}:{n}": v for n, v in values.items()}, ctx=cpu() if ctx is None else ctx)
    return made
