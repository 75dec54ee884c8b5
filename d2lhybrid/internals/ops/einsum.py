"""``einsum``, which computes sums of products with one letter for each axis."""

from __future__ import annotations

from ...error import ShapeError
from ..core.operator import REQUIRED, Array, operator
from . import rules
from .elementwise import check_same_dtype
from .not_differentiable import not_differentiable

FAMILY = "linear"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _parse(subscripts: str, ndims: list[int | None]) -> tuple[list[str], str]:
    """Return the letters of each operand and of the result, with dots replaced by new letters.

    If the number of an operand's axes is unknown, it is the number of letters.

    Raises
    ------
    ShapeError
        If the subscripts do not fit the operands.

    Examples
    --------
    >>> _parse("ij,jk", [2, 2])
    (['ij', 'jk'], 'ik')
    >>> _parse("...j->...", [3])
    (['ABj'], 'AB')
    """
    text = subscripts.replace(" ", "")
    left, arrow, result = text.partition("->")
    terms = left.split(",")
    rules.require(
        len(terms) == len(ndims),
        "std::count(ret[0].begin(), ret[0].end(), ',') + 1 == shapes.size() "
        f"({len(terms)} vs. {len(ndims)}) : "
        "Number of einsum subscripts must be equal to the number of operands.",
    )
    spare = [c for c in _LETTERS if c not in text]
    counts = [0 if n is None or "..." not in t else n - len(t) + 3 for t, n in zip(terms, ndims, strict=True)]
    dots = "".join(spare[: max(counts)])
    # Broadcasting aligns the axes that dots represent at their end.
    operands = [t.replace("...", dots[len(dots) - c :]) for t, c in zip(terms, counts, strict=True)]
    for letters, n in zip(operands, ndims, strict=True):
        if n is not None and len(letters) != n:
            raise ShapeError(
                f"Check failed: einsum: the subscripts {letters!r} require an operand with ndim {len(letters)}, not {n}"
            )
    if arrow:
        output = result.replace("...", dots)
    else:
        joined = "".join(operands)
        once = sorted(c for c in set(joined) if joined.count(c) == 1 and c not in dots)
        output = dots + "".join(once)
    for letter in output:
        rules.require(
            any(letter in letters for letters in operands),
            f"input_subscripts_set.test(c): Output character {letter} did not appear in the input",
        )
    return operands, output


@operator("_npi_einsum")
def einsum(xp, *data: Array, subscripts: str = "", optimize: int = 0):
    """Return sums of products in Einstein notation.

    For example, ``"ij,jk->ik"`` multiplies matrices, and ``"ii->"`` computes a trace.
    """
    for other in data[1:]:
        check_same_dtype(data[0], other)
    _parse(subscripts, [x.ndim for x in data])
    # NumPy's search for an order of products with BLAS takes about 10 microseconds, which pays off for larger operands.
    worthwhile = len(data) > 1 and (optimize or sum(x.size for x in data) > 512)
    return xp.einsum(subscripts, *data, optimize=bool(worthwhile))


@einsum.infer_shape
def _(*data, subscripts, **_):
    operands, output = _parse(subscripts, [None if s is None else len(s) for s in data])
    if any(s is None for s in data):
        return list(data), [None]
    sizes: dict[str, int | None] = {}
    for letters, shape in zip(operands, data, strict=True):
        for letter, n in zip(letters, shape, strict=True):
            known = sizes.setdefault(letter, n)
            if known in (None, 1):  # this size may be broadcast
                sizes[letter] = known if n == 1 else n
            elif n not in (None, 1, known):
                raise ShapeError(
                    f"Check failed: einsum: the subscript {letter!r} has the sizes {known} and {n} in operands of "
                    "shapes " + ", ".join(rules.format_shape(s) for s in data)
                )
    return list(data), [tuple(sizes[c] for c in output)]


einsum.infer_type(rules.same_type)


def _is_plain(operands: list[str], output: str) -> bool:
    """Return whether ``einsum`` can compute the gradients of a call, too.

    It can, unless a letter occurs twice in one operand (a diagonal) or only in one operand (a sum), or dots may
    represent axes of size 1.
    """
    for i, letters in enumerate(operands):
        others = output + "".join(o for j, o in enumerate(operands) if j != i)
        if len(set(letters)) != len(letters) or not set(letters) <= set(others):
            return False
    return True


@einsum.gradient
def _(F, dy, y, *data, subscripts, optimize, needs=None, **_):
    wanted = needs or (True,) * len(data)
    if "." not in subscripts:
        operands, output = _parse(subscripts, [None] * len(data))
        if _is_plain(operands, output):
            return [
                F._stretch_or_sum(
                    F._npi_einsum(
                        dy,
                        *(x for j, x in enumerate(data) if j != i),
                        subscripts=",".join([output, *(o for j, o in enumerate(operands) if j != i)])
                        + "->"
                        + operands[i],
                        optimize=optimize,
                    ),
                    data[i],
                )
                if wanted[i]
                else None
                for i in range(len(data))
            ]
    return [
        F._backward_npi_einsum(dy, *data, subscripts=subscripts, position=i) if wanted[i] else None
        for i in range(len(data))
    ]


@operator("_stretch_or_sum")
def stretch_or_sum(xp, data: Array, like: Array):
    """Repeat axes of size 1, and sum along axes in which ``like`` has size 1, so that the shape is that of ``like``."""
    if data.shape == like.shape:
        return data
    wide = tuple(i for i, n in enumerate(like.shape) if n == 1 and data.shape[i] != 1)
    return xp.broadcast_to(xp.add.reduce(data, wide, keepdims=True), like.shape).copy()


stretch_or_sum.infer_shape(lambda data, like: ([data, like], [like]))
stretch_or_sum.infer_type(rules.type_of_first)
stretch_or_sum.identity = "same type"
stretch_or_sum.gradient(lambda F, dy, y, data, like: [F._stretch_or_sum(dy, data), None])


# This operator handles only the rare calls for which ``_is_plain`` is False, and has no second derivative.
@operator("_backward_npi_einsum")
def backward_einsum(xp, grad: Array, *data: Array, subscripts: str = REQUIRED, position: int = REQUIRED):
    """Return the gradient of ``einsum`` with respect to the operand with the index ``position``."""
    operands, output = _parse(subscripts, [x.ndim for x in data])
    target, letters = data[position], operands[position]
    distinct = "".join(dict.fromkeys(letters))
    others = [(operands[j], x) for j, x in enumerate(data) if j != position]
    reachable = [c for c in distinct if c in output or any(c in o for o, _ in others)]
    terms = ",".join([output, *(o for o, _ in others)])
    part = xp.einsum(f"{terms}->{''.join(reachable)}", grad, *(x for _, x in others))
    # Along letters that occur only in this operand, all elements get the same gradient.
    sizes = dict(zip(letters, target.shape, strict=True))
    shape = [part.shape[reachable.index(c)] if c in reachable else sizes[c] for c in distinct]
    part = part.reshape([n if c in reachable else 1 for c, n in zip(distinct, shape, strict=True)])
    repeated = tuple(i for i, c in enumerate(distinct) if sizes[c] == 1 and shape[i] != 1)
    if repeated:  # the operand was broadcast along these axes
        part = xp.add.reduce(part, repeated, keepdims=True)
    result = xp.zeros(target.shape, grad.dtype)
    # In NumPy and CuPy, a diagonal of zeros is a writable view.
    diagonal = xp.einsum(f"{letters}->{distinct}", result) if len(distinct) != len(letters) else result
    diagonal[...] = part
    return result


backward_einsum.infer_shape(lambda grad, *data, position, **_: ([grad, *data], [data[position]]))
backward_einsum.infer_type(lambda grad, *data, position, **_: ([grad, *data], [data[position]]))
not_differentiable(backward_einsum)
