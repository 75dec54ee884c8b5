"""The recorded calls of ``np`` and ``npx``: on arrays with gradients, on symbols with the node."""

from golden.expected_failures import ARRAYS, SYMBOLS, each_case
from golden.runner import Case, check_arrays, check_compiled, check_symbol


@each_case(["numpy_ops"], ARRAYS)
def test_on_arrays(case: Case) -> None:
    check_arrays(case)


@each_case(["numpy_ops"], SYMBOLS, lambda case: case.record["sym"] is not None)
def test_on_symbols(case: Case) -> None:
    check_symbol(case)


@each_case(["numpy_ops"], ARRAYS, lambda case: case.is_graph)
def test_compiled(case: Case) -> None:
    check_compiled(case)
