// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads of the CPU fill and empty the pinned buffers of slabs.

#include "slab_execution.h"
#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

// Moves the copies that the cards do not reach between host memory and a staging buffer,
// where they lie without gaps.
void slab_execution::copy_on_host(const std::vector<slab_copy>& copies,
                                  const slab_host& host,
                                  char* staged,
                                  bool to_host)
{
    constexpr std::size_t TASK_BYTES = std::size_t(1) << 20;
    constexpr std::size_t MOST_THREADS = 16; // which fill the memory's bandwidth
    struct task {
        char* there;
        char* here;
        std::size_t pitch, row_bytes, rows;
    };
    std::vector<task> tasks;
    for (const slab_copy& each : copies) {
        if (host.reaches(each))
            continue;
        char* const there = address_of(each, host);
        const bool is_run = each.rows == 1 || each.pitch == each.row_bytes;
        const std::size_t row_bytes = is_run ? each.bytes() : each.row_bytes;
        const std::size_t rows = is_run ? 1 : each.rows;
        if (is_run) {
            for (std::size_t i = 0; i < row_bytes; i += TASK_BYTES)
                tasks.push_back(
                    { there + i, staged + i, 0, std::min(TASK_BYTES, row_bytes - i), 1 });
        } else {
            const std::size_t together = std::max<std::size_t>(TASK_BYTES / row_bytes, 1);
            for (std::size_t row = 0; row < rows; row += together)
                tasks.push_back({ there + row * each.pitch,
                                  staged + row * row_bytes,
                                  each.pitch,
                                  row_bytes,
                                  std::min(together, rows - row) });
        }
        staged += each.bytes();
    }
    if (!d_threads)
        d_threads =
            std::make_unique<thread_pool>(std::min(MOST_THREADS, count_threads(0)));
    d_threads->run(tasks.size(), [&](std::size_t i, std::size_t) {
        const task& now = tasks[i];
        for (std::size_t row = 0; row < now.rows; ++row) {
            char* const there = now.there + row * now.pitch;
            char* const here = now.here + row * now.row_bytes;
            std::memcpy(to_host ? there : here, to_host ? here : there, now.row_bytes);
        }
    });
}

} // namespace gpufft
} // namespace gr
