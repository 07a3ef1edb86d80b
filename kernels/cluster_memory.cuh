// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel's view of its thread block cluster (compute capability 9.0 and later): the
// shared memory of the other blocks, barriers of the cluster, and barriers that count the
// bytes of messages. All is PTX, so that NVRTC needs no further header.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_MEMORY_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_MEMORY_CUH

#include "async_copy.cuh"
#include "complex.cuh"

#ifdef __CUDACC__

#define GPUFFT_CLUSTER_KERNEL(threads, blocks, cluster)                                  \
    __global__ void __cluster_dims__(cluster, 1, 1) __launch_bounds__(threads, blocks)

namespace gr {
namespace gpufft {
namespace kernels {

// Lies in shared memory. A phase ends when all arrivals and all expected bytes are there.
struct transfer_barrier {
    unsigned long long state;
};

// A T in the shared memory of any block of the cluster.
template <class T>
struct cluster_pointer {
    unsigned address;
    GPUFFT_DEVICE cluster_pointer operator+(int i) const
    {
        return { address + i * static_cast<unsigned>(sizeof(T)) };
    }
};

template <class T>
GPUFFT_DEVICE unsigned shared_address(const T* local)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(local));
}

// Position of this block in its cluster.
GPUFFT_DEVICE int cluster_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
}

// The address in block `rank` of the cluster that corresponds to `local` in this block.
template <class T>
GPUFFT_DEVICE cluster_pointer<T> in_block(const T* local, int rank)
{
    cluster_pointer<T> remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(remote.address)
        : "r"(shared_address(local)), "r"(rank));
    return remote;
}

// The cluster's barrier, in two halves. Writes to shared memory before the arrival are
// visible after the wait.
GPUFFT_DEVICE void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

// Waits until the shared-memory loads of this thread have returned. __syncthreads() does
// not: it orders the block's own accesses, but another block that learns of the reads may
// overwrite the data before a load in flight reaches it.
GPUFFT_DEVICE void finish_reads() { asm volatile("fence.acq_rel.cta;" ::: "memory"); }

// The arrival, after finish_reads(), of a thread that has only read.
GPUFFT_DEVICE void cluster_arrive_as_reader()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

GPUFFT_DEVICE void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#ifdef GPUFFT_DOUBLE
#define GPUFFT_PAIR ".v2.f64"
#define GPUFFT_PART "d"
#else
#define GPUFFT_PAIR ".v2.f32"
#define GPUFFT_PART "f"
#endif

GPUFFT_DEVICE void store_in_block(cluster_pointer<complex> to, complex value)
{
    asm volatile("st.shared::cluster" GPUFFT_PAIR " [%0], {%1, %2};" ::"r"(to.address),
                 GPUFFT_PART(value.re),
                 GPUFFT_PART(value.im)
                 : "memory");
}

// The same without waiting: the barrier `arrived`, in the same block as `to`, counts the
// bytes.
GPUFFT_DEVICE void send_to_block(cluster_pointer<complex> to,
                                 complex value,
                                 cluster_pointer<transfer_barrier> arrived)
{
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" GPUFFT_PAIR
                 " "
                 "[%0], {%1, %2}, [%3];" ::"r"(to.address),
                 GPUFFT_PART(value.re),
                 GPUFFT_PART(value.im),
                 "r"(arrived.address)
                 : "memory");
}

#undef GPUFFT_PAIR
#undef GPUFFT_PART

// Called by one thread, before all threads call cluster_arrive() and cluster_wait().
GPUFFT_DEVICE void start_barrier(transfer_barrier* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives at this block's own barrier, which then also waits for `bytes` bytes.
GPUFFT_DEVICE void arrive_and_expect(transfer_barrier* barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

// Arrives at a barrier of any block. By PTX's rules, barriers order only their own
// block's accesses unless they have ".release.cluster" and ".acquire.cluster". But here
// the data is in shared memory only, which no cache holds, and on sm_90 these qualifiers
// would wait for global memory (MEMBAR.ALL.GPU) and empty the L1 cache of twiddles
// (CCTL.IVALL).
GPUFFT_DEVICE void arrive_in_block(cluster_pointer<transfer_barrier> barrier)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier.address)
                 : "memory");
}

// Waits for the end of a phase 0, 1, 2, ..., given by its parity.
GPUFFT_DEVICE void wait_for_phase(transfer_barrier* barrier, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#else
#include "on_host/cluster_on_host.h"
#endif

#endif
