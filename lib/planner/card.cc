// SPDX-License-Identifier: GPL-3.0-or-later
//
// How blocks share a multiprocessor.

#include "card.h"

#include <algorithm>

namespace gr {
namespace gpufft {

int blocks_with_registers(int registers, int threads, const device_traits& card)
{
    const int warps = card.registers / PARTITIONS / (registers * WARP) * PARTITIONS;
    return warps / divide_up(threads, WARP);
}

int blocks_without_registers(int threads,
                             std::size_t shared_bytes,
                             const device_traits& card,
                             std::size_t spare)
{
    const std::size_t all = card.multiprocessor_shared_bytes - spare;
    const std::size_t taken = shared_bytes + card.reserved_shared_bytes; // by a block
    const int fitting = taken > 0 ? int(all / taken) : card.blocks;
    return std::min({ card.threads / whole_warps(threads), fitting, card.blocks });
}

std::size_t longest_padded(std::size_t point_bytes, const device_traits& card)
{
    return card.shared_bytes / 9 * 8 / point_bytes;
}

std::size_t longest_tile(std::size_t point_bytes, const device_traits& card)
{
    return std::min(MAX_TILE_BYTES / point_bytes, longest_padded(point_bytes, card));
}

std::size_t shared_carve_out(std::size_t bytes, const device_traits& card)
{
    constexpr std::size_t KIB[] = { 64, 100, 132, 164, 196 };
    for (std::size_t kib : KIB)
        if (bytes <= kib * 1024)
            return std::min(kib * 1024, card.shared_bytes);
    return card.shared_bytes;
}

bool leaves_cache(int blocks, std::size_t shared_bytes, const device_traits& card)
{
    return shared_carve_out(blocks * (shared_bytes + card.reserved_shared_bytes), card) <
           card.shared_bytes;
}

std::size_t cache_bytes(const device_traits& card)
{
    return card.shared_bytes + 29 * 1024; // KiB that no block can have
}

} // namespace gpufft
} // namespace gr
