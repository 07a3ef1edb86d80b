// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies from global to shared memory that a thread starts, and for which it waits later.

#ifndef INCLUDED_GPUFFT_KERNELS_ASYNC_COPY_CUH
#define INCLUDED_GPUFFT_KERNELS_ASYNC_COPY_CUH

#include "complex.cuh"

#ifdef __CUDACC__

namespace gr {
namespace gpufft {
namespace kernels {

// Copies 4, 8 or 16 bytes from global to this block's shared memory without waiting.
template <class T>
GPUFFT_DEVICE void start_copy(T* to, const T* from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(__cvta_generic_to_global(from)),
                 "n"(sizeof(T))
                 : "memory");
}

// Returns the same value but hides it from the compiler, which then computes what follows
// from it here instead of keeping it in registers around a loop.
GPUFFT_DEVICE int recomputed(int value)
{
    asm volatile("" : "+r"(value));
    return value;
}

// Returns the same address in global memory but hides its origin from the compiler, which
// would add constant offsets to the origin. So these offsets cost no instruction.
template <class T>
GPUFFT_DEVICE const T* held(const T* address)
{
    auto global = __cvta_generic_to_global(address);
    asm("" : "+l"(global));
    return static_cast<const T*>(__cvta_global_to_generic(global));
}

// Waits for the copies that this thread started.
GPUFFT_DEVICE void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

} // namespace kernels
} // namespace gpufft
} // namespace gr

#else
#include "on_host/cluster_on_host.h"
#endif

#endif
