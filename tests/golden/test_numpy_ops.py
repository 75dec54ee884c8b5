"""The recorded calls of ``np`` and ``npx``: on arrays with gradients, on symbols with the node."""

from golden.expected_failures import ARRAYS, SYMBOLS, each_case
from golden.runner import Case, check_arrays, check_symbol


@each_case(["numpy_ops"], ARRAYS)
def test_on_arrays(case: Case) -> None:
    check_arrays(case)


@each_case(["numpy_ops"], SYMBOLS, symbols=True)
def test_on_symbols(case: Case) -> None:
    check_symbol(case)
