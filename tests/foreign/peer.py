"""MXNet's own unit tests: those count that pass on real MXNet, and that are about what this package promises.

``LEFT_OUT`` names whole files, ``TESTS_LEFT_OUT`` tests by a part of their names. Whatever is not named here is run.
The page is ``docs/peer_tests.md``, with the reasons of those that fail here.
"""

from __future__ import annotations

from pathlib import Path

from .pytest_files import Result, Suite, run_file
from .softened import take_softened
from .tests_of_others import ForeignTests, Row, table

__all__ = ["DESCRIPTION", "MXNET"]

#: What these tests are about is absent on purpose; docs/compatibility.md says so, and what to use.
LEFT_OUT = {
    "test_contrib_intgemm.py": "intgemm, a library in C++",
    "test_contrib_io.py": "needs a data set from the network",
    "test_dgl_graph.py": "operators on graphs of DGL",
    "test_engine.py": "the engine of C++",
    "test_engine_import.py": "the engine of C++",
    "test_extensions.py": "libraries in C++",
    "test_gluon_model_zoo.py": "needs weights from the network",
    "test_gluon_utils.py": "needs the network",
    "test_kvstore_custom.py": "several devices",
    "test_metric_perf.py": "prints times, checks nothing",
    "test_model_parallel.py": "a graph on several devices",
    "test_predictor.py": "the interface for C",
    "test_sparse_ndarray.py": "sparse storage",
    "test_sparse_operator.py": "sparse storage",
    "test_subgraph.py": "libraries that take over parts of a graph",
    "test_subgraph_op.py": "libraries that take over parts of a graph",
    "test_test_utils.py": "needs the network",
    "test_tvm_op.py": "TVM",
}

_SPARSE = "sparse|stype|row_?sparse|csr|rsp"

#: File -> (part of a name, what such a test is about) of those that are left out.
TESTS_LEFT_OUT = {
    "test_autograd.py": [(_SPARSE, "sparse storage")],
    "test_base.py": [("data_dir", "a folder in the home directory")],
    "test_contrib_autograd.py": [("^test_section$", "a function that pytest takes for a test")],
    "test_contrib_optimizer.py": [("group_adagrad", "sparse storage")],
    "test_exc_handling.py": [
        ("opencv", "OpenCV"),
        ("multiple_waitalls|mutable_var", "the engine of C++"),
    ],
    "test_gluon.py": [
        (_SPARSE, "sparse storage"),
        ("sync_batchnorm|batchnorm_backward_synchronization", "several devices"),
        ("parallel_download", "needs the network"),
        ("invalid_parameter", "an environment variable of the engine of C++"),
    ],
    "test_gluon_contrib.py": [(_SPARSE, "sparse storage"), ("datasets", "needs the network")],
    "test_gluon_data.py": [("^test_datasets$", "needs the network")],
    "test_gluon_trainer.py": [(_SPARSE, "sparse storage"), ("teststore|reset_kv", "stores of several machines")],
    "test_init.py": [("rsp", "sparse storage")],
    "test_io.py": [("LibSVM|Cifar10|ImageRecordIter", "needs the network or the pipeline of C++")],
    "test_kvstore.py": [(_SPARSE, "sparse storage"), ("compress", "several machines")],
    "test_module.py": [(_SPARSE, "sparse storage")],
    "test_ndarray.py": [
        (_SPARSE, "sparse storage"),
        ("cpu_shared|update_ops_mutation", "memory of the engine of C++"),
    ],
    "test_numpy_interoperability.py": [("np_fallback_ops", "which of NumPy's functions MXNet has not")],
    "test_numpy_op.py": [("npx_constraint|npx_sample_n|bernoulli", "experiments that MXNet hides")],
    "test_operator.py": [
        (_SPARSE, "sparse storage"),
        ("quantization", "quantization"),
        ("multi_proposal|rroi", "detectors of regions"),
        ("^test_psroipooling$", "takes MXNet minutes: a numeric gradient of thousands of calls"),
        ("get_all_registered|get_operator_arguments", "tables of the C interface"),
        ("large_tensor", "arrays of over four gigabytes"),
        ("locale|context_num_gpus|allclose_function", "the machine, and not operators"),
    ],
    "test_optimizer.py": [(_SPARSE, "sparse storage")],
    "test_profiler.py": [("process_automatic|server", "processes of the engine of C++")],
    "test_random.py": [("parallel_random", "the streams of the engine of C++")],
    "test_symbol.py": [
        ("eliminate_common_expr|infershape_happens|gradient_graph_possible", "passes of the engine of C++"),
    ],
}  # fmt: skip

#: The release whose tests are run.
MXNET = Suite(
    "MXNet", "1.9.1", "1.9.1", "tests/python/unittest", (), ("test_*.py",), (), LEFT_OUT, {}, TESTS_LEFT_OUT
)  # fmt: skip


class PeerTests(ForeignTests):
    """The unit tests of MXNet."""

    summary = "Run MXNet's own unit tests, and print how many of those pass here that pass on real MXNet."
    clones = "a clone of apache/mxnet that has tag 1.9.1"
    limits = {  # noqa: RUF012 - a constant
        "--seconds": (300, "for one test"),
        "--seconds-per-file": (3600, "for a whole file"),
    }
    suites, page_name, target = [MXNET], "peer_tests.md", "peer-tests"
    record = Path(__file__).with_name("records") / "peer.json"

    def take(self, suite: Suite, folder: Path) -> Path:
        return take_softened(self.clone, suite.commit, folder, soften=not self.with_mxnet)

    def run_file(self, file: str) -> dict[str, Result]:
        limits = self.asked.seconds, self.asked.seconds_per_file
        return run_file(self.suite, file, self.source, self.place, self.python, self.with_mxnet, limits, of_mxnet=True)

    def figures(self, rows: list[Row]) -> tuple[str, list[str]]:
        return "", table(rows)


DESCRIPTION = PeerTests
