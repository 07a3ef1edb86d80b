// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies of whole tiles between global and shared memory by the copy engine (compute
// capability 9.0 and later): one thread starts a copy, no thread moves a sample. The
// engine moves multiples of 16 bytes, but a sample of single precision has 8. So a tile
// in shared memory is as far from a multiple of 16 as in global memory.

#ifndef INCLUDED_GPUFFT_KERNELS_BULK_COPY_CUH
#define INCLUDED_GPUFFT_KERNELS_BULK_COPY_CUH

#include "cluster_memory.cuh"

#ifdef __CUDACC__

#if __CUDA_ARCH__ >= 900
#define GPUFFT_HAS_BULK_COPY 1
#else
#define GPUFFT_HAS_BULK_COPY 0
#endif

namespace gr {
namespace gpufft {
namespace kernels {

// Both addresses and the size must be multiples of 16 bytes; `arrived` counts the bytes.
GPUFFT_DEVICE void
start_bulk_load(complex* to, const complex* from, int bytes, transfer_barrier* arrived)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from)),
                 "r"(bytes),
                 "r"(shared_address(arrived))
                 : "memory");
}

GPUFFT_DEVICE void start_bulk_store(complex* to, const complex* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                     __cvta_generic_to_global(to)),
                 "r"(shared_address(from)),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Called by the thread that started the stores: returns once they have read shared
// memory, which may then change.
GPUFFT_DEVICE void wait_for_bulk_stores()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// Called by each thread that wrote shared memory, before the barrier after which the
// engine copies it.
GPUFFT_DEVICE void show_to_bulk_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The distance of an address from the multiple of 16 bytes before it.
GPUFFT_DEVICE int bytes_beyond_16(const void* address)
{
    return static_cast<int>(reinterpret_cast<unsigned long long>(address) % 16);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#else
#include "on_host/bulk_copy_on_host.h"
#endif

#endif
