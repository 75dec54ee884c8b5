"""NumPy's functions, called with arrays of ``mx.np`` and with what NumPy takes for arrays: numbers and lists."""

import inspect
import warnings
from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, np

OTHERS = {
    "a number": 2,
    "a fraction": 0.5,
    "numpy.float32": numpy.float32(1),
    "rows": [[1.0, 2.0], [3.0, 4.0]],
    "a row": [1, 2],
}

#: Those that write into an array or a file, compare objects, or give types and texts.
_LEFT_OUT = {
    "common_type", "copyto", "einsum_path", "empty_like", "fill_diagonal", "may_share_memory", "place", "put",
    "put_along_axis", "putmask", "result_type", "save", "savetxt", "savez", "savez_compressed", "shares_memory",
}  # fmt: skip


def functions():
    """Yield every function of NumPy that is handed on by its protocol and takes two arguments or more."""
    for place, module in (("", numpy), ("linalg", numpy.linalg), ("fft", numpy.fft)):
        for name in sorted(dir(module)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function: Any = getattr(module, name, None)
            if not hasattr(function, "_implementation") or name in _LEFT_OUT:
                continue
            try:
                given = inspect.signature(function).parameters.values()
            except ValueError:
                continue
            needed = [
                p for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
            ]
            if len(needed) >= 2 or any(p.kind is p.VAR_POSITIONAL for p in given):
                yield pytest.param(function, max(len(needed), 2), id=f"{place}.{name}".lstrip("."))


def plain(value):
    return value.asnumpy() if isinstance(value, np.ndarray) else value


def flat(value):
    """Return every array and number in a result."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [numpy.asarray(plain(part)) for part in parts]


@pytest.mark.parametrize(("function", "count"), list(functions()))
@pytest.mark.filterwarnings("ignore")
def test_numbers_and_lists_beside_our_arrays_give_what_numpy_gives(function, count):
    ours = np.array([[1.0, 2.0], [3.0, 4.0]])
    for label, other in OTHERS.items():
        for arguments in ([ours] + [other] * (count - 1), [other] * (count - 1) + [ours]):
            try:
                expected = function(*map(plain, arguments))
            except Exception:
                continue  # nor does NumPy take them
            found = function(*arguments)
            assert len(flat(found)) == len(flat(expected)), label
            for one, wanted in zip(flat(found), flat(expected), strict=True):
                assert one.shape == wanted.shape, label
                numpy.testing.assert_allclose(one.astype(float), wanted.astype(float), rtol=1e-4, err_msg=label)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_is_broadcast_by_mx_np_leads_back(other):
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    x.attach_grad()
    with autograd.record():
        first, second = np.broadcast_arrays(x, other)
        total = (first * second).sum()
    total.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), numpy.broadcast_to(other, (2, 2)), rtol=1e-6)


def test_limits_that_are_arrays_around_a_number():
    ours = np.array([1.0, 3.0])
    assert numpy.clip(2, ours, ours).asnumpy().tolist() == [1, 3]


def test_what_neither_takes_is_told_by_our_function():
    with pytest.raises(AssertionError, match="must have NDArray type"):
        numpy.dot(np.ones((2, 2)), "a")


def test_numpy_does_not_compute_in_the_place_of_ours_while_the_tape_records():
    with autograd.record(), pytest.raises(AssertionError, match="must have NDArray type"):
        numpy.outer(np.ones(2), [1.0, 2.0])
