"""The stand-in for CuPy is strict where CuPy is strict, and shows the mistakes that it is there to show."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import numpy
import pytest
from simulated_gpu import simulated_gpu
from simulated_gpu.kernels import compiler

import d2lhybrid as mx
from d2lhybrid.internals.device import array_modules

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C++ compiler")


@pytest.fixture
def gpu() -> Iterator[Any]:
    with simulated_gpu() as machine:
        yield machine


@pytest.fixture
def cupy(gpu: Any) -> Any:
    import cupy  # pyright: ignore[reportMissingImports]

    return cupy


# --- arrays ---------------------------------------------------------------------------------------


def test_nothing_becomes_an_array_of_numpy_by_accident(cupy: Any) -> None:
    a = cupy.ones((2, 3), "float32")
    assert not isinstance(a, numpy.ndarray)
    with pytest.raises(TypeError, match=r"Implicit conversion to a NumPy array is not allowed"):
        numpy.asarray(a)
    with pytest.raises(TypeError, match=r"Unsupported type <class 'numpy.ndarray'>"):
        a + numpy.ones(3)
    with pytest.raises(TypeError, match=r"Unsupported type <class 'numpy.ndarray'>"):
        cupy.where(a > 0, numpy.zeros(3), a)
    with pytest.raises(ValueError, match=r"non-scalar numpy.ndarray cannot be used for fill"):
        a[...] = numpy.ones((2, 3))
    with pytest.raises(TypeError, match="Only cupy arrays can be concatenated"):
        cupy.concatenate([a, numpy.ones((2, 3))])


def test_functions_of_numpy_find_their_way(cupy: Any) -> None:
    a = cupy.arange(6.0).reshape(2, 3)
    for result in (numpy.exp(a), numpy.sum(a), numpy.concatenate([a, a]), numpy.float32(2) * a, numpy.linalg.norm(a)):
        assert isinstance(result, cupy.ndarray)
    assert a.sum().shape == ()


def test_what_cupy_has_not_is_refused(cupy: Any) -> None:
    a = cupy.ones(3)
    with pytest.raises(AttributeError, match="no attribute 'errstate'"):
        _ = cupy.errstate
    with pytest.raises(TypeError, match="unexpected keyword argument 'where'"):
        cupy.sum(a, where=a > 0)
    with pytest.raises(TypeError, match="Wrong arguments"):
        cupy.add(a, a, where=a > 0)
    with pytest.raises(NotImplementedError, match=r"cupy_maximum.reduce"):
        cupy.maximum.reduce(a)
    with pytest.raises(TypeError, match="Wrong type"):
        cupy.bitwise_and(a, a)
    with pytest.raises(AttributeError, match="normal"):
        cupy.random.default_rng(0).normal()
    with pytest.raises(AttributeError, match="writeable"):
        a.flags.writeable = False
        _ = a.flags.writeable


def test_python_numbers_take_the_type_of_the_array(cupy: Any) -> None:
    half = cupy.ones(2, "float16")
    assert (half * 2.5).dtype == "float16"
    assert (cupy.ones(2, "int32") * 2.5).dtype == "float64"
    assert (half * numpy.float32(2.5)).dtype == "float32"
    assert (cupy.ones(2, bool) + 1).dtype == "int64"


def test_indices_out_of_bounds_wrap_around(cupy: Any) -> None:
    a = cupy.arange(3)
    assert a[cupy.array([1, 3])].tolist() == [1, 0]
    assert cupy.take(a, cupy.array([4])).tolist() == [1]
    with pytest.raises(IndexError):
        a[3]


def test_data_on_another_device_is_refused(cupy: Any) -> None:
    a = cupy.ones(3)
    with cupy.cuda.Device(1):
        b = cupy.ones(3)
        with pytest.raises(ValueError, match="different from the current device"):
            a + b
        assert a.copy().device.id == 1
        assert cupy.asarray(a).device.id == 1
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="invalid device ordinal"):
        cupy.cuda.Device(2).use()


def test_what_needs_the_host_is_counted(gpu: Any, cupy: Any) -> None:
    device = gpu.devices[0]
    a = cupy.arange(6.0)
    for number, look in enumerate(
        (lambda: float(a[0]), lambda: bool((a > 0).any()), a.get, lambda: a[a > 2], lambda: cupy.nonzero(a)), 1
    ):
        look()
        assert device.transfers_to_host == number
    launches = device.launches
    a = a * 2 + 1
    assert (device.launches - launches, device.transfers_to_host, device.transfers_to_device) == (2, 5, 0)
    cupy.asarray(numpy.ones(2))
    assert device.transfers_to_device == 1


# --- memory ---------------------------------------------------------------------------------------


def test_unwritten_and_returned_memory_holds_nan(cupy: Any) -> None:
    a = cupy.empty(4)
    assert numpy.isnan(a.get()).all()
    a[...] = 1
    address = a.data.ptr
    del a
    again = cupy.empty(4)
    assert again.data.ptr == address
    assert numpy.isnan(again.get()).all()


def test_a_full_device_says_so_and_goes_on(gpu: Any, cupy: Any) -> None:
    pool = cupy.get_default_memory_pool()
    before = pool.used_bytes()
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError, match=r"Out of memory allocating 67,112,960 bytes"):
        cupy.empty((64 << 20) + 4000, "int8")
    big = cupy.empty(50 << 20, "int8")
    assert gpu.devices[0].free <= 14 << 20
    del big
    assert pool.total_bytes() >= 50 << 20
    other = cupy.empty(60 << 20, "int8")  # the pool gives its free blocks back first
    del other
    pool.free_all_blocks()
    assert (pool.used_bytes(), pool.total_bytes()) == (before, before)
    pool.set_limit(1 << 20)
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError, match="limit set to: 1,048,576"):
        cupy.empty(2 << 20, "int8")


# --- kernels --------------------------------------------------------------------------------------

SOURCE = """
extern "C" __global__ void scale(const float* __restrict__ x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * factor;
}
extern "C" __global__ void total(const float* x, float* y, int n) {
    extern __shared__ float parts[];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < blockDim.x / 32; i++) atomicAdd(y, parts[i]);
}
extern "C" __global__ void divergent(float* y) {
    if (threadIdx.x < 5) __syncthreads();
    else { y[threadIdx.x % 2] = 0;
           __syncthreads(); }
}
extern "C" __global__ void bounds(float* y, int i) {
    __shared__ float tile[8];
    tile[i] = 1;
    y[0] = tile[i];
}
"""


@needs_compiler
def test_kernels_run(gpu: Any, cupy: Any) -> None:
    module = cupy.RawModule(code=SOURCE, options=("--std=c++17",))
    x = cupy.arange(300, dtype="float32")
    y = cupy.empty_like(x)
    module.get_function("scale")((3,), (128,), (x, y, numpy.float32(0.5), 300))
    numpy.testing.assert_array_equal(y.get(), numpy.arange(300, dtype="float32") / 2)
    result = cupy.zeros((), "float32")
    module.get_function("total")((1,), (64,), (x, result, 300), shared_mem=8)
    assert float(result) == 299 * 150
    with pytest.raises(RuntimeError, match="CUDA_ERROR_NOT_FOUND"):
        module.get_function("missing")


@needs_compiler
@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("scale", lambda x: (x, x, 0.5, 6), "argument 2 of scale is a float64, but the kernel reads f4"),
        ("scale", lambda x: (x.get(), x, numpy.float32(1), 6), r"pass a numpy.ndarray of shape \(6,\) as a kernel"),
        ("scale", lambda x: (x.get()[:1], x, numpy.float32(1), 6), "has 4 bytes, but the kernel reads"),
        ("scale", lambda x: (x.astype("float64"), x, numpy.float32(1), 6), "holds float64, but the kernel wants f4"),
        ("scale", lambda x: (x, x, numpy.float32(1)), "has 4 arguments, but 3 were given"),
        ("scale", lambda x: (x, x, numpy.float32(1), 7), "reads 4 bytes at .* 24 bytes behind"),
        ("scale", lambda x: (0, x, numpy.float32(1), 6), "reads 4 bytes at 0, which is no memory of the device"),
        (
            "scale",
            lambda x: (x.get().ctypes.data, x, numpy.float32(1), 6),
            "no memory of the device that anybody holds",
        ),
        ("divergent", lambda x: (x,), "wait at different __syncthreads"),
        ("bounds", lambda x: (x, 8), "index 8 is out of bounds of an array"),
    ],
)
def test_mistakes_of_kernels_are_found(cupy: Any, name: str, arguments: Any, message: str) -> None:
    kernel = cupy.RawModule(code=SOURCE).get_function(name)
    x = cupy.arange(6, dtype="float32")
    with pytest.raises((TypeError, RuntimeError)) as error:
        kernel((1,), (32,), arguments(x))
    text = "\n".join([str(error.value), *getattr(error.value, "__notes__", [])])
    assert re.search(message, text), text


@needs_compiler
def test_a_numpy_array_of_one_element_is_passed_by_value(cupy: Any) -> None:
    source = """
    struct Pair { double first; int second; };
    extern "C" __global__ void both(double* out, const Pair pair) { out[0] = pair.first; out[1] = pair.second; }
    """
    pair = numpy.array([(1.5, 7)], numpy.dtype([("first", "f8"), ("second", "i4")], align=True))
    out = cupy.zeros(2)
    kernel = cupy.RawModule(code=source).get_function("both")
    kernel((1,), (1,), (out, pair))
    pair["second"] = 8  # what was passed was a copy
    assert out.get().tolist() == [1.5, 7]
    kernel((1,), (1,), (out, pair.view("V16")))
    assert out.get().tolist() == [1.5, 8]


@needs_compiler
def test_a_source_that_does_not_compile_says_where(cupy: Any) -> None:
    with pytest.raises(cupy.cuda.compiler.CompileException, match=r"kernel.cu:2"):
        cupy.RawModule(code='\nextern "C" __global__ void f(float* x) { nonsense; }').get_function("f")


# --- streams and graphs ---------------------------------------------------------------------------


def test_a_graph_repeats_what_was_captured(gpu: Any, cupy: Any) -> None:
    x, stream = cupy.zeros(3), cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        y = x + 1
        y *= 2
        graph = stream.end_capture()
    assert numpy.isnan(y.get()).all()  # nothing has run
    for value in (4, 5):
        x[...] = value
        graph.launch()
        assert y.tolist() == [2.0 * (value + 1)] * 3
    assert gpu.devices[0].graph_nodes == 4


def test_a_graph_writes_into_memory_that_was_given_to_others(cupy: Any) -> None:
    x, stream = cupy.zeros(3), cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        y = x + 1
        graph = stream.end_capture()
        del y
        victim = cupy.full(3, 7.0)
        graph.launch()
        assert victim.tolist() == [1.0] * 3
        private = cupy.cuda.MemoryPool()
        with cupy.cuda.using_allocator(private.malloc):
            stream.begin_capture()
            y = x + 1
            graph = stream.end_capture()
        del y
        victim = cupy.full(3, 7.0)
        graph.launch()
        assert victim.tolist() == [7.0] * 3


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (lambda cupy, x: x.get(), "cudaErrorStreamCaptureUnsupported"),
        (lambda cupy, x: float(x[0]), "cudaErrorStreamCaptureUnsupported"),
        (lambda cupy, x: x[x > 0], "cudaErrorStreamCaptureUnsupported"),
        (lambda cupy, x: cupy.cuda.runtime.deviceSynchronize(), "cudaErrorStreamCaptureUnsupported"),
        (lambda cupy, x: cupy.array([1.0]), "cudaErrorStreamCaptureUnsupported"),
        (lambda cupy, x: cupy.dot(x, x), "calling cuBLAS API during stream capture is currently unsupported"),
        (lambda cupy, x: cupy.einsum("i,i->", x, x), "calling cuBLAS API during stream capture"),
        (lambda cupy, x: cupy.linalg.inv(x[:, None]), "calling cuSOLVER API during stream capture"),
        (lambda cupy, x: cupy.random.rand(3), "calling cuRAND API during stream capture"),
        (lambda cupy, x: _on_another_stream(cupy, x), "cudaErrorStreamCaptureImplicit"),
    ],
)
def test_what_cannot_be_captured_is_refused(cupy: Any, action: Any, error: str) -> None:
    x, stream = cupy.zeros(1), cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        with pytest.raises((RuntimeError, NotImplementedError), match=error):
            action(cupy, x)
        if error.startswith("cuda"):
            with pytest.raises(RuntimeError, match="cudaErrorStreamCaptureInvalidated"):
                stream.end_capture()
        else:
            stream.end_capture()
    with pytest.raises(RuntimeError, match="cannot capture on the default"):
        cupy.cuda.Stream.null.begin_capture()


def _on_another_stream(cupy: Any, x: Any) -> Any:
    with cupy.cuda.Stream(non_blocking=True):
        return x + 1


# --- the package ----------------------------------------------------------------------------------


def test_the_package_sees_the_devices_only_as_long_as_they_are_there() -> None:
    assert mx.context.num_gpus() == 0
    with simulated_gpu(devices=3) as gpu:
        assert mx.context.num_gpus() == 3
        x = mx.nd.array([1, 2, 3], ctx=mx.gpu(2))
        assert (x * 2).asnumpy().tolist() == [2, 4, 6]
        assert gpu.devices[2].launches > 0
        assert not array_modules.asnumpy(mx.nd.ones((2,), ctx=mx.gpu(1))._data).flags.fnc
    assert mx.context.num_gpus() == 0
    with pytest.raises(mx.MXNetError, match="GPU is not enabled"):
        mx.nd.ones((1,), ctx=mx.gpu())


# --- libraries ------------------------------------------------------------------------------------


def test_nccl_sums_over_devices(gpu: Any, cupy: Any) -> None:
    from cupy.cuda import nccl  # pyright: ignore[reportMissingImports]

    members = nccl.NcclCommunicator.initAll([0, 1])
    arrays = []
    for number in range(2):
        with cupy.cuda.Device(number):
            arrays.append(cupy.full(3, number + 1.0, "float32"))
    nccl.groupStart()
    for member, array in zip(members, arrays, strict=True):
        member.allReduce(array.data.ptr, array.data.ptr, array.size, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, 0)
    assert arrays[0].tolist() == [1.0] * 3  # nothing happens before the group is complete
    nccl.groupEnd()
    assert [a.tolist() for a in arrays] == [[3.0] * 3] * 2
    assert arrays[1].device.id == 1
    with pytest.raises(nccl.NcclError, match="invalid argument"):
        members[0].allReduce(arrays[1].data.ptr, arrays[0].data.ptr, 3, nccl.NCCL_FLOAT32, nccl.NCCL_SUM, 0)
    nccl.groupStart()
    members[0].broadcast(arrays[0].data.ptr, arrays[0].data.ptr, 3, nccl.NCCL_FLOAT32, 0, 0)
    with pytest.raises(nccl.NcclError, match="invalid usage"):  # a real group would wait for ever
        nccl.groupEnd()


@pytest.mark.parametrize(("turn_a", "turn_b"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_cublas_multiplies_matrices_in_columns(gpu: Any, cupy: Any, turn_a: int, turn_b: int) -> None:
    rng = numpy.random.default_rng(0)
    m, n, k = 3, 4, 5
    a, b = rng.normal(size=(k, m) if turn_a else (m, k)), rng.normal(size=(n, k) if turn_b else (k, n))
    there = [cupy.asarray(x.T.copy()) for x in (a, b)]
    result = cupy.empty((n, m))
    library, handle = gpu.cublas, ctypes.c_void_p()
    one, zero = ctypes.c_double(1), ctypes.c_double(0)
    address = [ctypes.c_void_p(x.data.ptr) for x in (*there, result)]
    arguments = [
        *(handle, turn_a, turn_b, m, n, k, ctypes.byref(one), address[0], a.shape[0], address[1], b.shape[0]),
        *(ctypes.byref(zero), address[2], m),
    ]
    assert library.cublasDgemm_v2(*arguments) == 1  # there is no handle yet
    assert library.cublasCreate_v2(ctypes.byref(handle)) == 0
    assert library.cublasDgemm_v2(*arguments) == 0
    expected = (a.T if turn_a else a) @ (b.T if turn_b else b)
    numpy.testing.assert_allclose(result.get().T, expected, rtol=1e-12)
    assert library.cublasDgemm_v2(*arguments[:-1], m - 1) == 7
    with pytest.raises(ctypes.ArgumentError, match="must be a c_void_p"):
        library.cublasDgemm_v2(*arguments[:-2], result.data.ptr, m)
    with pytest.raises(RuntimeError, match="ends behind the memory"):
        library.cublasDgemm_v2(*arguments[:-1], 1000)


def test_cublas_is_captured_if_it_has_a_workspace(gpu: Any, cupy: Any) -> None:
    a, result = cupy.full((2, 2), 3.0), cupy.zeros((2, 2))
    workspace, stream = cupy.empty(1 << 20, "uint8"), cupy.cuda.Stream(non_blocking=True)
    library, handle, one, zero = gpu.cublas, ctypes.c_void_p(), ctypes.c_double(1), ctypes.c_double(0)
    library.cublasCreate_v2(ctypes.byref(handle))
    place = ctypes.c_void_p(a.data.ptr)

    def multiply() -> None:
        library.cublasDgemm_v2(
            *(handle, 0, 0, 2, 2, 2, ctypes.byref(one), place, 2, place, 2, ctypes.byref(zero)),
            *(ctypes.c_void_p(result.data.ptr), 2),
        )

    with stream:
        stream.begin_capture()
        library.cublasSetStream_v2(handle, ctypes.c_void_p(stream.ptr))
        with pytest.raises(RuntimeError, match="cudaErrorStreamCaptureUnsupported"):
            multiply()
        with pytest.raises(RuntimeError):
            stream.end_capture()
        stream.begin_capture()
        library.cublasSetWorkspace_v2(handle, ctypes.c_void_p(workspace.data.ptr), ctypes.c_size_t(1 << 20))
        multiply()
        graph = stream.end_capture()
    assert result.tolist() == [[0.0, 0.0]] * 2
    graph.launch()
    assert result.tolist() == [[18.0, 18.0]] * 2


@needs_compiler
@pytest.mark.parametrize("reverse", [False, True])
def test_a_kernel_that_relies_on_the_order_of_threads_is_found_out(reverse: bool) -> None:
    with simulated_gpu(reverse=reverse):
        import cupy  # pyright: ignore[reportMissingImports]

        source = 'extern "C" __global__ void last(int* x) { *x = blockIdx.x * blockDim.x + threadIdx.x; }'
        x = cupy.zeros((), "int32")
        cupy.RawKernel(source, "last")((2,), (4,), (x,))
        assert int(x) == (0 if reverse else 7)


def test_generators_have_few_distributions_and_stay_on_their_device(cupy: Any) -> None:
    generator = cupy.random.default_rng(3)
    same = cupy.random.default_rng(3)
    draws = generator.standard_normal((2, 3), "float32")
    assert (draws.shape, draws.dtype) == ((2, 3), "float32")
    numpy.testing.assert_array_equal(draws.get(), same.standard_normal((2, 3), "float32").get())
    assert generator.random().shape == ()
    with pytest.raises(TypeError):
        generator.random(3, "float16")
    for name in ("normal", "choice", "permutation", "shuffle", "multinomial"):
        assert not hasattr(generator, name)
    with cupy.cuda.Device(1), pytest.raises(ValueError, match="different from the current device"):
        generator.random(3)


def test_pinned_memory_is_memory_of_numpy(cupy: Any) -> None:
    import cupyx  # pyright: ignore[reportMissingImports]

    array = cupyx.empty_pinned((2, 3), "float32")
    assert type(array) is numpy.ndarray and numpy.isnan(array).all()
    array[...] = 2
    assert cupy.asarray(array).sum() == 12


def test_a_second_derivative_of_what_draws_is_refused_on_a_gpu(gpu: Any) -> None:
    """A generator of a GPU cannot draw the same again; a gradient with other draws would belong to no output."""
    net = mx.gluon.nn.Dropout(0.5)
    net.hybridize()
    x = mx.nd.ones((8,), ctx=mx.gpu(0))
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
        with pytest.raises(mx.MXNetError, match="hybridize"):
            mx.autograd.grad([y], [x], create_graph=True)
