// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the blocks of a cluster hand points to each other: every block fills the incoming
// areas of all blocks, then reads its own. A block must know that it may write to the
// areas (all readers are done), that its own area is full, and that no block ends while
// others still write to it.
//
// Transform t fills the areas for the t-th time. Both classes have the same functions,
// which all threads call in this order:
//     start(), then for each transform expect(), wait_until_free(), send() ...,
//     wait_until_full(), and release() before the areas are filled for the next time.

#ifndef INCLUDED_GPUFFT_KERNELS_CLUSTER_EXCHANGE_CUH
#define INCLUDED_GPUFFT_KERNELS_CLUSTER_EXCHANGE_CUH

#include "cluster_memory.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Asynchronous stores. A barrier in the receiving block counts their bytes, so a block
// waits only for the data that it needs, and the L1 cache keeps the twiddles.
template <int Cluster>
class exchange_by_messages
{
public:
    static constexpr int barriers = 2; // transfer_barriers in shared memory

    GPUFFT_DEVICE exchange_by_messages(transfer_barrier* barriers)
        : d_full(barriers),
          d_free(barriers + 1)
    {
    }

    GPUFFT_DEVICE void start()
    {
        if (threadIdx.x == 0) {
            start_barrier(d_full, 1);
            start_barrier(d_free, Cluster);
        }
        cluster_arrive();
    }

    // Returns once all blocks have started and their barriers exist.
    GPUFFT_DEVICE void wait_for_start() { cluster_wait(); }

    GPUFFT_DEVICE void expect(int points)
    {
        if (threadIdx.x == 0)
            arrive_and_expect(d_full, points * static_cast<int>(sizeof(complex)));
    }

    // Called by all threads of the block, after finish_reads() and then a barrier.
    GPUFFT_DEVICE void release()
    {
        if (threadIdx.x < Cluster)
            arrive_in_block(in_block(d_free, threadIdx.x));
    }

    // Waits until all blocks have released for the `count`-th time, counted from 0.
    GPUFFT_DEVICE void wait_until_free(unsigned count)
    {
        wait_for_phase(d_free, count & 1);
    }

    GPUFFT_DEVICE void send(complex* to, int rank, complex value)
    {
        send_to_block(in_block(to, rank), value, in_block(d_full, rank));
    }

    GPUFFT_DEVICE void wait_until_full(unsigned count)
    {
        wait_for_phase(d_full, count & 1);
    }

private:
    transfer_barrier* d_full; // barrier of this block's area
    transfer_barrier* d_free; // barrier of all blocks' areas
};

// Ordinary stores, and a barrier of the whole cluster.
template <int Cluster>
class exchange_by_stores
{
public:
    static constexpr int barriers = 0;

    GPUFFT_DEVICE exchange_by_stores(transfer_barrier*) {}
    GPUFFT_DEVICE void start() { cluster_arrive_as_reader(); }
    GPUFFT_DEVICE void wait_for_start() { cluster_wait(); }
    GPUFFT_DEVICE void expect(int) {}
    GPUFFT_DEVICE void release() { cluster_arrive_as_reader(); }
    GPUFFT_DEVICE void wait_until_free(unsigned) { cluster_wait(); }

    GPUFFT_DEVICE void send(complex* to, int rank, complex value)
    {
        store_in_block(in_block(to, rank), value);
    }

    GPUFFT_DEVICE void wait_until_full(unsigned)
    {
        cluster_arrive();
        cluster_wait();
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
