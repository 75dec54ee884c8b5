"""Reshaping: the special codes of legacy ``reshape`` and of ``npx.reshape``, and what builds on them.

Three operators give an array a new shape and read the numbers of that shape differently:

==================================  =========  ==================  =========
what the number asks for            Reshape    _npx_reshape        _np_reshape
==================================  =========  ==================  =========
infer the size from the others      -1         -1                  -1
copy one size                       0          -2                  (none)
copy all remaining sizes            -2         -4                  (none)
merge two sizes into one            -3         -5                  (none)
split one size into the next two    -4 a b     -6 a b              (none)
skip a size of 1                    (none)     -3                  (none)
==================================  =========  ==================  =========

One resolver reads all three. It works on partial shapes, and the kernels use the same resolver as
the shape rules, so that the two cannot disagree.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, NoReturn

import numpy

from ..errors import ShapeError
from . import rules
from .registry import REQUIRED, Array, Shape, operator
from .rules import PartialShape, format_shape

__all__ = ["LEGACY", "NP", "NPX", "Dialect", "legacy_reshape", "resolve_codes"]


@dataclasses.dataclass(frozen=True, eq=False)
class Dialect:
    """What the special numbers of one reshape operator mean; None where it has no such code."""

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
        "divide": "src.Size() % known_dim_size_prod == 0: "
        "Cannot reshape array of shape {source} into shape {target}",
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
        "unknown": "param.newshape[i] >= -6 ({code} vs. -6) : "
        "Dimension size must be greater than or equal to -6",
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
    """Reads the codes from left to right and keeps account of the source's sizes.

    A size that a code takes over (copy, merge, split, skip) is *claimed*; the others are *free*:
    they are what the plain numbers and the -1 of the target have to make up.
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
        """Step to the next axis of the source; of an unknown source, invent one."""
        if self.index + needed > len(self.source):
            if self.known_rank:
                self.fail(reason, index=self.index, rank=len(self.source), last=len(self.source) - 1)
            self.source += [None] * (self.index + needed - len(self.source))
        self.index += 1
        return self.index - 1

    def _skip_freely(self) -> None:
        """A plain number stands in the place of one source axis, if there is one left."""
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
        """Fill in the inferred size, or check that the number of elements stays."""
        free = [self.source[axis] for axis in self.free]
        have = rules.known_size(free) if self.known_rank else None
        facts = {"source": format_shape(tuple(self.source)), "target": format_shape(codes), "reverse": int(reverse)}
        # With a claimed size of 0 the array is empty, and any number of free elements is right.
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
    """Return the source shape, completed where it follows, and the target shape.

    Parameters
    ----------
    source : tuple or None
        Shape of the array, perhaps partial.
    codes : tuple of int
        The new shape, with the dialect's special codes.
    dialect : Dialect, optional
        ``LEGACY`` (the default), ``NPX`` or ``NP``.
    reverse : bool
        Read shape and codes from right to left.

    Raises
    ------
    ShapeError
        If the codes do not fit the shape.

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


# --- legacy ------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def legacy_reshape(
    source: PartialShape,
    shape: tuple[int, ...],
    reverse: bool = False,
    target_shape: tuple[int, ...] = (),
    keep_highest: bool = False,
) -> tuple[PartialShape, PartialShape]:
    """Return what :func:`resolve_codes` does for the attributes of the legacy operator.

    ``target_shape`` is the older form: its single 0 is the inferred size.
    """
    if shape:
        return resolve_codes(source, shape, LEGACY, reverse)
    if not target_shape:
        raise ShapeError("Operator Reshape inferring shapes failed.")
    if any(n < 0 for n in target_shape):
        bad = next(n for n in target_shape if n < 0)
        raise ShapeError(
            f"Check failed: dim_size_is_known(*it): Shape dim size cannot be a negative value {bad}"
        )
    codes = [-1 if n == 0 else n for n in target_shape]
    if keep_highest:
        codes[0] = 0
    return resolve_codes(source, tuple(codes), LEGACY)


@operator("Reshape", "reshape")
def reshape(
    xp,
    data: Array,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
):
    """Give an array a new shape, without changing the order of its elements.

    Parameters
    ----------
    data : NDArray or Symbol
        The array.
    shape : tuple of int
        The new shape. ``0`` copies a size, ``-1`` is inferred, ``-2`` copies all remaining sizes,
        ``-3`` merges two sizes, ``-4, a, b`` splits a size into ``a`` and ``b``.
    reverse : bool
        Match the codes from right to left.
    target_shape, keep_highest
        An older form of the same, kept for old files.
    """
    return data.reshape(legacy_reshape(data.shape, shape, reverse, target_shape, keep_highest)[1])


@reshape.infer_shape
def _(data, *, shape, reverse, target_shape, keep_highest):
    if not shape and not target_shape:  # nothing is asked for, so nothing is known
        return [data], [None]
    source, target = legacy_reshape(data, shape, reverse, target_shape, keep_highest)
    return [source], [target]


reshape.infer_type(rules.same_type)
reshape.gradient(lambda F, dy, y, data, **_: [F.reshape_like(dy, data)])


def _span(begin: int | None, end: int | None, rank: int, side: str) -> tuple[int, int]:
    """Return a range of axes with both ends counted from the front."""
    first = 0 if begin is None else begin + rank if begin < 0 else begin
    last = rank if end is None else end + rank if end < 0 else end
    rules.require(
        last <= rank, f"*cend <= ndims: Invalid end for {side}_end={end} as dimension number is {rank}"
    )
    rules.require(
        0 <= first < last or rank == 0,
        f"(*cbegin < *cend): Invalid begin, end, get {side}_begin={begin}, {side}_end={end}",
    )
    return first, last


def _like_shape(lhs: PartialShape, rhs: PartialShape, spans: tuple[int | None, ...]) -> PartialShape:
    if lhs is None or rhs is None:
        return rhs if spans == (None,) * 4 else None
    if spans == (None,) * 4:
        target = rhs
    else:
        a, b = _span(spans[0], spans[1], len(lhs), "lhs")
        c, d = _span(spans[2], spans[3], len(rhs), "rhs")
        target = lhs[:a] + rhs[c:d] + lhs[b:]
    have, want = rules.known_size(lhs), rules.known_size(target)
    if None not in (have, want):
        rules.require(
            have == want,
            f"(*in_attrs)[0].Size() == oshape.Size() ({have} vs. {want}) : "
            f"Cannot reshape lhs with shape {format_shape(lhs)}to new shape {format_shape(target)} "
            "because they have different size.",
        )
    return target


@operator("reshape_like", "_npx_reshape_like")
def reshape_like(
    xp,
    lhs: Array,
    rhs: Array,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
):
    """Give ``lhs`` the shape of ``rhs``, or replace some of its sizes by some of ``rhs``'s."""
    if lhs_begin is lhs_end is rhs_begin is rhs_end is None and lhs.size == rhs.size:
        return lhs.reshape(rhs.shape)
    return lhs.reshape(_like_shape(lhs.shape, rhs.shape, (lhs_begin, lhs_end, rhs_begin, rhs_end)))


@reshape_like.infer_shape
def _(lhs, rhs, *, lhs_begin, lhs_end, rhs_begin, rhs_end):
    return [lhs, rhs], [_like_shape(lhs, rhs, (lhs_begin, lhs_end, rhs_begin, rhs_end))]


reshape_like.infer_type(rules.type_of_first)
reshape_like.gradient(lambda F, dy, y, lhs, rhs, **_: [F.reshape_like(dy, lhs), None])


@operator("Flatten", "flatten", "_npx_batch_flatten")
def flatten(xp, data: Array):
    """Merge all axes but the first: ``(n, a, b, ...)`` becomes ``(n, a*b*...)``."""
    if data.ndim == 2:
        return data
    if data.ndim == 0:
        raise ShapeError("Operator Flatten inferring shapes failed.")
    return data.reshape(data.shape[0], math.prod(data.shape[1:]))


@flatten.infer_shape
def _(data):
    if not data:  # unknown, or without axes
        return [data], [None]
    return [data], [(data[0], rules.known_size(data[1:]))]


flatten.infer_type(rules.same_type)
flatten.gradient(lambda F, dy, y, data: [F.reshape_like(dy, data)])

# --- np and npx --------------------------------------------------------------------------------


@operator("_np_reshape")
def np_reshape(xp, a: Array, newshape: Shape = REQUIRED, order: str = "C"):
    """Give an array a new shape; one size may be -1 and is inferred."""
    return a.reshape(resolve_codes(a.shape, newshape, NP)[1])


@operator("_npx_reshape", "_npi_reshape")
def npx_reshape(xp, a: Array, newshape: Shape = REQUIRED, reverse: bool = False, order: str = "C"):
    """Give an array a new shape, with codes for copying, merging and splitting sizes.

    Parameters
    ----------
    a : ndarray
        The array.
    newshape : int or tuple of int
        The new shape. ``-1`` is inferred, ``-2`` copies a size, ``-3`` skips a size of 1, ``-4``
        copies all remaining sizes, ``-5`` merges two sizes, ``-6, a, b`` splits a size.
    reverse : bool
        Match the codes from right to left.
    order : str
        Only ``'C'``, the last axis changes fastest.
    """
    return a.reshape(resolve_codes(a.shape, newshape, NPX, reverse)[1])


@np_reshape.infer_shape
def _(a, *, newshape, order):
    source, target = resolve_codes(a, newshape, NP)
    return [source], [target]


@npx_reshape.infer_shape
def _(a, *, newshape, reverse, order):
    source, target = resolve_codes(a, newshape, NPX, reverse)
    return [source], [target]


for _op in (np_reshape, npx_reshape):
    _op.infer_type(rules.same_type)
    _op.gradient(lambda F, dy, y, a, **_: [F.reshape_like(dy, a)])


# --- shapes as arrays --------------------------------------------------------------------------


@operator("shape_array", "_npx_shape_array", differentiable=False)
def shape_array(xp, data: Array):
    """The shape as a one-dimensional int64 array."""
    return xp.asarray(data.shape, dtype=numpy.int64)


@operator("size_array", differentiable=False)
def size_array(xp, data: Array):
    """The number of elements as an int64 array of shape (1,)."""
    return xp.asarray((data.size,), dtype=numpy.int64)


shape_array.infer_shape(lambda data: ([data], [None if data is None else (len(data),)]))
size_array.infer_shape(lambda data: ([data], [(1,)]))
shape_array.infer_type(lambda data: ([data], [numpy.dtype("int64")]))
size_array.infer_type(lambda data: ([data], [numpy.dtype("int64")]))
