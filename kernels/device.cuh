// SPDX-License-Identifier: GPL-3.0-or-later
//
// The few names that differ between the GPU compiler (NVRTC) and g++, which executes the
// same kernels on the CPU for tests.

#ifndef INCLUDED_GPUFFT_KERNELS_DEVICE_CUH
#define INCLUDED_GPUFFT_KERNELS_DEVICE_CUH

#include "arguments.cuh"

#ifdef __CUDACC__

#define GPUFFT_DEVICE __device__ __forceinline__
#define GPUFFT_KERNEL(threads, blocks) __global__ void __launch_bounds__(threads, blocks)

namespace gr {
namespace gpufft {
namespace kernels {

// The block's dynamic shared memory.
template <class T>
GPUFFT_DEVICE T* shared_memory()
{
    extern __shared__ __align__(16) unsigned char gpufft_shared[];
    return reinterpret_cast<T*>(gpufft_shared);
}

// Every kernel begins with this. It waits until the stream's previous kernel has ended
// and its stores are visible, and lets the next one be launched, which then waits here:
// in a stream, no time passes from one kernel to the next (programmatic dependent
// launch).
GPUFFT_DEVICE void begin_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Loads of data that is read often, and that nothing writes while the kernel runs.
GPUFFT_DEVICE real load_constant(const real* address) { return __ldg(address); }
GPUFFT_DEVICE int load_constant(const int* address) { return __ldg(address); }

#ifdef GPUFFT_DOUBLE
typedef double2 real_pair;
#else
typedef float2 real_pair;
#endif

GPUFFT_DEVICE complex load_constant(const complex* address)
{
    const real_pair value = __ldg(reinterpret_cast<const real_pair*>(address));
    return { value.x, value.y };
}

// Loads from L2, for data that other blocks of the same launch may have written.
GPUFFT_DEVICE complex load_shared_by_blocks(const complex* address)
{
    const real_pair value = __ldcg(reinterpret_cast<const real_pair*>(address));
    return { value.x, value.y };
}

// A load that brings the surrounding 128 bytes into the L2 cache.
template <class T>
GPUFFT_DEVICE T load_with_line(const T* address)
{
    T value;
    if constexpr (sizeof(T) == 16) {
        ulonglong2& bits = reinterpret_cast<ulonglong2&>(value);
        asm("ld.global.L2::128B.v2.b64 {%0, %1}, [%2];"
            : "=l"(bits.x), "=l"(bits.y)
            : "l"(address));
    } else if constexpr (sizeof(T) == 8) {
        unsigned long long& bits = reinterpret_cast<unsigned long long&>(value);
        asm("ld.global.L2::128B.b64 %0, [%1];" : "=l"(bits) : "l"(address));
    } else if constexpr (sizeof(T) == 4) {
        unsigned& bits = reinterpret_cast<unsigned&>(value);
        asm("ld.global.L2::128B.b32 %0, [%1];" : "=r"(bits) : "l"(address));
    } else {
        value = *address;
    }
    return value;
}

// Adds to a count in memory that several blocks share.
template <class Count>
GPUFFT_DEVICE void add_to_count(Count* count, Count more)
{
    atomicAdd(count, more);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#else
#include "on_host/cuda_on_host.h"
#endif

namespace gr {
namespace gpufft {
namespace kernels {

// A compile-time integer as a function argument.
template <int Value>
struct constant {
    static constexpr int value = Value;
    GPUFFT_DEVICE constexpr operator int() const { return Value; }
};

// floor(number / Inner) mod Length: a digit of a number; Length = 0: the highest digit.
// The remainder is computed last: NVRTC 12.4 ... 13.5 miscompiles number % (Inner Length)
// / Inner for sm_75 ... sm_90. If the remainder changes nothing in an unrolled loop and
// an address's scale undoes the division, the address wrongly keeps the bits below Inner.
template <unsigned long long Inner, unsigned long long Length, class Number>
GPUFFT_DEVICE constexpr Number digit_of(Number number)
{
    if constexpr (Length == 0)
        return number / static_cast<Number>(Inner);
    else
        return number / static_cast<Number>(Inner) % static_cast<Number>(Length);
}

// Calls body(constant<Begin>()) ... body(constant<End - 1>()): a loop whose counter is a
// compile-time constant in each round.
template <int Begin, int End, class Body>
GPUFFT_DEVICE void static_for(Body&& body)
{
    if constexpr (Begin < End) {
        body(constant<Begin>());
        static_for<Begin + 1, End>(body);
    }
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
