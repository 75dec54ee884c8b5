"""All weights of a net updated by one function of C.

Written with NumPy, an update goes over a weight two to twenty times, piece by piece, and each piece is so many calls
from Python. In C it is one loop, over the weights of the whole net. The function does what a GPU's kernel does, by the
same rules (:mod:`.update_rules`), and is handed the same structure.

It is used where a C compiler was asked for: for parameters of blocks that were hybridized with ``backend="c"`` or
``"onednn"``. What it does not know is updated by NumPy: other types than float32 and float64, and optimizers that have
no rule.
"""

from __future__ import annotations

from typing import Any

from ..error import MXNetError
from ..internals.compiler.backends.c_compiler import build
from ..internals.compiler.backends.c_crew import Part, divide_among_cores
from ..internals.device.address import address
from ..internals.support.locks import new_lock
from .fused import FusedUpdates, Launcher
from .fused_source import CHUNK, Layout, Loop, functions_of_rules

__all__ = ["UpdatesInC", "source_in_c"]

#: Weights of so many elements are divided among the cores: waking a thread takes as long as updating some thousands.
PARALLEL_SIZE = 1 << 17


class UpdatesInC(FusedUpdates):
    """Updates the weights of a net that computes in C."""

    chars: str = "fd"

    def __init__(self) -> None:
        super().__init__()
        #: Why there is no function, once compiling it failed.
        self.missing: Exception | None = None
        #: Guards the data that Python writes before each call, as other Python threads run during it.
        self._lock = new_lock()

    def __call__(self, *arguments: Any) -> bool:
        """Update weights as the base does; return False without a compiler, or if its output can't be written."""
        if self.missing is not None:
            return False
        with self._lock:
            return super().__call__(*arguments)

    def launcher(self, layout: Layout) -> Launcher | None:
        """Return what updates the weights of a layout, compiled now or before; None if that cannot be."""
        if self.missing is None:
            try:
                return _LauncherInC(layout)
            except MXNetError as error:  # no compiler any more, or no room
                self.missing = error
        return None

    def address(self, raw: Any) -> int:
        """Return where the elements of an array begin."""
        return address(raw)

    def can_be_written(self, raw: Any) -> bool:
        """Return whether an array is writable and contiguous."""
        return raw.flags.c_contiguous and raw.flags.writeable and raw.flags.aligned


class _LauncherInC(Launcher):
    """Calls a function of C for the weights that wait."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._update = Part.of(build(source_in_c(layout)).update)
        self._place = address(self.bytes)

    def order(self, xp: Any, blocks: int) -> None:
        """Compute a number of blocks, in several threads if there are many."""
        if blocks * CHUNK < PARALLEL_SIZE:
            self._update.function(0, blocks, self._place)
        else:
            divide_among_cores(self._update, blocks, self._place)


def source_in_c(layout: Layout) -> str:
    """Return the source of the function ``update``: it takes the first block, the one after the last, and the batch.

    Examples
    --------
    >>> from d2lhybrid.optimizer import SGD
    >>> from d2lhybrid.optimizer.update_rules import RULES
    >>> family = RULES[SGD]
    >>> print(source_in_c(Layout(family, family.rules[0], "f")).partition("omp simd")[2])
    <BLANKLINE>
            for (long long i = first; i < last; ++i) {
                number w = load(weight[i]), g = load(gradient[i]);
                g = clipped(g * rescale, clip);w = keep * w - lr * g;
                store(weight + i, w);
            }
        }
    }
    <BLANKLINE>
    """
    loop = Loop(layout)
    newline = "\n"
    prelude = _PRELUDE.replace("NUMBER", "double" if layout.number == "d" else "float")
    return f"""{prelude}{functions_of_rules("static inline")}
{loop.structures}
void update(long start, long stop, const struct Batch *batch)
{{
    for (int k = 0; k < batch->count; ++k) {{
        const struct Weight *own = batch->weights + k;
        /* what lies in these blocks of this weight, which has blocks of its own */
        long long first = (start - (long long) own->first_block) * {CHUNK};
        long long last = (stop - (long long) own->first_block) * {CHUNK};
        if (first < 0) first = 0;
        if (last > own->size) last = own->size;
        if (first >= last) continue;
{newline.join(loop.pointers("        ", "own->"))}
{newline.join(loop.numbers("        ", "batch->", "own->"))}
        #pragma omp simd
        for (long long i = first; i < last; ++i) {{
{newline.join(loop.body("            "))}
        }}
    }}
}}
"""


#: Types that the rules use, and how elements are read and written.
_PRELUDE = r"""
#include <tgmath.h>
typedef NUMBER number;
#define number(x) ((number) (x))
#define load(x) (x)
#define store(target, x) (*(target) = (x))
"""
