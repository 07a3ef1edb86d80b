// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory for rows.

#include "host_rows.h"
#include "engine/cpu/cpu_plan.h"

namespace gr {
namespace gpufft {

namespace {

void grow(aligned_buffer<char>& memory, std::size_t bytes)
{
    if (memory.size() >= bytes)
        return;
    memory = aligned_buffer<char>(); // so that old and new memory need not fit together
    memory = aligned_buffer<char>(bytes);
}

} // namespace

thread_pool* threads_of(plan& with)
{
    cpu_plan* const on_cpu = dynamic_cast<cpu_plan*>(&with);
    return on_cpu ? &on_cpu->pool() : nullptr;
}

void host_rows::start(const row_streams* inputs, const row_streams* outputs)
{
    d_inputs = inputs;
    d_outputs = outputs;
    d_maps.clear();
}

const char* host_rows::join(const std::vector<const void*>& streams,
                            std::int64_t begin,
                            std::int64_t first,
                            std::int64_t end,
                            thread_pool* threads)
{
    const std::size_t row_bytes = d_inputs->row_bytes(), item = d_inputs->item_bytes;
    grow(d_joined, (end - begin) * row_bytes);
    need_rows(end);
    d_maps.for_each_part(
        first, end, [&](std::int64_t from, std::int64_t to, const row_maps::since& map) {
            std::vector<const void*> there;
            for (const void* each : streams)
                there.push_back(static_cast<const char*>(each) + (from - begin) * item);
            d_inputs->join(there,
                           map.map,
                           to - from,
                           d_joined.data() + (from - begin) * row_bytes,
                           threads);
        });
    return d_joined.data();
}

char* host_rows::reserve(std::size_t rows, std::size_t row_bytes)
{
    grow(d_split, rows * row_bytes);
    return d_split.data();
}

} // namespace gpufft
} // namespace gr
