// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fibers of a block run in turn; a barrier hands control back to the scheduler, which
// goes on when every fiber has met it.

#include "host_launch.h"
#include "cuda_on_host.h"

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t STACK_BYTES = 64 * 1024;

enum class stopped_at { start, block_barrier, warp_barrier, end };

struct host_thread {
    boost::context::fiber fiber;
    stopped_at where = stopped_at::start;
};

// Of the running fiber.
thread_local host_thread* current = nullptr;
thread_local boost::context::fiber scheduler;

void wait_at(stopped_at barrier)
{
    current->where = barrier;
    scheduler = std::move(scheduler).resume();
}

class host_block
{
public:
    host_block(const host_grid& grid, const std::function<void()>& kernel)
        : d_grid(grid),
          d_kernel(kernel),
          d_threads(grid.threads)
    {
        for (host_thread& thread : d_threads)
            thread.fiber =
                boost::context::fiber(std::allocator_arg,
                                      boost::context::fixedsize_stack(STACK_BYTES),
                                      [this](boost::context::fiber&& caller) {
                                          scheduler = std::move(caller);
                                          d_kernel();
                                          current->where = stopped_at::end;
                                          return std::move(scheduler);
                                      });
    }

    void run()
    {
        stopped_at where = stopped_at::start;
        while (where != stopped_at::end) {
            for (unsigned i = 0; i < d_grid.threads; ++i)
                advance(d_grid.order == thread_order::rising ? i
                                                             : d_grid.threads - 1 - i);
            where = d_threads[0].where;
            for (const host_thread& thread : d_threads)
                if (thread.where != where)
                    throw std::logic_error("threads of a block met different barriers");
        }
    }

private:
    // Runs one thread to its next barrier or its end.
    void advance(unsigned index)
    {
        current = &d_threads[index];
        kernels::threadIdx.x = index;
        current->fiber = std::move(current->fiber).resume();
    }

    const host_grid& d_grid;
    const std::function<void()>& d_kernel;
    std::vector<host_thread> d_threads;
};

} // namespace

namespace kernels {

void __syncthreads() { wait_at(stopped_at::block_barrier); }
void __syncwarp() { wait_at(stopped_at::warp_barrier); }

} // namespace kernels

void launch_on_host(const host_grid& grid, const std::function<void()>& kernel)
{
    std::vector<unsigned char> shared(grid.shared_bytes);
    kernels::block_shared_memory = shared.data();
    kernels::gridDim = { grid.blocks_x, grid.blocks_y, 1 };
    for (unsigned y = 0; y < grid.blocks_y; ++y) {
        for (unsigned x = 0; x < grid.blocks_x; ++x) {
            std::memset(shared.data(), 0xff, shared.size());
            kernels::blockIdx = { x, y, 0 };
            host_block(grid, kernel).run();
        }
    }
}

} // namespace gpufft
} // namespace gr
