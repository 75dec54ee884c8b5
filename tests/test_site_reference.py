"""The reference of the site: everything public has an entry, and what the entry says is so. Needs no Sphinx."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import re
import sys
import warnings
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.core.operator import REQUIRED, get_operator
from d2lhybrid.internals.frontends.numpy_dialect.documentation import examples as examples_of_numpy

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from reference import docstrings, inherited, members, operators, pages  # noqa: E402  it lies beside the site
from reference import meanings as reference_meanings  # noqa: E402
from reference.examples import examples  # noqa: E402
from reference.meanings import meaning_of, meanings  # noqa: E402
from sources import Site, titles_of  # noqa: E402

OPERATORS = operators.documented()
MODULES = [name for names in members.GROUPS.values() for name in names]
each_operator = pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.name)


@each_operator
def test_an_entry_tells_everything(op):
    entry = "\n".join(pages.operator_entry(op))
    first = next(iter(operators.places(op)))
    shown = re.search(r"^   \.\. rubric:: Parameters\n\n(.*?)(?=^   \.\. rubric::)", entry, re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^   (``.*)$", shown[1], re.MULTILINE) if shown else []
    described = [name for head in heads for name in re.findall(r"``\*{0,2}(\w+)``", head.partition(" : ")[0])]
    taken = [p for p in inspect.signature(operators._found(first)).parameters if p != "kwargs"]
    assert sorted(described) == sorted(taken)
    assert not re.findall(r"^   ``\S+``.*\n {7}\.\.$", shown[1] if shown else "", re.MULTILINE), (
        "no word on what they mean"
    )
    assert all(f"``{name}``" in entry for name in op.names), "MXNet's names"
    assert all(path in entry for path in operators.places(op))
    for rubric in ("Example", "Shapes"):
        assert f".. rubric:: {rubric}\n" in entry
    required = [a.name for a in op.attributes.values() if a.default is REQUIRED]
    assert not required or any(re.search(r"``.*``", error.why) for error in operators.errors(op))


@each_operator
def test_an_example_gives_what_it_says(op):
    text = docstrings.read(op.__doc__).texts.get("Examples") or operators.example(op)
    names = {"mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx, "sym": mx.sym, "autograd": mx.autograd}
    test = doctest.DocTestParser().get_doctest(text, names, op.name, None, 0)
    assert test.examples
    mx.random.seed(0)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append).failed
    assert not failed, "".join(said)


def test_every_public_function_that_is_an_operator_has_an_entry():
    told = {path for op in OPERATORS for path in operators.places(op)}
    homes = ["nd", "sym", *(f"{f}.{place}" for f in ("nd", "sym") for place in ("contrib", "linalg", "image"))]
    for home in [*homes, "npx", "npx.image"]:
        for member in members.members(home):
            if member.kind == "operator":
                assert member.path in told


def test_every_public_module_is_told_about():
    told = {id(members.module_of(name)) for name in MODULES}
    for name in mx.__all__:
        value = getattr(mx, name)
        if inspect.ismodule(value):
            inner = [vars(value)[n] for n in getattr(value, "__all__", ()) if inspect.ismodule(vars(value).get(n))]
            assert any(id(part) in told for part in [value, *inner]), name


@pytest.fixture(scope="module")
def module_pages():
    documented: dict[int, str] = {}
    made = {}
    for name in MODULES:
        made[name] = "\n".join(pages.module_page(name, documented))
        if name == "np":
            parts = pages.numpy_pages(documented)
            made[name] += "".join("\n".join(lines) for lines in parts.values())
    return made


def test_every_public_name_has_an_entry_or_says_where_it_has_one(module_pages):
    for name, page in module_pages.items():
        for member in members.members(name):
            if member.kind in ("class", "function"):
                here = re.search(rf"^\.\. py:{member.kind}:: {re.escape(member.path)}(\(|$)", page, re.MULTILINE)
                told = (f"- ``{member.name}``: ", f"``{member.path}`` is", f"``{member.path}``,", f"``{member.path}``.")
                assert here or any(text in page for text in told), member.path
            elif member.kind == "operator":
                assert f":py:func:`{member.name} <" in page, member.path


def test_what_has_no_meaning_of_its_own_is_not_told_twice(module_pages):
    entries = re.findall(r"^\.\. py:(?:class|function):: ([\w.]+)", "\n".join(module_pages.values()), re.MULTILINE)
    assert len(entries) == len(set(entries)) > 800


def test_facts_are_those_of_the_operator():
    facts = {name: value for name, value, _ in operators.facts(get_operator("dot"))}
    assert facts["gradient"] == "yes" and facts["ONNX"] == "yes" and facts["dialects"] == "nd sym"
    facts = {name: value for name, value, _ in operators.facts(get_operator("argmax"))}
    assert facts["gradient"] == "zero"
    facts = {name: value for name, value, _ in operators.facts(get_operator("CTCLoss"))}
    assert facts["ONNX"] == "none"


def test_facts_of_numpys_functions_are_those_of_what_they_call():
    found = {m.name: {name: value for name, value, _ in members.numpy_facts(m)} for m in members.members("np")}
    assert found["mean"] == {"gradient": "yes", "ONNX": "yes", "operators": "_npi_mean", "dialects": "np sym.np"}
    assert found["argmax"]["gradient"] == "none"
    assert found["cov"] == {"gradient": "none", "dialects": "np"}  # NumPy computes it


def test_errors_are_what_is_raised():
    made = {error.why: error for error in operators.errors(get_operator("Convolution"))}
    with pytest.raises(mx.MXNetError) as caught:
        mx.nd.Convolution(mx.nd.ones((2, 4, 7)), mx.nd.ones((4, 3, 3)), mx.nd.ones((4,)), kernel=(3,), num_filter=4)
    assert str(caught.value).split("\n")[0] in {error.message for error in made.values()}


def test_a_docstring_is_taken_apart():
    assert not any(doctest.testmod(module).failed for module in (docstrings, inherited, operators, reference_meanings))


# --- texts and links ---------------------------------------------------------------------------------


def test_links_lead_from_page_to_page(tmp_path):
    site = Site(tmp_path, "en", "zh")
    site.add(["README.md"], lambda file: "index")
    site.add(["docs/reading.md", "docs/decisions/README.md", "notebooks/04_limits.ipynb"])
    site.elsewhere = {"notebooks/zh/04_limits.ipynb": "notebooks/04_limits"}
    text = "[a](docs/reading.md) `[b](x.md)` [`c`](notebooks/zh/04_limits.ipynb) [d](docs/decisions) [e](LICENSE)"
    assert site.links(text, "", "index") == (
        '[a](docs/reading.md) `[b](x.md)` <a href="zh/notebooks/04_limits.html"><code>c</code></a> '
        "[d](docs/decisions/README.md) [e](source/LICENSE)"
    )
    assert site.links("[a](../README.md#two-commands)", "docs", "docs/reading") == "[a](../index.md#two-commands)"
    assert site.links("```\n[a](nowhere.md)\n```\n", "", "index") == "```\n[a](nowhere.md)\n```\n"
    with pytest.raises(ValueError, match="nowhere"):
        site.links("[a](nowhere.md)", "", "index")


def test_titles_are_headings_and_not_comments_of_programs():
    assert titles_of("# One\n\n```python\n# two\n```\n") == ["One"]


# --- examples ----------------------------------------------------------------------------------------

#: Modules with names that have an example beside the reference.
EXAMPLES = {
    home: [name for name in examples() if name.rpartition(".")[0] == home]
    for home in dict.fromkeys(name.rpartition(".")[0] for name in examples())
}


def run_example(name, text, folder):
    """Run an example in a folder, as after ``import d2lhybrid as mx`` and the usual other imports."""
    names = {short: getattr(mx, short) for short in ("nd", "np", "npx", "sym", "gluon", "autograd")} | {"mx": mx}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert test.examples, name
    mx.random.seed(0)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            failed = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append).failed
        finally:
            mx.npx.reset_np()
    assert not failed, "".join(said)


@pytest.mark.parametrize("home", EXAMPLES)
def test_the_examples_of_a_module_give_what_they_say(home, tmp_path, monkeypatch):
    if home == "onnx":
        pytest.importorskip("onnx")
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path / "progress"))
    for i, name in enumerate(EXAMPLES[home]):
        (tmp_path / str(i)).mkdir()
        run_example(name, examples()[name], tmp_path / str(i))


def test_the_examples_of_numpys_functions_give_what_they_say(tmp_path):
    for name, text in examples_of_numpy().items():
        run_example(name, text, tmp_path)


def test_every_public_name_has_an_example():
    """A call that can be pasted: in its docstring, or beside the reference; operators have those of their tests."""
    without, told = [], set()
    for name in MODULES:
        for member in members.members(name):
            if member.kind == "data" or member.kind == "operator" or id(member.value) in told:
                continue
            if not getattr(member.value, "__module__", "").startswith("d2lhybrid"):
                continue
            told.add(id(member.value))
            entry = "\n".join(pages._entry(member))
            if not re.search(r"\.\. rubric:: Examples\n\n.*^ *>>> ", entry, re.MULTILINE | re.DOTALL):
                without.append(member.path)
    assert not without


def test_every_parameter_has_a_meaning():
    """Of every function and class that is no operator; those of operators are looked for in their entries."""
    without, told = set(), set()
    for name in MODULES:
        for member in members.members(name):
            value = member.value
            if member.kind in ("data", "operator") or not getattr(value, "__module__", "").startswith("d2lhybrid"):
                continue
            if id(value) in told:
                continue
            told.add(id(value))
            shown = docstrings.parameters_of(
                pages._docstring_of(value),
                members.signature_of(value),
                lambda word, path=member.path: meaning_of(path, word),
            )
            without |= {f"{member.path}: {item.name}" for item in shown if not item.text.strip()}
    assert not without


def _classes():
    told = set()
    for name in MODULES:
        for member in members.members(name):
            ours = getattr(member.value, "__module__", "").startswith("d2lhybrid")
            if member.kind == "class" and ours and id(member.value) not in told:
                told.add(id(member.value))
                yield member


def test_every_parameter_of_every_method_has_a_meaning():
    without, count = [], 0
    for member in _classes():
        for name, kind, function in members.methods_of(member.value):
            if kind != "property":
                shown = pages.method_parameters(member, name, function)
                signature = members.signature_of(function)
                assert signature is None or len(shown) >= len(set(signature.parameters) - {"self", "cls"})
                without += [f"{member.path}.{name}: {item.name}" for item in shown if not item.text.strip()]
                count += len(shown)
    assert count > 1400 and not without


def test_nothing_in_the_reference_is_particular_to_a_machine(module_pages):
    assert not re.findall(r".*(?: at 0x[0-9a-f]+|/site-packages/|/lib/python3).*", "\n".join(module_pages.values()))


def test_what_a_base_says_of_a_parameter_is_shown_with_the_methods_of_its_subclasses():
    member = members.Member("Adam", "optimizer.Adam", mx.optimizer.Adam, "class")
    shown = {item.name: item.text for item in pages.method_parameters(member, "step", mx.optimizer.Adam.step)}
    assert "Update count of the weight" in shown["t"] and mx.optimizer.Adam.step.__doc__.count("Parameters") == 0
    member = members.Member("Module", "module.SequentialModule", mx.module.SequentialModule, "class")
    shown = {
        item.name for item in pages.method_parameters(member, "bind", mx.module.SequentialModule.bind) if item.text
    }
    assert {"data_shapes", "grad_req"} <= shown  # which BaseModule.bind takes from Module.bind


def test_what_is_told_beside_the_reference_is_told_of_something():
    told = {member.path: member.value for name in MODULES for member in members.members(name) if member.kind != "data"}
    assert not set(examples()) - {member.path for name in MODULES for member in members.members(name)}
    for member in _classes():
        told |= {f"{member.path}.{name}": f for name, kind, f in members.methods_of(member.value) if kind != "property"}
    taken = {path: set(getattr(members.signature_of(value), "parameters", ())) for path, value in told.items()}
    for name in meanings():
        path, _, parameter = name.rpartition(".")
        home = path.removesuffix("*")
        of = [known for known in taken if known == path or (home != path and known.startswith(home))]
        assert any(parameter in taken[known] for known in of), name
