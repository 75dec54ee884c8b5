"""LSTM layers by oneDNN, which runs all steps of a layer in one call and keeps a workspace for the gradient.

The operator has one vector of parameters. For each layer and direction, this vector contains the weights of the inputs,
``(4 · hidden, inputs)``, and of the states, ``(4 · hidden, hidden)``. The two biases of each layer and direction follow
after all weights. The library needs the sum of the two biases, and *packed* weights, whose packing differs for forward
and backward passes.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ...device.address import address
from .library import Unsupported
from .ordering import in_order
from .primitive import (
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    SRC,
    WEIGHTS,
    Arguments,
    Descriptor,
    Primitive,
    any_layout,
    chosen,
    described,
    hinting,
    make_descriptor,
    reorder,
    strides_of,
)

__all__ = ["Layers", "LstmBackward", "LstmForward"]

_INFERENCE, _TRAINING, _BACKWARD = 96, 64, 128
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = 1, 2
_OVERWRITE = 1
_WORKSPACE, _DIFF_BIAS = 64, 169
# dnnl_query_t
_WEIGHTS_MD, _DIFF_WEIGHTS_MD, _WORKSPACE_MD = 131, 132, 135
#: The alignment of pieces of a vector, in numbers: one cache line.
_LINE = 16


class Layers(NamedTuple):
    """The sizes of a stack of LSTM layers.

    Attributes
    ----------
    steps, batch, inputs, hidden : int
        The numbers of steps, sequences in the batch, input features, and hidden units.
    layers, directions : int
        The number of layers, and the number of directions: 2 for bidirectional layers, 1 for others.
    """

    steps: int
    batch: int
    inputs: int
    hidden: int
    layers: int
    directions: int

    @property
    def num_runs(self) -> int:
        """The number of runs over the time steps: the number of layers times the number of directions."""
        return self.layers * self.directions

    def features(self, run: int) -> int:
        """Return the number of input features of a run, that is, of one layer in one direction.

        Parameters
        ----------
        run : int
            Index of the run.

        Returns
        -------
        int
            The number of features.
        """
        return self.inputs if run < self.directions else self.hidden * self.directions

    def places(self) -> list[tuple[int, int, int, int]]:
        """Return the offsets, in elements, of each run's two weights and two biases in the vector of all parameters.

        Examples
        --------
        >>> Layers(steps=1, batch=1, inputs=2, hidden=1, layers=1, directions=1).places()
        [(0, 8, 12, 16)]
        """
        gates, at, matrices = 4 * self.hidden, 0, []
        for run in range(self.num_runs):
            matrices.append((at, at + gates * self.features(run)))
            at = matrices[-1][1] + gates * self.hidden
        return [(*pair, at + 2 * gates * run, at + gates * (2 * run + 1)) for run, pair in enumerate(matrices)]

    @property
    def num_parameters(self) -> int:
        """The length of the vector of all parameters."""
        return self.places()[-1][-1] + 4 * self.hidden


class _Code:
    """The library's code for one layer and direction of the steps, for the forward or backward pass.

    Parameters
    ----------
    sizes : tuple of int
        The numbers of steps, sequences, input features, and hidden units.
    direction : int
        The order of the steps.
    kind : int
        ``_INFERENCE``, ``_TRAINING``, which fills a workspace, or ``_BACKWARD``, which reads the workspace.
    """

    def __init__(self, sizes: tuple[int, int, int, int], direction: int, kind: int) -> None:
        steps, batch, inputs, hidden = sizes
        self.dims = [(1, 1, n, 4, hidden) for n in (inputs, hidden)]  # layers, directions, inputs, gates, units
        layer, result = _plain(steps, batch, inputs), _plain(steps, batch, hidden)
        state, bias = _plain(1, 1, batch, hidden), _plain(1, 1, 4, hidden)
        weights = [any_layout(dims) for dims in self.dims]
        given = [layer, state, state, *weights, None, None, bias, result, state, state]
        forward = _INFERENCE if kind == _INFERENCE else _TRAINING

        def describe() -> ctypes.c_void_p:
            descriptor = _descriptor("lstm_forward", forward, direction, given, 0)
            if kind != _BACKWARD:
                return descriptor
            with hinting(descriptor) as hint:
                return _descriptor("lstm_backward", kind, direction, [*given, *given], _OVERWRITE, hint)

        def arguments_of(descriptor: ctypes.c_void_p) -> Arguments:
            packed = [chosen(descriptor, _WEIGHTS_MD, i) for i in range(2)]
            arguments = [
                *_numbered(SRC, layer, state, state), *_numbered(WEIGHTS, *packed), (BIAS, bias),
                *_numbered(DST, result, state, state),
            ]  # fmt: skip
            if kind != _INFERENCE:
                arguments.append((_WORKSPACE, chosen(descriptor, _WORKSPACE_MD)))
            if kind == _BACKWARD:
                gradients = [chosen(descriptor, _DIFF_WEIGHTS_MD, i) for i in range(2)]
                arguments += [
                    *_numbered(DIFF_SRC, layer, state, state), *_numbered(DIFF_WEIGHTS, *gradients),
                    (_DIFF_BIAS, bias), *_numbered(DIFF_DST, result, state, state),
                ]  # fmt: skip
            return arguments

        self.primitive = Primitive(describe, arguments_of)
        self.weights = [self.primitive.layout(WEIGHTS + i) for i in range(2)]
        self.pack = [reorder(plain, found) for found, plain in zip(self.weights, self.plain(), strict=True)]
        self.workspace = 0 if kind == _INFERENCE else self.primitive.layout(_WORKSPACE).size // 4
        if kind == _BACKWARD:
            self.gradients = [self.primitive.layout(DIFF_WEIGHTS + i) for i in range(2)]
            self.unpack = [reorder(found, plain) for found, plain in zip(self.gradients, self.plain(), strict=True)]

    def plain(self) -> list[Descriptor]:
        """Return the layout of the weights in the vector of all parameters, with axes for gates, units, and inputs."""
        return [described(dims, strides_of(dims, (0, 1, 3, 4, 2))) for dims in self.dims]


def _plain(*shape: int) -> Descriptor:
    return described(shape, strides_of(shape))


def _numbered(first: int, *descriptors: Descriptor) -> list[tuple[int, Descriptor]]:
    """Return arguments with consecutive numbers, which oneDNN uses for the layer, its states, and its cells."""
    return [(first + i, descriptor) for i, descriptor in enumerate(descriptors)]


def _descriptor(
    name: str, kind: int, direction: int, given: Sequence[Descriptor | None], flags: int, *hint: ctypes.c_void_p
) -> ctypes.c_void_p:
    handles = [None if each is None else each.handle for each in given]
    return make_descriptor(name, kind, direction, *handles, flags, *hint, None)


class _Pieces:
    """The layout of a vector of pieces that are aligned to cache lines."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, count: int) -> int:
        """Reserve space for `count` numbers and return its offset."""
        start = self.count
        self.count += -(-count // _LINE) * _LINE
        return start


class ParameterPacking:
    """An object that packs the parameters of all layers and directions into one vector.

    Attributes
    ----------
    count : int
        The length of the vector.
    places : list of tuple of int
        For each layer and direction, the offsets of the inputs' weights, the states' weights, and the bias in the
        vector, in elements.
    """

    layers: Layers
    codes: Sequence[_Code]

    def __init__(self, layers: Layers, codes: Sequence[_Code]) -> None:
        self.layers, self.codes = layers, codes
        pieces = _Pieces()
        self.places: list[tuple[*tuple[int, ...], int]] = [
            (*(pieces.add(weights.size // 4) for weights in code.weights), pieces.add(4 * layers.hidden))
            for code in codes
        ]
        self.count: int = pieces.count

    def run(self, array: Any, out0_given: Any = None) -> Any:
        """Return the vector of packed parameters.

        Parameters
        ----------
        array : array
            The vector of all parameters.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The packed parameters.
        """
        result = numpy.empty(self.count, numpy.float32) if out0_given is None else out0_given
        array = in_order(array)
        source, target, gates = address(array), address(result), 4 * self.layers.hidden
        for code, places, own in zip(self.codes, self.places, self.layers.places(), strict=True):
            for pack, start, place in zip(code.pack, own[:2], places[:2], strict=True):
                pack.run(source + 4 * start, target + 4 * place)
            first, second = (array[start : start + gates] for start in own[2:])
            numpy.add(first, second, out=result[places[2] : places[2] + gates])
        return result


class _Lstm:
    """The base class of forward and backward passes, with the code of each run."""

    def __init__(self, layers: Layers, kind: int) -> None:
        if 0 in layers:
            raise Unsupported("an array has an axis of size 0")
        self.layers = layers
        made: dict[tuple[int, int], _Code] = {}
        self.codes: list[_Code] = []
        for run in range(layers.num_runs):
            key = layers.features(run), run % layers.directions
            if key not in made:
                sizes = layers.steps, layers.batch, key[0], layers.hidden
                made[key] = _Code(sizes, (_LEFT_TO_RIGHT, _RIGHT_TO_LEFT)[key[1]], kind)
            self.codes.append(made[key])
        self.pack: ParameterPacking = ParameterPacking(layers, self.codes)
        # For the backward pass, the forward pass keeps workspaces and the results of all layers except the last, with
        # both directions side by side. With two directions, it also keeps the results of each direction.
        pieces, result = _Pieces(), layers.steps * layers.batch * layers.hidden
        self.workspaces: list[int] = [pieces.add(code.workspace) for code in self.codes]
        self.results: list[int] = [pieces.add(result * layers.directions) for _ in range(layers.layers - 1)]
        self.single: list[int] = [pieces.add(result) for _ in self.codes] if layers.directions > 1 else []
        #: The length of the vector of kept numbers.
        self.kept: int = pieces.count

    @property
    def implementation(self) -> str:
        """The library's name for the implementation that it chose."""
        return self.codes[0].primitive.implementation

    def weights(self, packed: int, run: int) -> list[int]:
        """Return the addresses of a run's packed parameters."""
        return [packed + 4 * place for place in self.pack.places[run]]

    def result(self, layer: int, y: Any, kept: Any) -> Any:
        """Return the memory of a layer's results, with both directions side by side."""
        m = self.layers
        return y if layer == m.layers - 1 else _view(kept, self.results[layer], y.shape)

    def single_result(self, run: int, y: Any, kept: Any) -> Any:
        """Return the memory of a layer's results in one direction."""
        m = self.layers
        if m.directions == 1:
            return self.result(run, y, kept)
        return _view(kept, self.single[run], (m.steps, m.batch, m.hidden))


def _view(vector: Any, start: int, shape: tuple[int, ...]) -> Any:
    return vector[start : start + math.prod(shape)].reshape(shape)


class LstmForward(_Lstm):
    """The LSTM layers as a function from data, parameters, and first states to results and last states.

    Parameters
    ----------
    layers : Layers
        The sizes.
    keeping : bool
        Whether the values for the gradient are an additional result, a vector of :attr:`kept` numbers.
    """

    def __init__(self, layers: Layers, keeping: bool) -> None:
        super().__init__(layers, _TRAINING if keeping else _INFERENCE)
        self.keeping = keeping

    def run(self, data: Any, packed: Any, state: Any, cell: Any, **given: Any) -> tuple[Any, ...]:
        """Return results, last states, last cells, and, if ``keeping`` is True, kept values.

        Parameters
        ----------
        data : array
            The sequences.
        packed : array
            The packed parameters.
        state, cell : array
            The first states and cells.
        **given : array
            ``out0_given=`` and so on are destinations of the results.

        Returns
        -------
        tuple of array
            The results.
        """
        m = self.layers
        shapes = [(m.steps, m.batch, m.hidden * m.directions), *[(m.num_runs, m.batch, m.hidden)] * 2]
        y, h, c = (_place(given, i, shape) for i, shape in enumerate(shapes))
        kept = _place(given, 3, (self.kept,)) if self.keeping else numpy.empty(self.kept, numpy.float32)
        data, state, cell = in_order(data), in_order(state), in_order(cell)
        states, base, weights = [address(a) for a in (state, cell, h, c)], address(kept), address(packed)
        step = 4 * m.batch * m.hidden
        for layer in range(m.layers):
            result = self.result(layer, y, kept)
            for run in range(layer * m.directions, (layer + 1) * m.directions):
                own = self.single_result(run, y, kept)
                h0, c0, h1, c1 = (place + step * run for place in states)
                arguments = [address(data), h0, c0, *self.weights(weights, run), address(own), h1, c1]
                arguments += [base + 4 * self.workspaces[run]] if self.keeping else []
                self.codes[run].primitive.run(*arguments)
                if m.directions > 1:
                    first = run % m.directions * m.hidden
                    result[:, :, first : first + m.hidden] = own
            data = result
        return (y, h, c, kept) if self.keeping else (y, h, c)


def _place(given: dict[str, Any], number: int, shape: tuple[int, ...]) -> Any:
    """Return an array for a result: the destination in `given`, or a new array."""
    place = given.get(f"out{number}_given")
    return numpy.empty(shape, numpy.float32) if place is None else place


class LstmBackward(_Lstm):
    """The gradients of :class:`LstmForward`."""

    def __init__(self, layers: Layers) -> None:
        super().__init__(layers, _BACKWARD)

    def run(
        self, dy: Any, packed: Any, dh: Any, dc: Any, data: Any, state: Any, cell: Any, y: Any, h: Any, c: Any,
        kept: Any, **given: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        """Return the gradients of data, parameters, first states, and first cells.

        Parameters
        ----------
        dy, dh, dc : array
            The gradients of the results, the last states, and the last cells.
        packed : array
            The packed parameters.
        data : array
            The sequences.
        state, cell : array
            The first states and cells.
        y, h, c, kept : array
            The results of :meth:`LstmForward.run`.
        **given : array
            ``out0_given=`` and so on are destinations of the gradients.

        Returns
        -------
        tuple of array
            The gradients.
        """
        m = self.layers
        data, dy, y, *states = [in_order(a) for a in (data, dy, y, state, cell, h, c, dh, dc)]
        shapes = [data.shape, (m.num_parameters,), h.shape, c.shape]
        d_data, d_parameters, d_state, d_cell = (_place(given, i, shape) for i, shape in enumerate(shapes))
        places = [address(a) for a in (*states, d_state, d_cell)]
        base, weights, step = address(kept), address(packed), 4 * m.batch * m.hidden
        for layer in reversed(range(m.layers)):
            source = self.result(layer - 1, y, kept) if layer else data
            total = numpy.empty(source.shape, numpy.float32) if layer else d_data
            for run in range(layer * m.directions, (layer + 1) * m.directions):
                code, direction = self.codes[run], run % m.directions
                head = dy if m.directions == 1 else in_order(numpy.split(dy, 2, axis=2)[direction])
                own = self.single_result(run, y, kept)
                h0, c0, h1, c1, dh1, dc1, dh0, dc0 = (place + step * run for place in places)
                dx = numpy.empty(source.shape, numpy.float32) if direction else total
                d_weights = [numpy.empty(g.size // 4, numpy.float32) for g in code.gradients]
                d_bias = numpy.empty(4 * m.hidden, numpy.float32)
                code.primitive.run(
                    address(source), h0, c0, *self.weights(weights, run), address(own), h1, c1,
                    base + 4 * self.workspaces[run], address(dx), dh0, dc0, *map(address, d_weights), address(d_bias),
                    address(head), dh1, dc1,
                )  # fmt: skip
                self._write(d_parameters, run, d_weights, d_bias)
                if direction:
                    numpy.add(total, dx, out=total)
            dy = total
        return d_data, d_parameters, d_state, d_cell

    def _write(self, vector: Any, run: int, weights: Sequence[Any], bias: Any) -> None:
        """Write the gradients of a run's weights and of its two biases, which are equal, into the vector."""
        *matrices, first, second = self.layers.places()[run]
        for unpack, value, start in zip(self.codes[run].unpack, weights, matrices, strict=True):
            unpack.run(address(value), address(vector) + 4 * start)
        vector[first : first + len(bias)] = vector[second : second + len(bias)] = bias
