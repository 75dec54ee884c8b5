"""The steps of recurrent layers as C source code, with a forward and a backward function for each mode.

A step is one product, which is added to the contribution of the inputs, and one loop over the units. The batch is the
last axis, as in the NumPy kernel of the LSTM, so that a gate is contiguous and the weights needn't be transposed. The
sequences of a batch are independent and are divided into *blocks*, whose size is the length of a vector register. A
function takes the first block and the end of its range of blocks. Threads never wait for each other between steps.

Outside of a function, the units are the last axis of states and results. The function transposes (*turns*) these arrays
for a block and back, in pieces of CHUNK units, because only a few cache lines with the stride of a row stay in the
cache. Between steps, the state of a block is in separate memory, with COLUMNS of the BATCH sequences.

The formulas are those of :mod:`d2lhybrid.internals.ops.recurrent`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .c_products import VECTORS, Sum, lanes, multiply

__all__ = ["CELLS", "Cell", "backward_function", "blocks_of", "forward_function"]


class Cell(NamedTuple):
    """The C code of one time step, for one mode of recurrent layers.

    Attributes
    ----------
    gates : int
        The number of gates.
    kept : tuple of str
        The values for the backward pass: ``states`` (1 + time, batch, hidden), ``cells`` (1 + time, hidden, batch),
        ``gates`` (time, gates · hidden, batch), and ``extra`` (time, hidden, batch).
    forward, backward : callable
        The functions that return the lines of a step ``t``. Their arguments are the numbers of hidden units, sequences
        in the batch, and columns of a block.
    forward_memory, backward_memory : int
        The size of a block's workspace: the number of elements per hidden unit and sequence.
    """

    gates: int
    kept: tuple[str, ...]
    forward: Callable[[int, int, int], list[str]]
    backward: Callable[[int, int, int], list[str]]
    forward_memory: int
    backward_memory: int

    @property
    def forward_arrays(self) -> tuple[str, ...]:
        """The parameters of the forward function, in order. The function only reads the first three arrays."""
        return ("h2h", "bias", "columns", *self.kept, "memory")

    @property
    def backward_arrays(self) -> tuple[str, ...]:
        """The parameters of the backward function, in order. The gradients of the gates are columns of matrices."""
        carried = ("d_state", "d_cell") if "cells" in self.kept else ("d_state",)
        columns = ("columns", "state_columns") if "extra" in self.kept else ("columns",)
        return ("h2h_turned", *self.kept, "dh", *columns, *carried, "memory")


def blocks_of(batch: int) -> int:
    """Return the number of blocks into which the sequences of a batch are divided.

    Parameters
    ----------
    batch : int
        Number of sequences.

    Returns
    -------
    int
        The number of blocks.
    """
    return -(-batch // min(batch, lanes()))


def forward_function(mode: str, steps: int, batch: int, hidden: int) -> str:
    """Return the C function ``NAME(start, stop, ...)`` that computes all time steps of a recurrent layer.

    Parameters
    ----------
    mode : {"lstm", "gru", "rnn_relu", "rnn_tanh"}
        Type of the layer.
    steps, batch, hidden : int
        Numbers of time steps, sequences, and hidden units.

    Returns
    -------
    str
        The C code.
    """
    cell = CELLS[mode]
    before = f"for (long t = 0; t < {steps}; ++t) {{"
    begin = _turned("memory_of_block", "states + first * HIDDEN")
    parts = begin, before, cell.forward, ""
    return _function(cell.forward_arrays, cell.forward_memory, parts, (steps, batch, hidden))


def backward_function(mode: str, steps: int, batch: int, hidden: int) -> str:
    """Return the C function ``NAME(start, stop, ...)`` that computes the gradients of all time steps, last step first.

    Parameters
    ----------
    mode : {"lstm", "gru", "rnn_relu", "rnn_tanh"}
        Type of the layer.
    steps, batch, hidden : int
        Numbers of time steps, sequences, and hidden units.

    Returns
    -------
    str
        The C code.
    """
    cell = CELLS[mode]
    before = f"for (long t = {steps - 1}; t >= 0; --t) {{"
    begin = "for (long j = 0; j < HIDDEN * COLUMNS; ++j) memory_of_block[j] = 0;"
    end = _turned_back("d_state + first * HIDDEN", "memory_of_block")
    if "cells" in cell.kept:
        begin += "\n" + _turned("memory_of_block + HIDDEN * COLUMNS", "d_cell + first * HIDDEN")
        end += "\n" + _turned_back("d_cell + first * HIDDEN", "memory_of_block + HIDDEN * COLUMNS")
    parts = begin, before, cell.backward, end
    return _function(cell.backward_arrays, cell.backward_memory, parts, (steps, batch, hidden))


def _function(
    arrays: Sequence[str],
    memory: int,
    parts: tuple[str, str, Callable[[int, int, int], list[str]], str],
    sizes: tuple[int, int, int],
) -> str:
    """Return a C function that runs all steps for each block of a range."""
    steps, batch, hidden = sizes
    begin, loop, step, end = parts
    width = min(batch, lanes())
    whole, rest = divmod(batch, width)
    read = {"h2h", "h2h_turned", "bias", "dh"}
    parameters = ", ".join(f"{'const ' if a in read else ''}float* restrict {a}" for a in arrays)
    lines = [VECTORS, f"void NAME(long start, long stop, {parameters}) {{", "for (long i = start; i < stop; ++i) {"]
    for condition, columns in ((f"i < {whole}", width), (f"i >= {whole}", rest)):
        if columns:
            body = [begin, loop, *step(hidden, batch, columns), "}", end]
            lines += [f"if ({condition}) {{", f"const long first = i * {width};"]
            lines += [f"float* restrict memory_of_block = memory + first * {memory * hidden};"]
            lines += ["\n".join(body).replace("COLUMNS", str(columns)), "}"]
    text = "\n".join([*lines, "}", "}", ""])
    text = text.replace("CHUNK", str(next(n for n in (16, 8, 4, 2, 1) if hidden % n == 0)))
    return text.replace("HIDDEN", str(hidden)).replace("BATCH", str(batch)).replace("STEPS", str(steps))


def _turned(place: str, rows: str, sign: str = "=") -> str:
    """Return the lines that transpose rows of units, one per sequence, into the layout of the block."""
    return f"""\
for (long k = 0; k < HIDDEN; k += CHUNK) for (long l = 0; l < COLUMNS; ++l) {{
    const float* restrict row = {rows} + l * HIDDEN;
    float* restrict place = {place} + l;
    for (long j = k; j < k + CHUNK; ++j) place[j * COLUMNS] {sign} row[j];
}}"""


def _turned_back(rows: str, place: str) -> str:
    """Return the lines that transpose the layout of the block back into rows."""
    return f"""\
for (long k = 0; k < HIDDEN; k += CHUNK) for (long l = 0; l < COLUMNS; ++l) {{
    float* restrict row = {rows} + l * HIDDEN;
    const float* restrict place = {place} + l;
    for (long j = k; j < k + CHUNK; ++j) row[j] = place[j * COLUMNS];
}}"""


def _inputs(place: str, count: int, stride: str) -> str:
    """Return the lines that load the contribution of the inputs to the gates from a matrix, and add the biases."""
    return f"""\
for (long j = 0; j < {count} * HIDDEN; ++j) {{
    const float* restrict column = columns + (j * STEPS + t) * BATCH + first;
    float* restrict g = {place} + j * {stride};
    for (long l = 0; l < COLUMNS; ++l) g[l] = column[l] + bias[j];
}}"""


def _as_columns(matrix: str, place: str, count: int) -> str:
    """Return the lines that write the gradients of the gates into columns of a matrix."""
    return f"""\
for (long j = 0; j < {count} * HIDDEN; ++j)
    memcpy({matrix} + (j * STEPS + t) * BATCH + first, {place} + j * COLUMNS, COLUMNS * sizeof(float));"""


def _added(y: str, ldy: int, a: str, b: str, sizes: tuple[int, int, int], begin: str = "y0") -> list[str]:
    """Return the lines of ``y += a · b`` or ``y = a · b`` for the sizes rows, inner, and columns."""
    rows, inner, columns = sizes
    lines = multiply(rows, columns, Sum((1, 1, inner), (0, 0, columns)), inner, ldy, begin)
    return [
        "{",
        f"    const float *a = {a}, *b = {b};",
        f"    float* y = {y};",
        *("    " + line for line in lines),
        "}",
    ]


# --- LSTM: input (entry), forget, candidate, output ---------------------------------------------------------

_LSTM = """\
for (long j = 0; j < HIDDEN; ++j) {
    float* restrict g = gates + (t * 4 * HIDDEN + j) * BATCH + first;
    const float* restrict before = cells + (t * HIDDEN + j) * BATCH + first;
    float* restrict cell = cells + ((t + 1) * HIDDEN + j) * BATCH + first;
    float* restrict state = memory_of_block + j * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float entry = sigmoid_float(g[l]);
        const float forget = sigmoid_float(g[HIDDEN * BATCH + l]);
        const float candidate = tanh_of_float(g[2 * HIDDEN * BATCH + l]);
        const float output = sigmoid_float(g[3 * HIDDEN * BATCH + l]);
        const float content = forget * before[l] + entry * candidate;
        g[l] = entry;
        g[HIDDEN * BATCH + l] = forget;
        g[2 * HIDDEN * BATCH + l] = candidate;
        g[3 * HIDDEN * BATCH + l] = output;
        cell[l] = content;
        state[l] = output * tanh_of_float(content);
    }
}"""
_LSTM_BACK = """\
for (long j = 0; j < HIDDEN; ++j) {
    const float* restrict g = gates + (t * 4 * HIDDEN + j) * BATCH + first;
    const float* restrict before = cells + (t * HIDDEN + j) * BATCH + first;
    const float* restrict cell = cells + ((t + 1) * HIDDEN + j) * BATCH + first;
    const float* restrict total = memory_of_block + j * COLUMNS;
    float* restrict carry = memory_of_block + (HIDDEN + j) * COLUMNS;
    float* restrict d = memory_of_block + (2 * HIDDEN + j) * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float entry = g[l], forget = g[HIDDEN * BATCH + l];
        const float candidate = g[2 * HIDDEN * BATCH + l], output = g[3 * HIDDEN * BATCH + l];
        const float curve = tanh_of_float(cell[l]);
        const float from_cell = total[l] * output * (1 - curve * curve) + carry[l];
        d[l] = from_cell * candidate * entry * (1 - entry);
        d[HIDDEN * COLUMNS + l] = from_cell * before[l] * forget * (1 - forget);
        d[2 * HIDDEN * COLUMNS + l] = from_cell * entry * (1 - candidate * candidate);
        d[3 * HIDDEN * COLUMNS + l] = total[l] * curve * output * (1 - output);
        carry[l] = from_cell * forget;
    }
}"""
_ROWS_OF_STATES = "states + ((t + 1) * BATCH + first) * HIDDEN"
_ROWS_OF_GRADIENTS = "dh + (t * BATCH + first) * HIDDEN"


def _lstm(hidden: int, batch: int, columns: int) -> list[str]:
    gates = f"gates + t * {4 * hidden * batch} + first"
    return [
        _inputs(gates, 4, "BATCH"),
        *_added(gates, batch, "h2h", "memory_of_block", (4 * hidden, hidden, columns)),
        _LSTM,
        _turned_back(_ROWS_OF_STATES, "memory_of_block"),
    ]


def _lstm_back(hidden: int, batch: int, columns: int) -> list[str]:
    d_gates = f"memory_of_block + {2 * hidden * columns}"
    return [
        _turned("memory_of_block", _ROWS_OF_GRADIENTS, "+="),
        _LSTM_BACK,
        *_added("memory_of_block", columns, "h2h_turned", d_gates, (hidden, 4 * hidden, columns), ""),
        _as_columns("columns", d_gates, 4),
    ]


# --- GRU: reset, update, candidate -------------------------------------------------------------------

_GRU = """\
for (long j = 0; j < HIDDEN; ++j) {
    float* restrict g = gates + (t * 3 * HIDDEN + j) * BATCH + first;
    const float* restrict part = extra + (t * HIDDEN + j) * BATCH + first;
    float* restrict state = memory_of_block + j * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float reset = sigmoid_float(g[l]);
        const float update = sigmoid_float(g[HIDDEN * BATCH + l]);
        const float candidate = tanh_of_float(g[2 * HIDDEN * BATCH + l] + reset * part[l]);
        g[l] = reset;
        g[HIDDEN * BATCH + l] = update;
        g[2 * HIDDEN * BATCH + l] = candidate;
        state[l] = (state[l] - candidate) * update + candidate;
    }
}"""
_GRU_BACK = """\
for (long j = 0; j < HIDDEN; ++j) {
    const float* restrict g = gates + (t * 3 * HIDDEN + j) * BATCH + first;
    const float* restrict part = extra + (t * HIDDEN + j) * BATCH + first;
    float* restrict total = memory_of_block + j * COLUMNS;
    const float* restrict before = memory_of_block + (HIDDEN + j) * COLUMNS;
    float* restrict d = memory_of_block + (2 * HIDDEN + j) * COLUMNS;
    float* restrict from_inputs = memory_of_block + (5 * HIDDEN + j) * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float reset = g[l], update = g[HIDDEN * BATCH + l], candidate = g[2 * HIDDEN * BATCH + l];
        const float fresh = total[l] * (1 - update) * (1 - candidate * candidate);
        d[l] = fresh * part[l] * reset * (1 - reset);
        d[HIDDEN * COLUMNS + l] = total[l] * (before[l] - candidate) * update * (1 - update);
        d[2 * HIDDEN * COLUMNS + l] = fresh * reset;
        from_inputs[l] = fresh;
        total[l] = total[l] * update;
    }
}"""


def _gru(hidden: int, batch: int, columns: int) -> list[str]:
    gates, part = f"gates + t * {3 * hidden * batch} + first", f"extra + t * {hidden * batch} + first"
    return [
        _inputs(gates, 3, "BATCH"),
        f"for (long j = 0; j < {hidden}; ++j) for (long l = 0; l < {columns}; ++l)",
        f"    ({part})[j * {batch} + l] = bias[{3 * hidden} + j];",
        *_added(gates, batch, "h2h", "memory_of_block", (2 * hidden, hidden, columns)),
        *_added(part, batch, f"h2h + {2 * hidden * hidden}", "memory_of_block", (hidden, hidden, columns)),
        _GRU,
        _turned_back(_ROWS_OF_STATES, "memory_of_block"),
    ]


def _gru_back(hidden: int, batch: int, columns: int) -> list[str]:
    d_gates, fresh = (f"memory_of_block + {n * hidden * columns}" for n in (2, 5))
    return [
        _turned("memory_of_block", _ROWS_OF_GRADIENTS, "+="),
        _turned(f"memory_of_block + {hidden * columns}", "states + (t * BATCH + first) * HIDDEN"),
        _GRU_BACK,
        *_added("memory_of_block", columns, "h2h_turned", d_gates, (hidden, 3 * hidden, columns)),
        _as_columns("columns", d_gates, 2),
        _as_columns(f"columns + {2 * hidden} * STEPS * BATCH", fresh, 1),
        _as_columns("state_columns", f"{d_gates} + {2 * hidden * columns}", 1),
    ]


# --- plain RNN: the only gate is the state -------------------------------------------------------


def _simplest(activation: str) -> Callable[[int, int, int], list[str]]:
    """Return the forward step for an activation of ``sum``."""

    def step(hidden: int, batch: int, columns: int) -> list[str]:
        now = f"memory_of_block + {hidden * columns}"
        return [
            _inputs(now, 1, "COLUMNS"),
            *_added(now, columns, "h2h", "memory_of_block", (hidden, hidden, columns)),
            "#pragma omp simd",
            f"for (long j = 0; j < {hidden * columns}; ++j) {{",
            f"    const float sum = ({now})[j];",
            f"    memory_of_block[j] = {activation};",
            "}",
            _turned_back(_ROWS_OF_STATES, "memory_of_block"),
        ]

    return step


def _simplest_back(slope: str) -> Callable[[int, int, int], list[str]]:
    """Return the backward step for an activation; its derivative is an expression of its result ``now``."""

    def step(hidden: int, batch: int, columns: int) -> list[str]:
        results = f"memory_of_block + {hidden * columns}"
        return [
            _turned("memory_of_block", _ROWS_OF_GRADIENTS, "+="),
            _turned(results, _ROWS_OF_STATES),
            "#pragma omp simd",
            f"for (long j = 0; j < {hidden * columns}; ++j) {{",
            f"    const float now = ({results})[j];",
            f"    ({results})[j] = memory_of_block[j] * {slope};",
            "}",
            *_added("memory_of_block", columns, "h2h_turned", results, (hidden, hidden, columns), ""),
            _as_columns("columns", results, 1),
        ]

    return step


CELLS = {
    "lstm": Cell(4, ("states", "cells", "gates"), _lstm, _lstm_back, 1, 6),
    "gru": Cell(3, ("states", "gates", "extra"), _gru, _gru_back, 1, 6),
    "rnn_tanh": Cell(1, ("states",), _simplest("tanh_of_float(sum)"), _simplest_back("(1 - now * now)"), 2, 2),
    "rnn_relu": Cell(
        1, ("states",), _simplest("larger_float(sum, 0.0f)"), _simplest_back("(now > 0 ? 1.0f : 0.0f)"), 2, 2
    ),
}
