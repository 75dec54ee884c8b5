"""The CUDA source of a kernel that updates many weights, and the layout of its argument.

The kernel has a single argument, a structure of less than 4 kB that is passed by value. The structure contains the
addresses, sizes, and settings of as many weights as fit. No data needs to be copied to the device or kept alive until a
copy is done, and addresses and learning rates may change in each step.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

import numpy

from ..internals.support.locks import cached_property
from .update_rules import Family, Rule

__all__ = ["CHUNK", "THREADS", "Layout", "Loop", "functions_of_rules", "source_of"]

#: Number of threads of a block, and number of elements that a block updates.
THREADS, CHUNK = 256, 1024

#: Size limit of a kernel's arguments in bytes, on all devices and drivers.
PARAMETER_BYTES = 4096

_NAMES = {"e": "half_bits", "f": "float", "d": "double"}


@dataclass(frozen=True)
class Layout:
    """The layout of a kernel's data.

    Parameters
    ----------
    family, rule : Family, Rule
        The rules of the optimizer, and the rule that the kernel computes.
    stored : str
        Element type of weight and states: the ``char`` of a NumPy dtype, ``"e"``, ``"f"``, or ``"d"``.
    rounded : bool
        Whether ``stored`` is the type of a master copy, and the weight and the gradient are float16.
    """

    family: Family
    rule: Rule
    stored: str
    rounded: bool = False

    @property
    def number(self) -> str:
        """The element type in which the kernel computes, as the ``char`` of a NumPy dtype."""
        return "d" if self.stored == "d" else "f"

    @cached_property
    def arrays(self) -> list[str]:
        """The names of a weight's arrays, in the order of the structure."""
        return ["weight", "gradient", *self.rule.present, *(["rounded"] if self.rounded else [])]

    @cached_property
    def head(self) -> str:
        """The header in the format of :mod:`struct`: the shared settings, followed by the number of weights."""
        return f"{len(self.family.shared)}{self.number}i0Q"

    @cached_property
    def record(self) -> str:
        """A weight in the format of :mod:`struct`: its addresses, size, own settings, and first block's index."""
        return f"{len(self.arrays)}Qq{len(self.family.own)}{self.number}i0Q"

    @cached_property
    def capacity(self) -> int:
        """The number of weights that a launch can update."""
        return (PARAMETER_BYTES - struct.calcsize(self.head)) // struct.calcsize(self.record)

    @cached_property
    def size(self) -> int:
        """The size of the structure in bytes."""
        return struct.calcsize(self.head + self.capacity * self.record)

    def packer(self, count: int) -> struct.Struct:
        """Return the packer for a structure with ``count`` weights.

        Parameters
        ----------
        count : int
            Number of weights.

        Returns
        -------
        struct.Struct
            The packer.
        """
        return struct.Struct(self.head + count * self.record)

    def buffer(self) -> numpy.ndarray:
        """Return memory for a structure.

        A ``view`` of the type :attr:`by_value` passes the structure to a kernel.

        Returns
        -------
        numpy.ndarray
            Zero bytes.
        """
        return numpy.zeros(self.size, numpy.uint8)

    @property
    def by_value(self) -> numpy.dtype:
        """The element type of an array with one element, which CuPy passes to a kernel by value."""
        return numpy.dtype((numpy.void, self.size))


class Loop:
    """A generator of the source code that is the same on every device, in C and in C++.

    Parameters
    ----------
    layout : Layout
        The layout of the data.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def structures(self) -> str:
        """The source code that defines the structure of the kernel's argument."""
        layout = self._layout
        own = f"    number {', '.join(layout.family.own)};\n" if layout.family.own else ""
        return f"""struct Weight
{{
    unsigned long long {", ".join(layout.arrays)};
    long long size;
{own}    int first_block;
}};

struct Batch
{{
    number {", ".join(layout.family.shared)};
    int count;
    struct Weight weights[{layout.capacity}];
}};
"""

    def pointers(self, pad: str, own: str) -> list[str]:
        """Return the lines that define pointers to the arrays of a weight.

        Parameters
        ----------
        pad : str
            Indentation of the lines.
        own : str
            Prefix of the members of the weight's structure, such as ``own.``.

        Returns
        -------
        list of str
            The lines.
        """
        layout = self._layout
        stored, given = _NAMES[layout.stored], _NAMES["e" if layout.rounded else layout.stored]
        lines = [
            f"{pad}{stored} *weight = ({stored} *) {own}weight;",
            f"{pad}const {given} *gradient = (const {given} *) {own}gradient;",
            *[f"{pad}{stored} *{name}_array = ({stored} *) {own}{name};" for name in layout.rule.present],
        ]
        return [*lines, f"{pad}half_bits *rounded = (half_bits *) {own}rounded;"] if layout.rounded else lines

    def numbers(self, pad: str, batch: str, own: str) -> list[str]:
        """Return the lines that read the settings that the rule uses.

        Parameters
        ----------
        pad : str
            Indentation of the lines.
        batch, own : str
            Prefixes of the members of the batch's structure and of the weight's structure.

        Returns
        -------
        list of str
            The lines.
        """
        family, used = self._layout.family, set(re.findall(r"\w+", self._layout.rule.code))
        places = [(batch, name) for name in family.shared] + [(own, name) for name in family.own]
        return [f"{pad}const number {name} = {place}{name};" for place, name in places if name in used]

    def body(self, pad: str) -> list[str]:
        """Return the lines that update the element ``i``.

        Parameters
        ----------
        pad : str
            Indentation of the lines.

        Returns
        -------
        list of str
            The lines.
        """
        layout, states = self._layout, self._layout.rule.present
        return [
            f"{pad}number w = load(weight[i]), g = load(gradient[i]);",
            *[f"{pad}number {name} = load({name}_array[i]);" for name in states],
            *[f"{pad}{line.strip()}" for line in layout.rule.code.strip().splitlines()],
            f"{pad}store(weight + i, w);",
            *[f"{pad}store({name}_array + i, {name});" for name in states],
            *([f"{pad}store(rounded + i, w);"] if layout.rounded else []),
        ]


def source_of(layout: Layout) -> str:
    """Return the CUDA source of the kernel ``update``.

    Parameters
    ----------
    layout : Layout
        The layout of the data.

    Returns
    -------
    str
        The source.

    Examples
    --------
    >>> from d2lhybrid.optimizer import SGD
    >>> from d2lhybrid.optimizer.update_rules import RULES
    >>> family = RULES[SGD]
    >>> print(source_of(Layout(family, family.rules[0], "f")).partition("struct Weight")[2])
    <BLANKLINE>
    {
        unsigned long long weight, gradient;
        long long size;
        number lr, decay, keep;
        int first_block;
    };
    ...
    """
    loop = Loop(layout)
    newline = "\n"
    return f"""{_PRELUDE.replace("NUMBER", _NAMES[layout.number])}{functions_of_rules("__device__ inline")}
{loop.structures}
extern "C" __global__ void __launch_bounds__({THREADS}) update(const Batch batch)
{{
    /* find the weight of this block: the last weight whose first block is not after it */
    int found = 0, beyond = batch.count;
    while (beyond - found > 1) {{
        int middle = (found + beyond) / 2;
        if (batch.weights[middle].first_block <= (int) blockIdx.x) found = middle;
        else beyond = middle;
    }}
    const Weight &own = batch.weights[found];
{newline.join(loop.pointers("    ", "own."))}
{newline.join(loop.numbers("    ", "batch.", "own."))}
    const long long start = (long long) ((int) blockIdx.x - own.first_block) * {CHUNK};
    const long long end = start + {CHUNK} < own.size ? start + {CHUNK} : own.size;
    for (long long i = start + threadIdx.x; i < end; i += {THREADS}) {{
{newline.join(loop.body("        "))}
    }}
}}
"""


#: Code that all kernels share. Arithmetic on 16-bit numbers is in single precision. The conversions require no header.
_PRELUDE = r"""
typedef NUMBER number;

struct half_bits { unsigned short bits; };

union float_bits { float value; unsigned int bits; };

__device__ inline float load(float x) { return x; }
__device__ inline double load(double x) { return x; }
__device__ inline void store(float *target, number x) { *target = (float) x; }
__device__ inline void store(double *target, number x) { *target = x; }

__device__ inline float load(half_bits half)
{
    unsigned int sign = (half.bits & 0x8000u) << 16, exponent = (half.bits >> 10) & 31u, fraction = half.bits & 1023u;
    float_bits result;
    if (exponent == 0) {  /* zero, or subnormal: fraction * 2^-24 */
        result.value = (float) fraction * 5.9604644775390625e-08f;
        result.bits |= sign;
    } else {
        result.bits = sign | ((exponent == 31u ? 255u : exponent + 112u) << 23) | (fraction << 13);
    }
    return result.value;
}

/* to the nearest number, a tie to the even one */
__device__ inline void store(half_bits *target, number x)
{
    float_bits given;
    given.value = (float) x;
    unsigned int sign = (given.bits >> 16) & 0x8000u, rest = given.bits & 0x7fffffffu, result;
    if (rest > 0x7f800000u) {
        result = 0x7e00u;  /* NaN */
    } else if (rest >= 0x477ff000u) {
        result = 0x7c00u;  /* 65520 and more is infinite */
    } else if (rest < 0x38800000u) {  /* subnormal: adding 0.5 leaves a multiple of 2^-24 in the last bits */
        float_bits shifted;
        shifted.bits = rest;
        shifted.value += 0.5f;
        result = shifted.bits - 0x3f000000u;
    } else {
        result = (rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u)) >> 13;
    }
    target->bits = (unsigned short) (sign | result);
}
"""

#: Functions of the rules, for both C and C++, with INLINE for the qualifiers.
_FUNCTIONS = r"""
INLINE number magnitude(number x) { return x < 0 ? -x : x; }
INLINE number larger(number x, number y) { return x > y || x != x ? x : y; }
INLINE number sign_of(number x) { return x > 0 ? number(1) : x < 0 ? number(-1) : x; }
INLINE number clipped(number x, number bound)
{
    return bound < 0 ? x : x > bound ? bound : x < -bound ? -bound : x;
}
"""


def functions_of_rules(inline: str) -> str:
    """Return the functions that the rules use. Like NumPy's functions, they propagate NaN.

    Parameters
    ----------
    inline : str
        Qualifier of the functions, such as ``static inline``.

    Returns
    -------
    str
        The source.
    """
    return _FUNCTIONS.replace("INLINE", inline)
