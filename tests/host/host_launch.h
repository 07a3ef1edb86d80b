// SPDX-License-Identifier: GPL-3.0-or-later
//
// Launches a kernel on the CPU: cluster after cluster, each thread of its blocks a fiber.

#ifndef INCLUDED_GPUFFT_HOST_LAUNCH_H
#define INCLUDED_GPUFFT_HOST_LAUNCH_H

#include <cstddef>
#include <functional>
#include <string>

namespace gr {
namespace gpufft {

// In which order the threads of a block, and the blocks of a cluster, run between two
// barriers. A kernel that lacks a barrier gives different results for the two.
enum class thread_order { rising, falling };

struct host_grid {
    unsigned blocks_x = 1;
    unsigned blocks_y = 1;
    unsigned threads = 1;
    std::size_t shared_bytes = 0;
    thread_order order = thread_order::rising;
    unsigned cluster = 1; // blocks of a cluster, of which blocks_x is a multiple
    std::string kernel;   // its text, for messages
};

// Runs kernel() once for each thread of the grid. Shared memory is filled with NaNs
// before each cluster. Throws std::logic_error if the threads of a block do not all meet
// the same barriers, if those of a cluster wait for each other for ever, or if a copy's
// address or size is not what the card needs (expect_multiple()). A kernel's access that
// is not aligned for its type, or that lies outside its memory (guarded_memory.h), ends
// the program with a message that names the kernel, the block and the thread.
void launch_on_host(const host_grid& grid, const std::function<void()>& kernel);

} // namespace gpufft
} // namespace gr

#endif
