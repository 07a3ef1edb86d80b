// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel's view of its thread block cluster, for g++. kernels/cluster_memory.cuh
// includes it in place of PTX; the blocks of a cluster run together (host_launch.h).

#ifndef INCLUDED_GPUFFT_CLUSTER_ON_HOST_H
#define INCLUDED_GPUFFT_CLUSTER_ON_HOST_H

#include "cuda_on_host.h"
#include <cstdint>
#include <cstring>
#include <functional>

#define GPUFFT_CLUSTER_KERNEL(threads, blocks, cluster) inline void

namespace gr {
namespace gpufft {
namespace host_device {

// The running fiber's block: its position in the cluster, and the shared memory of all
// blocks of the cluster.
inline thread_local int cluster_rank_of_block = 0;
inline thread_local unsigned char* const* cluster_shared_memory = nullptr;

// Suspends the fiber until `condition` holds.
void wait_until(const std::function<bool()>& condition);

// Runs `action` when the fiber calls wait_for_copies().
void defer(const std::function<void()>& action);

inline int cluster_rank() { return cluster_rank_of_block; }

template <class T>
struct cluster_pointer {
    T* address;
    cluster_pointer operator+(int i) const { return { address + i }; }
};

template <class T>
cluster_pointer<T> in_block(T* local, int rank)
{
    const auto offset = reinterpret_cast<unsigned char*>(local) - block_shared_memory;
    return { reinterpret_cast<T*>(cluster_shared_memory[rank] + offset) };
}

inline void finish_reads() {}
void cluster_arrive();
inline void cluster_arrive_as_reader() { cluster_arrive(); }
void cluster_wait();

// Like the hardware's barrier: a phase ends when all arrivals and all bytes have come.
struct transfer_barrier {
    std::int32_t bytes; // expected and missing; may be negative
    std::uint8_t arrivals, pending, phase, unused;

    void advance()
    {
        if (pending == 0 && bytes == 0) {
            phase ^= 1;
            pending = arrivals;
        }
    }
};

template <class T>
void store_in_block(cluster_pointer<T> to, T value)
{
    *to.address = value;
}

template <class T>
void send_to_block(cluster_pointer<T> to,
                   T value,
                   cluster_pointer<transfer_barrier> arrived)
{
    *to.address = value;
    arrived.address->bytes -= sizeof(T);
    arrived.address->advance();
}

inline void start_barrier(transfer_barrier* barrier, int arrivals)
{
    const auto count = static_cast<std::uint8_t>(arrivals);
    expect_multiple("the address of a barrier", barrier, 8);
    *barrier = { 0, count, count, 0, 0 };
}

inline void arrive_in_block(cluster_pointer<transfer_barrier> barrier)
{
    --barrier.address->pending;
    barrier.address->advance();
}

inline void arrive_and_expect(transfer_barrier* barrier, int bytes)
{
    barrier->bytes += bytes;
    arrive_in_block({ barrier });
}

inline void wait_for_phase(transfer_barrier* barrier, unsigned parity)
{
    wait_until([=] { return barrier->phase != parity; });
}

template <class T>
void start_copy(T* to, const T* from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                  "what the card copies at once");
    expect_multiple("the source of a copy", from, sizeof(T));
    expect_multiple("the destination of a copy", to, sizeof(T));
    defer([=] { *to = *from; });
}

void wait_for_copies();

inline int recomputed(int value) { return value; }

template <class T>
const T* held(const T* address)
{
    return address;
}

} // namespace host_device
} // namespace gpufft
} // namespace gr

#endif
