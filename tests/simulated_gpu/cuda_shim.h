// CUDA C as C++: one thread of the processor plays all threads of a grid, one block after the other. Threads of a
// block that wait for each other are fibers. Every access to memory is checked against the blocks that the program
// holds (the compiler calls the functions of "checked memory" below).
#pragma once
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#define UNCHECKED __attribute__((no_sanitize("kernel-address", "undefined")))

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __builtin_align__(n) alignas(n)
#ifdef SIM_TEMPLATES
#define __shared__ static
#else
#define __shared__ static __attribute__((section("simulated_shared")))
extern "C" char __start_simulated_shared[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_simulated_shared[] __attribute__((weak, visibility("hidden")));
#endif

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint3 {
    unsigned x, y, z;
};
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;
alignas(1024) static unsigned char simulated_dynamic_shared[232448 + 4096];

// --- running ---------------------------------------------------------------------------------------

namespace sim {

struct Launch {
    unsigned grid[3], block[3];
    unsigned shared, reverse;
    const uintptr_t* starts;  // memory that may be used, in order
    const uintptr_t* stops;
    size_t blocks;
    const uintptr_t* arenas;  // where the memories of the devices begin and end
    size_t devices;
};

static char error[512];
static jmp_buf home;
static const Launch* launch = nullptr;
static size_t last_block;

UNCHECKED [[noreturn]] static void fail(const char* what) {
    char where[200];
    std::snprintf(where, sizeof where, " (block %u,%u,%u thread %u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z,
                  threadIdx.x, threadIdx.y, threadIdx.z);
    std::snprintf(error, sizeof error, "%s%s", what, where);
    longjmp(home, 1);
}

enum State { RUNNING, AT_BARRIER, AT_WARP, DONE };

struct Fiber {
    jmp_buf place;
    ucontext_t start;
    State state;
    bool begun;
    int line;
    unsigned mask;
    uint3 index;
    uint64_t slot[2];
    bool slot_full;
};

static const size_t STACK = 1 << 17;
static Fiber fibers[1024];
static char* stacks;
static jmp_buf scheduler;
static int current;
static void (*body)(void*);
static void* body_data;

UNCHECKED static void enter() {
    body(body_data);
    fibers[current].state = DONE;
    longjmp(scheduler, 1);
}

UNCHECKED static __attribute__((noinline)) void wait(State state, int line, unsigned mask) {
    Fiber& fiber = fibers[current];
    fiber.state = state;
    fiber.line = line;
    fiber.mask = mask;
    if (_setjmp(fiber.place) == 0) longjmp(scheduler, 1);
}

UNCHECKED static __attribute__((noinline)) void resume(int i) {
    if (_setjmp(scheduler) == 0) {
        Fiber& fiber = fibers[i];
        current = i;
        threadIdx = fiber.index;
        if (fiber.begun) longjmp(fiber.place, 1);
        fiber.begun = true;
        setcontext(&fiber.start);
    }
}

UNCHECKED static unsigned live_mask(int warp, int count) {
    unsigned mask = 0;
    for (int i = warp * 32; i < count && i < warp * 32 + 32; i++)
        if (fibers[i].state != DONE) mask |= 1u << (i % 32);
    return mask;
}

// Lets warps go on whose threads have all arrived; returns whether any has.
UNCHECKED static bool release_warps(int count) {
    bool any = false;
    for (int warp = 0; warp * 32 < count; warp++) {
        unsigned live = live_mask(warp, count), waiting = 0;
        for (int i = warp * 32; i < count && i < warp * 32 + 32; i++)
            if (fibers[i].state == AT_WARP) waiting |= 1u << (i % 32);
        for (int i = warp * 32; i < count && i < warp * 32 + 32; i++) {
            if (fibers[i].state != AT_WARP) continue;
            unsigned group = fibers[i].mask & live;
            if ((group & waiting) != group) continue;
            int line = fibers[i].line;
            for (int j = warp * 32; j < count && j < warp * 32 + 32; j++)
                if (group >> (j % 32) & 1) {
                    if (fibers[j].line != line) fail("threads of a warp wait at different places");
                    fibers[j].state = RUNNING;
                }
            any = true;
        }
    }
    return any;
}

UNCHECKED static bool release_block(int count) {
    int line = -1;
    for (int i = 0; i < count; i++) {
        if (fibers[i].state == DONE) continue;
        if (fibers[i].state != AT_BARRIER) return false;
        if (line >= 0 && fibers[i].line != line) fail("threads of a block wait at different __syncthreads()");
        line = fibers[i].line;
    }
    if (line < 0) return false;
    for (int i = 0; i < count; i++)
        if (fibers[i].state == AT_BARRIER) fibers[i].state = RUNNING;
    return true;
}

UNCHECKED static void run_block_of_fibers(int count) {
    if (!stacks)
        stacks = (char*)mmap(nullptr, STACK * 1024, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; i < count; i++) {
        Fiber& fiber = fibers[i];
        fiber.state = RUNNING;
        fiber.begun = fiber.slot_full = false;
        fiber.index = {unsigned(i) % blockDim.x, unsigned(i) / blockDim.x % blockDim.y,
                       unsigned(i) / blockDim.x / blockDim.y};
        getcontext(&fiber.start);
        fiber.start.uc_stack.ss_sp = stacks + STACK * i;
        fiber.start.uc_stack.ss_size = STACK;
        fiber.start.uc_link = nullptr;
        makecontext(&fiber.start, enter, 0);
    }
    for (;;) {
        bool any = false;
        for (int k = 0; k < count; k++) {
            int i = launch->reverse ? count - 1 - k : k;
            if (fibers[i].state == RUNNING) {
                resume(i);
                any = true;
            }
        }
        any |= release_warps(count);
        any |= release_block(count);
        if (any) continue;
        for (int i = 0; i < count; i++)
            if (fibers[i].state != DONE) {
                threadIdx = fibers[i].index;
                fail("threads wait for others that never come");
            }
        return;
    }
}

UNCHECKED static void run_block_of_calls(int count) {
    for (int k = 0; k < count; k++) {
        unsigned i = launch->reverse ? count - 1 - k : k;
        threadIdx = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y};
        body(body_data);
    }
}

UNCHECKED static int run_grid(const Launch* how, void (*function)(void*), void* data) {
    launch = how;
    body = function;
    body_data = data;
    last_block = 0;
    error[0] = 0;
    gridDim = dim3(how->grid[0], how->grid[1], how->grid[2]);
    blockDim = dim3(how->block[0], how->block[1], how->block[2]);
    size_t blocks = size_t(gridDim.x) * gridDim.y * gridDim.z;
    int count = int(blockDim.x * blockDim.y * blockDim.z);
    if (setjmp(home)) {
        launch = nullptr;
        return 1;
    }
    for (size_t k = 0; k < blocks; k++) {
        size_t b = how->reverse ? blocks - 1 - k : k;
        blockIdx = {unsigned(b % gridDim.x), unsigned(b / gridDim.x % gridDim.y),
                    unsigned(b / gridDim.x / gridDim.y)};
        std::memset(simulated_dynamic_shared, 0xFF, how->shared + 16);
        std::memset(simulated_dynamic_shared + how->shared, 0xA5, 4096);
#ifndef SIM_TEMPLATES
        if (__start_simulated_shared)
            std::memset(__start_simulated_shared, 0xFF, __stop_simulated_shared - __start_simulated_shared);
#endif
#ifdef SIM_FIBERS
        run_block_of_fibers(count);
#else
        run_block_of_calls(count);
#endif
        for (int i = 0; i < 4096; i++)
            if (simulated_dynamic_shared[how->shared + i] != 0xA5) fail("wrote behind its dynamic shared memory");
    }
    launch = nullptr;
    return 0;
}

// --- checked memory ---

extern "C" char __executable_start[] __attribute__((weak));

UNCHECKED static void check(uintptr_t address, size_t size, const char* what) {
    if (!launch) return;
    const Launch& l = *launch;
    if (last_block < l.blocks && l.starts[last_block] <= address && address + size <= l.stops[last_block]) return;
    size_t low = 0, high = l.blocks;  // how many blocks begin at or before the address
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l.starts[middle] <= address) low = middle + 1;
        else high = middle;
    }
    if (low && address + size <= l.stops[low - 1]) {
        last_block = low - 1;
        return;
    }
    bool of_a_device = false;
    for (size_t i = 0; i < l.devices; i++)
        of_a_device |= l.arenas[2 * i] <= address && address < l.arenas[2 * i + 1];
    if (!of_a_device) {
        uintptr_t here = uintptr_t(__builtin_frame_address(0));
        if (address - here + (1 << 20) < (2 << 20)) return;  // the stack
        if (stacks && address - uintptr_t(stacks) < STACK * 1024) return;
        uintptr_t own = uintptr_t(&error);
        if (address - own + (64 << 20) < (128 << 20) && address > 4096) return;  // variables of this module
    }
    char text[300];
    if (low)
        std::snprintf(text, sizeof text, "%s %zu bytes at %#zx, %zu bytes behind the beginning of a block of %zu bytes",
                      what, size, size_t(address), size_t(address - l.starts[low - 1]),
                      size_t(l.stops[low - 1] - l.starts[low - 1]));
    else
        std::snprintf(text, sizeof text, "%s %zu bytes at %#zx, which is no memory of the device", what, size,
                      size_t(address));
    fail(text);
}

template <class T>
struct Code {
    static std::string of() {
        using U = std::remove_cv_t<T>;
        std::string size = std::to_string(sizeof(U));
        if (std::is_same<U, bool>::value) return "b1";
        if (std::is_floating_point<U>::value) return "f" + size;
        if (std::is_integral<U>::value) return (std::is_signed<U>::value ? "i" : "u") + size;
        return "s" + size;
    }
};
template <>
struct Code<void> {
    static std::string of() { return "v"; }
};
template <>
struct Code<const void> {
    static std::string of() { return "v"; }
};
template <class T>
struct Code<T*> {
    static std::string of() { return "p" + Code<T>::of(); }
};

template <class... A>
std::string describe(void (*)(A...)) {
    std::string all;
    ((all += Code<std::remove_cv_t<A>>::of() + " "), ...);
    return all;
}

template <class... A>
struct Call {
    void (*kernel)(A...);
    void** args;
    template <size_t... I>
    UNCHECKED void with(std::index_sequence<I...>) {
        kernel(*(std::remove_cv_t<A>*)args[I]...);
    }
    UNCHECKED static void run(void* self) { ((Call*)self)->with(std::index_sequence_for<A...>()); }
};

template <class... A>
UNCHECKED int start(const Launch* how, void (*kernel)(A...), void** args) {
    Call<A...> call{kernel, args};
    return run_grid(how, &Call<A...>::run, &call);
}

}  // namespace sim

#define SIM_CHECKS(n)                                                                                            \
    extern "C" UNCHECKED void __asan_load##n##_noabort(uintptr_t a) { sim::check(a, n, "reads"); }               \
    extern "C" UNCHECKED void __asan_store##n##_noabort(uintptr_t a) { sim::check(a, n, "writes"); }
SIM_CHECKS(1)
SIM_CHECKS(2)
SIM_CHECKS(4)
SIM_CHECKS(8)
SIM_CHECKS(16)
extern "C" UNCHECKED void __asan_loadN_noabort(uintptr_t a, size_t n) { sim::check(a, n, "reads"); }
extern "C" UNCHECKED void __asan_storeN_noabort(uintptr_t a, size_t n) { sim::check(a, n, "writes"); }
extern "C" UNCHECKED void __asan_handle_no_return() {}

struct SimSource {
    const char* file;
    uint32_t line, column;
};
extern "C" UNCHECKED void __ubsan_handle_out_of_bounds(SimSource* at, uintptr_t index) {
    char text[200];
    std::snprintf(text, sizeof text, "index %lld is out of bounds of an array in line %u", (long long)index, at->line);
    sim::fail(text);
}
extern "C" UNCHECKED void __ubsan_handle_type_mismatch_v1(SimSource* at, uintptr_t address) {
    char text[200];
    std::snprintf(text, sizeof text, "address %#zx is misaligned in line %u", size_t(address), at->line);
    sim::fail(text);
}

// --- threads that wait for each other --------------------------------------------------------------

#ifdef SIM_FIBERS
#define __syncthreads() sim::wait(sim::AT_BARRIER, __LINE__, ~0u)
#define __syncwarp(...) sim::warp(__LINE__, ##__VA_ARGS__)

namespace sim {

UNCHECKED static void warp(int line, unsigned mask = ~0u) {
    if (!(mask >> (current % 32) & 1)) fail("a thread is not in the mask that it gives");
    wait(AT_WARP, line, mask);
}

template <class T>
UNCHECKED static T exchange(unsigned mask, T value, int source, int line) {
    Fiber& own = fibers[current];
    std::memset(own.slot, 0, sizeof own.slot);
    std::memcpy(own.slot, &value, sizeof value);
    own.slot_full = true;
    warp(line, mask);
    Fiber& other = fibers[current / 32 * 32 + source];
    int count = int(blockDim.x * blockDim.y * blockDim.z);
    if (current / 32 * 32 + source >= count || !other.slot_full || !(mask >> source & 1))
        std::memset((void*)&value, 0xFF, sizeof value);  // undefined on a device
    else
        std::memcpy((void*)&value, other.slot, sizeof value);
    warp(line, mask);
    own.slot_full = false;
    return value;
}

template <class T>
UNCHECKED static T shfl(int line, unsigned mask, T value, int source, int width = 32) {
    int lane = current % 32;
    return exchange(mask, value, lane / width * width + (source & (width - 1)), line);
}
template <class T>
UNCHECKED static T shfl_down(int line, unsigned mask, T value, unsigned delta, int width = 32) {
    int lane = current % 32;
    return exchange(mask, value, lane % width + int(delta) < width ? lane + int(delta) : lane, line);
}
template <class T>
UNCHECKED static T shfl_up(int line, unsigned mask, T value, unsigned delta, int width = 32) {
    int lane = current % 32;
    return exchange(mask, value, lane % width >= int(delta) ? lane - int(delta) : lane, line);
}
template <class T>
UNCHECKED static T shfl_xor(int line, unsigned mask, T value, int lanes, int width = 32) {
    int lane = current % 32;
    return exchange(mask, value, (lane ^ lanes) / width == lane / width ? lane ^ lanes : lane, line);
}
UNCHECKED static unsigned ballot(int line, unsigned mask, int predicate) {
    unsigned found = 0;
    for (int lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) {
            int other = exchange(mask, predicate, lane, line);
            if (other != -1 && other) found |= 1u << lane;
        }
    return found;
}

}  // namespace sim

#define __shfl_sync(...) sim::shfl(__LINE__, __VA_ARGS__)
#define __shfl_down_sync(...) sim::shfl_down(__LINE__, __VA_ARGS__)
#define __shfl_up_sync(...) sim::shfl_up(__LINE__, __VA_ARGS__)
#define __shfl_xor_sync(...) sim::shfl_xor(__LINE__, __VA_ARGS__)
#define __ballot_sync(mask, p) sim::ballot(__LINE__, mask, (p) != 0)
#define __any_sync(mask, p) (sim::ballot(__LINE__, mask, (p) != 0) != 0)
#define __all_sync(mask, p) (sim::ballot(__LINE__, mask, (p) == 0) == 0)
#endif
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

// --- functions -------------------------------------------------------------------------------------

#define SIM_ATOMIC(name, expression)                  \
    template <class T, class V>                       \
    inline T atomic##name(T* address, V given) {      \
        T old = *address, value = T(given);           \
        *address = expression;                        \
        return old;                                   \
    }
SIM_ATOMIC(Add, old + value)
SIM_ATOMIC(Sub, old - value)
SIM_ATOMIC(Max, old < value ? value : old)
SIM_ATOMIC(Min, value < old ? value : old)
SIM_ATOMIC(And, old & value)
SIM_ATOMIC(Or, old | value)
SIM_ATOMIC(Xor, old ^ value)
SIM_ATOMIC(Exch, value)
template <class T>
inline T atomicCAS(T* address, T compare, T value) {
    T old = *address;
    if (old == compare) *address = value;
    return old;
}
inline unsigned atomicInc(unsigned* address, unsigned limit) {
    unsigned old = *address;
    *address = old >= limit ? 0 : old + 1;
    return old;
}

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

template <class A, class B>
inline std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value) return std::fmax(T(a), T(b));
    else return T(a) < T(b) ? T(b) : T(a);
}
template <class A, class B>
inline std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point<T>::value) return std::fmin(T(a), T(b));
    else return T(b) < T(a) ? T(b) : T(a);
}
using std::abs;
using std::ceil;
using std::cos;
using std::exp;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::log;
using std::pow;
using std::round;
using std::sin;
using std::sqrt;
using std::tanh;
using std::trunc;

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float sinpif(float x) { return float(std::sin(M_PI * x)); }
inline double sinpi(double x) { return std::sin(M_PI * x); }
inline float cospif(float x) { return float(std::cos(M_PI * x)); }
inline double cospi(double x) { return std::cos(M_PI * x); }
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fmul_rn(float a, float b) { volatile float r = a * b; return r; }
inline float __fadd_rn(float a, float b) { volatile float r = a + b; return r; }
inline float __fsub_rn(float a, float b) { volatile float r = a - b; return r; }
inline double __dmul_rn(double a, double b) { volatile double r = a * b; return r; }
inline double __dadd_rn(double a, double b) { volatile double r = a + b; return r; }
inline double __dsub_rn(double a, double b) { volatile double r = a - b; return r; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
inline int __float2int_rn(float x) { return int(rintf(x)); }
inline int __float2int_rz(float x) { return int(x); }
inline int __float2int_rd(float x) { return int(floorf(x)); }
inline float __int2float_rn(int x) { return float(x); }
inline int __float_as_int(float x) { int r; std::memcpy(&r, &x, 4); return r; }
inline unsigned __float_as_uint(float x) { unsigned r; std::memcpy(&r, &x, 4); return r; }
inline float __int_as_float(int x) { float r; std::memcpy(&r, &x, 4); return r; }
inline float __uint_as_float(unsigned x) { float r; std::memcpy(&r, &x, 4); return r; }
inline long long __double_as_longlong(double x) { long long r; std::memcpy(&r, &x, 8); return r; }
inline double __longlong_as_double(long long x) { double r; std::memcpy(&r, &x, 8); return r; }
inline int __mul24(int a, int b) { return a * b; }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __ffs(int x) { return __builtin_ffs(x); }
template <class T>
inline T __ldg(const T* p) { return *p; }
template <class T>
inline T __ldcs(const T* p) { return *p; }
template <class T>
inline T __ldca(const T* p) { return *p; }
template <class T>
inline T __ldcg(const T* p) { return *p; }
template <class T>
inline void __stcs(T* p, T value) { *p = value; }
template <class T>
inline void __stcg(T* p, T value) { *p = value; }
inline double erfinv(double y) {
    if (!(y >= -1 && y <= 1)) return NAN;
    if (std::fabs(y) == 1) return std::copysign(INFINITY, y);
    double a = 0.147, l = std::log1p(-y * y), part = 2 / (M_PI * a) + l / 2;
    double x = std::copysign(std::sqrt(std::sqrt(part * part - l / a) - part), y);
    for (int i = 0; i < 4; i++) x -= (std::erf(x) - y) / (M_2_SQRTPI * std::exp(-x * x));
    return x;
}
inline float erfinvf(float y) { return float(erfinv(double(y))); }
inline long long clock64() { return 0; }

// --- vectors ---------------------------------------------------------------------------------------

#define SIM_VECTORS(type, name)                                                                             \
    struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                                \
    struct name##3 { type x, y, z; };                                                                       \
    struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; };             \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                        \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                             \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
SIM_VECTORS(float, float)
SIM_VECTORS(double, double)
SIM_VECTORS(int, int)
SIM_VECTORS(short, short)
SIM_VECTORS(long long, longlong)
SIM_VECTORS(signed char, char)
SIM_VECTORS(unsigned char, uchar)
SIM_VECTORS(unsigned long long, ulonglong)
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// --- half precision --------------------------------------------------------------------------------

namespace sim {
inline uint16_t to_half(float f) {
    uint32_t x;
    std::memcpy(&x, &f, 4);
    uint32_t sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000) return uint16_t(sign | 0x7e00);
    if (magnitude >= 0x47800000 - 0x1000 && magnitude >= 0x477ff000) return uint16_t(sign | 0x7c00);
    if (magnitude < 0x38800000) {
        float scaled;
        std::memcpy(&scaled, &magnitude, 4);
        return uint16_t(sign | uint32_t(rintf(scaled * 16777216.0f)));
    }
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return uint16_t(sign | ((rounded - 0x38000000) >> 13));
}
inline float from_half(uint16_t h) {
    uint32_t sign = uint32_t(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff, x;
    if (exponent == 31) x = sign | 0x7f800000 | fraction << 13;
    else if (exponent) x = sign | (exponent + 112) << 23 | fraction << 13;
    else {
        float value = float(fraction) / 16777216.0f;
        std::memcpy(&x, &value, 4);
        x |= sign;
    }
    float f;
    std::memcpy(&f, &x, 4);
    return f;
}
}  // namespace sim
struct __half {
    uint16_t bits;
    __half() = default;
    __half(float f) : bits(sim::to_half(f)) {}
    __half(double f) : bits(sim::to_half(float(f))) {}
    __half(int f) : bits(sim::to_half(float(f))) {}
    operator float() const { return sim::from_half(bits); }
    __half& operator+=(__half o) { return *this = __half(float(*this) + float(o)); }
    __half& operator-=(__half o) { return *this = __half(float(*this) - float(o)); }
    __half& operator*=(__half o) { return *this = __half(float(*this) * float(o)); }
};
typedef __half half;
inline float __half2float(__half h) { return float(h); }
inline __half __float2half(float f) { return __half(f); }
inline __half __float2half_rn(float f) { return __half(f); }
inline __half __double2half(double f) { return __half(f); }
