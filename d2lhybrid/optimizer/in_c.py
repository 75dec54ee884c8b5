"""Updates of all weights of a net with a single C function.

With NumPy, an update passes over a weight two to twenty times, in chunks, with several Python calls for each chunk. In
C, an update is a single loop over the weights of the whole net. The function computes the same results as the GPU
kernel, with the same rules (:mod:`.update_rules`) and the same argument structure.

The function updates parameters of blocks that were hybridized with ``backend="c"`` or ``"onednn"``, because the user
has then selected a C compiler. NumPy updates all other weights, including weights that are neither float32
nor float64, and weights of optimizers without a rule.
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

#: Minimum number of elements of a weight that is divided among the cores. Waking a thread takes as long as updating
#: thousands of elements.
PARALLEL_SIZE = 1 << 17


class UpdatesInC(FusedUpdates):
    """A callable that updates all weights of a net with a C function."""

    chars: str = "fd"

    def __init__(self) -> None:
        super().__init__()
        #: The error if compiling the function failed.
        self.missing: Exception | None = None
        #: Guards the data that Python writes before each call, because other Python threads run during the call.
        self._lock = new_lock()

    def __call__(self, *arguments: Any) -> bool:
        """Update weights like the base class. Return False if there is no compiler, or if compilation failed."""
        if self.missing is not None:
            return False
        with self._lock:
            return super().__call__(*arguments)

    def launcher(self, layout: Layout) -> Launcher | None:
        """Return the launcher for the weights of a layout, or None if its compilation fails.

        Parameters
        ----------
        layout : Layout
            The layout of the data.

        Returns
        -------
        Launcher or None
            The launcher.
        """
        if self.missing is None:
            try:
                return _LauncherInC(layout)
            except MXNetError as error:  # the compiler was removed, or the disk is full
                self.missing = error
        return None

    def address(self, raw: Any) -> int:
        """Return the address of an array's first element.

        Parameters
        ----------
        raw : numpy.ndarray
            The array.

        Returns
        -------
        int
            The address.
        """
        return address(raw)

    def can_be_written(self, raw: Any) -> bool:
        """Return whether an array is writable, contiguous, and aligned.

        Parameters
        ----------
        raw : numpy.ndarray
            The array.

        Returns
        -------
        bool
            Whether the C function can write to the array.
        """
        return raw.flags.c_contiguous and raw.flags.writeable and raw.flags.aligned


class _LauncherInC(Launcher):
    """A collector of weights that updates them with a C function."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._update = Part.of(build(source_in_c(layout)).update)
        self._place = address(self.bytes)

    def order(self, xp: Any, blocks: int) -> None:
        """Update ``blocks`` blocks of elements, in several threads if there are many blocks."""
        if blocks * CHUNK < PARALLEL_SIZE:
            self._update.function(0, blocks, self._place)
        else:
            divide_among_cores(self._update, blocks, self._place)


def source_in_c(layout: Layout) -> str:
    """Return the C source of the function ``update(first block, last block + 1, batch)``.

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
        /* the elements of this weight that are in these blocks */
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


#: Types that the rules use, and macros that read and write elements.
_PRELUDE = r"""
#include <tgmath.h>
typedef NUMBER number;
#define number(x) ((number) (x))
#define load(x) (x)
#define store(target, x) (*(target) = (x))
"""
