"""The special codes of legacy ``reshape`` and of ``npx.reshape``.

The numbers in the new shape have different meanings for three operators:

==================================  =========  ==================  =========
meaning of the number               Reshape    _npx_reshape        _np_reshape
==================================  =========  ==================  =========
infer the size from the others      -1         -1                  -1
copy one size                       0          -2                  (none)
copy all remaining sizes            -2         -4                  (none)
merge two sizes into one            -3         -5                  (none)
split one size into the next two    -4 a b     -6 a b              (none)
skip a size of 1                    (none)     -3                  (none)
==================================  =========  ==================  =========

One resolver interprets the numbers for all three operators, and supports partial shapes. Kernels and shape rules call
the resolver, so they always agree.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, NoReturn

from ...error import ShapeError
from ..core.infer import PartialShape, format_shape
from . import rules

__all__ = ["LEGACY", "NP", "NPX", "Dialect", "resolve_codes"]


@dataclasses.dataclass(frozen=True, eq=False)
class Dialect:
    """The special codes of a reshape operator, by meaning; None for a meaning without a code."""

    copy: int | None
    rest: int | None
    merge: int | None
    split: int | None
    skip: int | None
    messages: dict[str, str]


LEGACY = Dialect(
    copy=0,
    rest=-2,
    merge=-3,
    split=-4,
    skip=None,
    messages={
        "copy": "src_idx < dshape_len ({index} vs. {rank}) : ",
        "merge": "src_idx < dshape_len-1 ({index} vs. {last}) : ",
        "split": "i + 2 < params_len ({place} vs. {count}) : ",
        "uneven": "d1 * d2 == static_cast<IType>(d0) || static_cast<IType>(d0) == IType(-1): "
        "Split dims {d1}, {d2} do not divide original dim {d0}",
        "both": "d1 != -1 || d2 != -1: Split dims cannot both be -1.",
        "twice": "inf_idx < 0 ({place} vs. 0) : One and only one dim can be inferred",
        "unknown": "dim_size >= -1 ({code} vs. -1) : shape dim size must be >= -1, while received {code}",
        "size": "src.Size() == dst->Size() ({have} vs. {want}) : "
        "Cannot reshape array of shape {source} into shape {target}",
        "divide": "src.Size() % known_dim_size_prod == 0: Cannot reshape array of shape {source} into shape {target}",
        "zero": "",
    },
)
NPX = Dialect(
    copy=-2,
    rest=-4,
    merge=-5,
    split=-6,
    skip=-3,
    messages={
        "copy": "src_inx < src.ndim() ({index} vs. {rank}) : Unmatching dimension of proposed new shape",
        "merge": "src_inx < src.ndim()-1 ({index} vs. {last}) : Not enough dimensions left for the product",
        "split": "i + 2 < target.ndim() ({place} vs. {count}) : ",
        "uneven": "d1 * d2 == static_cast<dim_t>(d0) || static_cast<dim_t>(d0) == dim_t(-1): "
        "Split dims {d1}, {d2} do not divide original dim {d0}",
        "both": "!has_unknown_dim_size: Can only specify one unknown dimension",
        "twice": "!has_unknown_dim_size: Can only specify one unknown dimension",
        "skip": "src[src_inx] == 1 ({size} vs. 1) : -3 index should only be used to skip dimension size 1",
        "unknown": "param.newshape[i] >= -6 ({code} vs. -6) : Dimension size must be greater than or equal to -6",
        "size": "src.Size() == target_size ({have} vs. {want}) : "
        "Cannot reshape array of shape {source} into shape {target} , reverse = {reverse}",
        "divide": "src.Size() % known_dim_size_prod == 0: "
        "Cannot reshape array of shape {source} into shape {target} , reverse = {reverse}",
        "zero": "known_dim_size_prod != 0 (0 vs. 0) : "
        "Cannot reshape array of shape {source} into shape {target} , reverse = {reverse}",
    },
)
NP = Dialect(
    copy=None,
    rest=None,
    merge=None,
    split=None,
    skip=None,
    messages={
        "twice": "!has_unknown_dim_size: Can only specify one unknown dimension",
        "unknown": "param.newshape[i] == -1 ({code} vs. -1) : The shape dimension size to inferred must be -1",
        "size": "src.Size() == dst->Size() ({have} vs. {want}) : "
        "Cannot reshape array of size {have} into shape {target}",
        "divide": "src.Size() % known_dim_size_prod == 0 ({remainder} vs. 0) : "
        "Cannot reshape array of size {have} into shape {target}",
        "zero": "known_dim_size_prod != 0 (0 vs. 0) : Cannot reshape array of size {have} into shape {target}",
    },
)


class _Reader:
    """A reader of the codes, from left to right, which tracks the sizes of the source that the codes use.

    A size that a code uses (copy, merge, split, skip) is *claimed*; all other sizes are *free*. The product of the free
    sizes must equal the product of the plain numbers and the inferred size of the target.
    """

    def __init__(self, source: PartialShape, dialect: Dialect, place_count: int) -> None:
        self.known_rank = source is not None
        self.source: list[int | None] = list(source or ())
        self.dialect = dialect
        self.count = place_count
        self.index = 0
        self.free: list[int] = []  # axes of the source
        self.claimed: list[int] = []
        self.target: list[int | None] = []
        self.literal = 1
        self.infer: int | None = None

    def fail(self, reason: str, **values: Any) -> NoReturn:
        raise ShapeError("Check failed: " + self.dialect.messages[reason].format(**values))

    def _axis(self, reason: str, needed: int = 1) -> int:
        """Return the next axis of the source and advance.

        If too few axes are left, add unknown axes, or fail if the number of axes is known.
        """
        if self.index + needed > len(self.source):
            if self.known_rank:
                self.fail(reason, index=self.index, rank=len(self.source), last=len(self.source) - 1)
            self.source += [None] * (self.index + needed - len(self.source))
        self.index += 1
        return self.index - 1

    def _skip_freely(self) -> None:
        """For a plain number, advance by one axis of the source, unless no axis is left."""
        if self.index < len(self.source):
            self.free.append(self.index)
        self.index += 1

    def read(self, codes: tuple[int, ...]) -> None:
        """Read all codes into ``target``."""
        d = self.dialect
        place = 0
        while place < len(codes):
            code = codes[place]
            if code == d.copy:
                axis = self._axis("copy")
                self.claimed.append(axis)
                self.target.append(self.source[axis])
            elif code == -1:
                if self.infer is not None:
                    self.fail("twice", place=self.infer)
                self.infer = len(self.target)
                self.target.append(None)
                self._skip_freely()
            elif code >= 0:
                self.literal *= code
                self.target.append(code)
                self._skip_freely()
            elif code == d.rest:
                while self.index < len(self.source):
                    self.claimed.append(self._axis("copy"))
                    self.target.append(self.source[self.index - 1])
            elif code == d.merge:
                a, b = self._axis("merge", 2), self._axis("merge")
                self.claimed += (a, b)
                self.target.append(rules.known_size((self.source[a], self.source[b])))
            elif code == d.skip:
                axis = self._axis("copy")
                if self.source[axis] not in (1, None):
                    self.fail("skip", size=self.source[axis])
                self.source[axis] = 1
                self.claimed.append(axis)
            elif code == d.split:
                self._split(codes, place)
                place += 2
            else:
                self.fail("unknown", code=code)
            place += 1
        self.free += range(self.index, len(self.source))

    def _split(self, codes: tuple[int, ...], place: int) -> None:
        if place + 2 >= self.count:
            self.fail("split", place=place + 2, count=self.count)
        d1, d2 = codes[place + 1], codes[place + 2]
        axis = self._axis("copy")
        self.claimed.append(axis)
        d0 = self.source[axis]
        if d1 == -1 and d2 == -1:
            self.fail("both")
        if -1 not in (d1, d2):
            if d0 is None:
                self.source[axis] = d0 = d1 * d2
            if d0 != d1 * d2:
                self.fail("uneven", d1=d1, d2=d2, d0=d0)
            self.target += (d1, d2)
            return
        factor = max(d1, d2)
        if d0 is not None and (factor < 1 or d0 % factor):
            self.fail("uneven", d1=d1, d2=d2, d0=d0)
        other = None if d0 is None else d0 // factor
        self.target += (other, d2) if d1 == -1 else (d1, other)

    def settle(self, codes: tuple[int, ...], reverse: bool) -> None:
        """Compute the inferred size, or check that the number of elements is unchanged."""
        free = [self.source[axis] for axis in self.free]
        have = rules.known_size(free) if self.known_rank else None
        facts = {
            "source": format_shape(tuple(self.source)),
            "target": format_shape(codes),
            "reverse": int(reverse),
        }
        # With a claimed size of 0, the array is empty, and any number of free elements is valid.
        never_empty = not any(self.source[axis] in (0, None) for axis in self.claimed)
        total = rules.known_size(self.source) or 0
        if self.infer is not None:
            if self.literal == 0:
                self.fail("zero", have=total, **facts)
            if have is None:
                return
            if have % self.literal == 0:
                self.target[self.infer] = have // self.literal
            elif never_empty:
                self.fail("divide", have=total, remainder=total % self.literal, **facts)
        elif have is not None:
            if have != self.literal and never_empty:
                self.fail("size", have=total, want=rules.known_size(self.target), **facts)
        elif free.count(None) == 1 and never_empty:
            rest = math.prod(n for n in free if n is not None)
            if rest and self.literal and self.literal % rest == 0:
                self.source[self.free[free.index(None)]] = self.literal // rest


@functools.lru_cache(maxsize=4096)
def resolve_codes(
    source: PartialShape, codes: tuple[int, ...], dialect: Dialect | None = None, reverse: bool = False
) -> tuple[PartialShape, PartialShape]:
    """Return the source shape, completed if possible, and the target shape.

    Parameters
    ----------
    source : tuple or None
        The shape of the array, which may be partial.
    codes : tuple of int
        The new shape, which may contain codes of the dialect.
    dialect : Dialect, optional
        The dialect: ``LEGACY`` (the default), ``NPX``, or ``NP``.
    reverse : bool
        Whether to read the shape and the codes from right to left.

    Raises
    ------
    ShapeError
        If the codes don't fit the shape of the array.

    Examples
    --------
    >>> resolve_codes((2, 3, 4), (0, -1))
    ((2, 3, 4), (2, 12))
    >>> resolve_codes((None, 3, 4), (0, -1))
    ((None, 3, 4), (None, 12))
    >>> resolve_codes((2, 3, 4), (-4, 1, -1, -3))
    ((2, 3, 4), (1, 2, 12))
    >>> resolve_codes((2, 3, 4), (-2, -5), NPX)
    ((2, 3, 4), (2, 12))
    """
    step = -1 if reverse else 1
    dialect = dialect or LEGACY
    if source is None and dialect.rest in codes:
        return None, None
    reader = _Reader(source if source is None else source[::step], dialect, len(codes))
    reader.read(codes[::step])
    reader.settle(codes, reverse)
    target = tuple(reader.target[::step])
    return (source if source is None else tuple(reader.source[::step])), target
