"""Every recorded operator call: on arrays with gradients, on symbols with the node and its shapes."""

from golden.expected_failures import ARRAYS, SYMBOLS, each_case
from golden.runner import Case, cases_of, check_arrays, check_compiled, check_symbol, families

FAMILIES = [family for family in families() if family != "numpy_ops"]


@each_case(FAMILIES, ARRAYS)
def test_on_arrays(case: Case) -> None:
    check_arrays(case)


@each_case(FAMILIES, SYMBOLS, lambda case: case.record["sym"] is not None)
def test_on_symbols(case: Case) -> None:
    check_symbol(case)


@each_case(FAMILIES, ARRAYS, lambda case: case.is_graph)
def test_compiled(case: Case) -> None:
    check_compiled(case)


def test_every_expected_failure_is_a_case() -> None:
    known = {(case.family, case.id) for family in families() for case in cases_of(family)}
    assert not {*ARRAYS, *SYMBOLS} - known
