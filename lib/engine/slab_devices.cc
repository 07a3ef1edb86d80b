// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices and the engine of frames in slabs, and the memory that they count with.

#include "cpu/thread_pool.h"
#include "engines.h"
#include "environment.h"
#include "planner/slabs/slab_choice.h"
#include "slab_plan.h"
#include <algorithm>

namespace gr {
namespace gpufft {

static constexpr std::size_t H200_BYTES = std::size_t(141) * 1000 * 1000 * 1000;

std::vector<int> devices_of(const plan_options& options)
{
    return options.devices.empty() ? std::vector<int>{ options.device } : options.devices;
}

std::size_t device_memory_of(const plan_options& options)
{
    if (options.device_memory > 0)
        return options.device_memory;
    std::size_t least = 0;
    for (const int device : devices_of(options)) {
        std::size_t bytes = H200_BYTES; // without a card: the same answers everywhere
        for (const cuda_device_info& info : query_cuda().devices)
            if (info.index == device)
                bytes = info.memory_bytes;
        least = least == 0 ? bytes : std::min(least, bytes);
    }
    return number_from_environment("GPUFFT_DEVICE_MEMORY", least);
}

std::optional<engine_kind> faster_than_slabs(const problem& what,
                                             const plan_options& options)
{
    const std::size_t memory = device_memory_of(options);
    if (!needs_slabs(what, card_of(options.device), memory))
        return std::nullopt;
    const std::size_t cards = devices_of(options).size();
    return cpu_seconds(
               what, what.batch, static_cast<int>(count_threads(options.threads))) <
                   slab_seconds(what, memory, cards, what.batch)
               ? engine_kind::cpu
               : engine_kind::cuda;
}

} // namespace gpufft
} // namespace gr
