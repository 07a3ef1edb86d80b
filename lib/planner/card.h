// SPDX-License-Identifier: GPL-3.0-or-later
//
// The facts of a card, and what follows from them for any kernel: how many blocks a
// multiprocessor holds, and how many points a tile has.

#ifndef INCLUDED_GPUFFT_CARD_H
#define INCLUDED_GPUFFT_CARD_H

#include <cstddef>
#include <type_traits>

namespace gr {
namespace gpufft {

// The defaults are an H200; lib/engine/cuda fills in what the driver says.
struct device_traits {
    int architecture = 90; // 90 for compute capability 9.0
    int multiprocessors = 132;
    std::size_t shared_bytes = 227 * 1024; // limit for one block
    std::size_t l2_bytes = 60 << 20;

    // One multiprocessor: its registers, and the threads and blocks that it holds.
    int registers = 65536;
    int threads = 2048;
    int blocks = 32;
    std::size_t multiprocessor_shared_bytes = 228 * 1024;
    std::size_t reserved_shared_bytes = 1024; // that each block takes in addition
    double bytes_per_cycle = 18.8;            // its share of the bytes that memory moves

    bool has_clusters() const { return architecture >= 90; }
    bool has_copy_engine() const { return architecture >= 90; }
    bool has_dependent_launches() const { return architecture >= 90; }
};

// The same on every card.
constexpr int WARP = 32; // threads
constexpr int MAX_BLOCK_THREADS = 1024;
constexpr int MOST_REGISTERS = 255; // registers of a thread
constexpr int PARTITIONS = 4;       // parts of a multiprocessor with their own registers
constexpr int SECTOR_BYTES = 32;    // bytes of a sector of global memory
constexpr int LINE_BYTES = 128;     // bytes of a line of the L2 cache
constexpr std::size_t MAX_TILE_BYTES = 128 * 1024; // longer tiles are slower

template <class A, class B>
constexpr std::common_type_t<A, B> divide_up(A a, B b)
{
    static_assert(std::is_integral_v<A> && std::is_integral_v<B>);
    return (a + b - 1) / b;
}
constexpr int whole_warps(int threads) { return divide_up(threads, WARP) * WARP; }

// Whether teams of so many threads, side by side in a block, neither divide warps nor
// consist of them: they wait for the whole block.
constexpr bool splits_warps(int threads)
{
    return WARP % threads != 0 && threads % WARP != 0;
}

// Blocks for which a multiprocessor's registers suffice: each warp takes its registers
// from one of four partitions.
int blocks_with_registers(int registers, int threads, const device_traits& card);

// Blocks for which a multiprocessor's threads, shared memory and slots for blocks
// suffice, with `spare` bytes of shared memory left unused.
int blocks_without_registers(int threads,
                             std::size_t shared_bytes,
                             const device_traits& card,
                             std::size_t spare = 0);

// Complex points of the longest tile that one block holds, with the padding of its
// exchanges.
std::size_t longest_tile(std::size_t point_bytes, const device_traits& card);

// The same without the limit MAX_TILE_BYTES, which only speed sets.
std::size_t longest_padded(std::size_t point_bytes, const device_traits& card);

// What a multiprocessor sets aside as shared memory for blocks that need `bytes`.
std::size_t shared_carve_out(std::size_t bytes, const device_traits& card);

// Whether so many blocks on a multiprocessor leave its L1 cache some of that.
bool leaves_cache(int blocks, std::size_t shared_bytes, const device_traits& card);

// Shared memory and L1 cache of a multiprocessor together.
std::size_t cache_bytes(const device_traits& card);

} // namespace gpufft
} // namespace gr

#endif
