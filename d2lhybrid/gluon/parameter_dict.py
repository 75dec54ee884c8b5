"""Dictionaries of parameters, the results of ``net.collect_params()``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

import numpy

from .. import initializer
from ..context import Context
from ..error import MismatchError, UnexpectedNameError
from ..internals.support.commit import all_or_nothing, commit
from .constant import Constant
from .parameter import Parameter
from .utils import _brief_print_list, _indent

__all__ = ["ParameterDict"]

_NAMING = "https://mxnet.io/api/python/docs/tutorials/packages/gluon/blocks/naming.html"


class ParameterDict:
    """A dictionary from full names to parameters, in order of insertion.

    Parameters
    ----------
    prefix : str
        Prefix of the names of parameters that this dictionary creates.
    shared : ParameterDict, optional
        Dictionary in which :meth:`get` looks for a parameter before it creates the parameter.

    Examples
    --------
    >>> params = ParameterDict("net_")
    >>> params.get("w", shape=(2, 3))
    Parameter net_w (shape=(2, 3), dtype=<class 'numpy.float32'>)
    >>> params.get("w") is params["net_w"]
    True
    """

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None) -> None:
        self._prefix = prefix
        self._params: OrderedDict[str, Parameter] = OrderedDict()
        self._shared = shared

    def __repr__(self) -> str:
        content = "\n".join(_indent(f"  {p!r}", 2) for p in self.values())
        return f"{self._prefix + ' ' if self._prefix else ''}(\n{content}\n)"

    def __getitem__(self, key: str) -> Parameter:
        return self._params[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def items(self) -> ItemsView[str, Parameter]:
        """Return the pairs of name and parameter."""
        return self._params.items()

    def keys(self) -> KeysView[str]:
        """Return the full names of the parameters."""
        return self._params.keys()

    def values(self) -> ValuesView[Parameter]:
        """Return the parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """The prefix of the names of parameters that this dictionary creates."""
        return self._prefix

    # --- making and finding --------------------------------------------------------------------

    def _get_impl(self, name: str) -> Parameter | None:
        if name not in self._params and self._shared is not None and name in self._shared._params:
            self._params[name] = self._shared._params[name]
        return self._params.get(name)

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """Return the parameter with a given name, and create the parameter if it does not exist.

        Parameters
        ----------
        name : str
            Name without the dictionary's prefix.
        **kwargs
            Arguments of :class:`Parameter`. An existing parameter must have equal attributes, except that ``shape``
            replaces unknown sizes of the parameter's shape.

        Returns
        -------
        Parameter
            The parameter.

        Raises
        ------
        AssertionError
            If an existing parameter has different attributes.
        """
        name = self.prefix + name
        parameter = self._get_impl(name)
        if parameter is None:
            parameter = self._params[name] = Parameter(name, **kwargs)
            return parameter
        for attribute, desired in kwargs.items():
            stored = getattr(parameter, attribute, None)
            if stored is None:
                setattr(parameter, attribute, desired)
            elif not self._agrees(parameter, attribute, desired, stored):
                raise AssertionError(
                    f"Cannot retrieve Parameter '{name}' because desired attribute does not match with "
                    "stored for "
                    f"attribute '{attribute}': desired '{desired}' vs stored '{stored}'."
                )
        return parameter

    @staticmethod
    def _agrees(parameter: Parameter, attribute: str, desired: Any, stored: Any) -> bool:
        if desired is None:
            return True
        if attribute == "shape":
            desired = (desired,) if isinstance(desired, int) else tuple(desired)
            pairs = list(zip(desired, stored, strict=False))
            if len(desired) != len(stored) or any(d > 0 and s > 0 and d != s for d, s in pairs):
                return False
            parameter._shape = tuple(s if s > 0 else d for d, s in pairs)
            return True
        if attribute == "dtype":
            return numpy.dtype(desired) == numpy.dtype(stored)
        return desired == stored

    def get_constant(self, name: str, value: Any = None) -> Constant:
        """Return the :class:`Constant` with a given name, and create the constant if it does not exist.

        Parameters
        ----------
        name : str
            Name without the prefix of the dictionary.
        value : NDArray or number, optional
            Value of the constant.

        Returns
        -------
        Constant
            The constant.

        Raises
        ------
        KeyError
            If the constant does not exist and ``value`` is None.
        AssertionError
            If the constant exists with a different value, or if the name belongs to a parameter that is not constant.
        """
        name = self.prefix + name
        parameter = self._get_impl(name)
        if parameter is None:
            if value is None:
                raise KeyError(
                    f"No constant named '{name}'. Please specify value if you want to create a new constant."
                )
            constant = self._params[name] = Constant(name, value)
            return constant
        if not isinstance(parameter, Constant):
            raise AssertionError(f"Parameter '{name}' already exists but it is not a constant.")
        if value is not None:
            value = value.asnumpy() if hasattr(value, "asnumpy") else numpy.asarray(value)
            current = parameter.value.asnumpy()
            if value.shape != current.shape or not (value == current).all():
                raise AssertionError(f"Constant '{name}' already exists but it's value doesn't match new value")
        return parameter

    def update(self, other: Any) -> None:
        """Add all parameters of another dictionary.

        Parameters
        ----------
        other : ParameterDict or dict
            The other dictionary.

        Raises
        ------
        AssertionError
            If a name refers to different parameters in the two dictionaries.
        """
        for name, parameter in other.items():
            if self._params.get(name, parameter) is not parameter:
                raise AssertionError(
                    f"Cannot update self with other because they have different Parameters with the same name '{name}'"
                )
            self._params[name] = parameter

    # --- for all parameters --------------------------------------------------------------------

    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters, or none if an error occurs; see :meth:`Parameter.initialize`.

        Parameters
        ----------
        init : Initializer or str, optional
            Initializer of the parameters that specify no ``init``; ``Uniform()`` by default.
        ctx : Context or list of Context, optional
            The devices; by default, the current device.
        verbose : bool
            Whether to print the name of each parameter's initializer.
        force_reinit : bool
            Whether to reinitialize parameters that are already initialized.
        """
        init = initializer.Uniform() if init is None else init
        if verbose:
            init.set_verbosity(verbose=verbose)
        with all_or_nothing(*self.values()):
            for parameter in self.values():
                parameter.initialize(None, ctx, init, force_reinit=force_reinit)

    def zero_grad(self) -> None:
        """Set all gradients to zero."""
        for parameter in self.values():
            parameter.zero_grad()

    def reset_ctx(self, ctx: Context | Sequence[Context] | None) -> None:
        """Move all parameters to other devices.

        Parameters
        ----------
        ctx : Context or list of Context, optional
            The devices; by default, the current device.
        """
        with all_or_nothing(*self.values()):
            for parameter in self.values():
                parameter.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """Return all devices that hold at least one parameter."""
        return list(dict.fromkeys(ctx for parameter in self.values() for ctx in parameter.list_ctx()))

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute of all parameters: ``params.setattr("grad_req", "null")``.

        Parameters
        ----------
        name : str
            Name of the attribute.
        value : object
            New value of the attribute.
        """
        with all_or_nothing(*self.values()):
            for parameter in self.values():
                setattr(parameter, name, value)

    # --- files ---------------------------------------------------------------------------------

    def save(self, filename: str, strip_prefix: str = "") -> None:
        """Save the values of all parameters to a file, by full name without ``strip_prefix``.

        Parameters
        ----------
        filename : str
            Path of the file.
        strip_prefix : str
            Prefix to remove from each name.

        Raises
        ------
        ValueError
            If a name does not start with the prefix.
        """
        from ..ndarray import save

        values = {}
        for parameter in self.values():
            value = parameter._reduce()
            if not parameter.name.startswith(strip_prefix):
                raise ValueError(
                    f"Prefix '{strip_prefix}' is to be striped before saving, but Parameter's name "
                    f"'{parameter.name}' does not start with '{strip_prefix}'. this may be due to your Block "
                    "shares parameters from other Blocks or you forgot to use 'with name_scope()' when "
                    "creating "
                    f"child blocks. For more info on naming, please see {_NAMING}"
                )
            values[parameter.name[len(strip_prefix) :]] = value
        save(filename, values)

    def load(
        self,
        filename: str,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load the values of all parameters from a file.

        Parameters
        ----------
        filename : str
            The file. Names in the file may start with ``arg:`` or ``aux:``.
        ctx : Context or list of Context, optional
            Devices for parameters that are not initialized yet.
        allow_missing : bool
            Whether to accept parameters that the file lacks.
        ignore_extra : bool
            Whether to accept names that the dictionary lacks.
        restore_prefix : str
            Prefix to add to the names in the file.
        cast_dtype : bool
            Whether to accept element types that differ from the parameters'.
        dtype_source : {"current", "saved"}
            The element type to keep if the types differ: the parameter's (``"current"``) or the file's (``"saved"``).

        Raises
        ------
        MXNetError
            If the file cannot be read, or contains arrays without names.
        AssertionError
            If the names, shapes, or element types in the file do not match those of the parameters, or if a name does
            not start with ``restore_prefix``.
        """
        from ..ndarray import load

        if restore_prefix:
            for name in self.keys():
                if not name.startswith(restore_prefix):
                    raise AssertionError(
                        f"restore_prefix is '{restore_prefix}' but Parameters name '{name}' does not start "
                        "with "
                        f"'{restore_prefix}'. For more info on naming, please see {_NAMING}"
                    )
        values = load(filename)
        if isinstance(values, list) and values:
            error = UnexpectedNameError(f"{filename!r} contains arrays without names, so it is not a parameter file")
            error.add_note("Read the arrays with nd.load(filename), or pass a file that ParameterDict.save wrote.")
            raise error
        self.load_dict(
            dict(values), ctx, allow_missing, ignore_extra, restore_prefix, filename, cast_dtype, dtype_source
        )

    def load_dict(
        self,
        param_dict: Mapping[str, Any],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: str | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load the values of all parameters from a dictionary.

        Parameters
        ----------
        param_dict : dict of str to NDArray
            The values.
        filename : str, optional
            Name of the values' file, for error messages.
        ctx, allow_missing, ignore_extra, restore_prefix, cast_dtype, dtype_source
            Arguments of :meth:`load`.

        Raises
        ------
        AssertionError
            If the names, shapes, or element types do not match those of the parameters.
        """
        source = f"file: {filename}" if filename else "param_dict"
        values = {
            restore_prefix + (name[4:] if name.startswith(("arg:", "aux:")) else name): value
            for name, value in param_dict.items()
        }
        cut = len(restore_prefix)
        if not allow_missing:
            for name in self.keys():
                if name not in values:
                    raise MismatchError(
                        f"Parameter '{name[cut:]}' is missing in {source}, which contains parameters: "
                        f"{_brief_print_list(values)}. {_same_prefix()}"
                    )
        changes = []
        for name, value in values.items():
            if name not in self._params:
                if not ignore_extra:
                    raise MismatchError(
                        f"Parameter '{name[cut:]}' loaded from {source} is not present in ParameterDict, "
                        "choices "
                        f"are: {_brief_print_list(self.keys())}. Set ignore_extra to True to ignore. "
                        f"{_same_prefix()}"
                    )
                continue
            changes += self._params[name]._with_loaded(value, ctx, cast_dtype, dtype_source)
        commit(changes)


def _same_prefix() -> str:
    return (
        "Please make sure source and target networks have the same prefix."
        f"For more info on naming, please see {_NAMING}"
    )
