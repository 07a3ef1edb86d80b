// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fibers of a block run in turn; a barrier hands control back to the scheduler, which
// goes on when every fiber has met it. The blocks of a cluster take turns as far as each
// of them gets.

#include "host_launch.h"
#include "guarded_memory.h"
#include "on_host/cluster_on_host.h"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <unistd.h>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t STACK_BYTES = 64 * 1024;
constexpr unsigned WARP = 32;             // threads
constexpr std::size_t BEHIND_SHARED = 64; // bytes that no thread may write

enum class stopped_at { start, block_barrier, warp_barrier, condition, end };

struct host_thread {
    boost::context::fiber fiber;
    stopped_at where = stopped_at::start;
    const std::function<bool()>* condition = nullptr;
    std::vector<std::function<void()>> deferred;
    unsigned long cluster_arrivals = 0;
};

// Of the running fiber.
thread_local host_thread* current = nullptr;
thread_local boost::context::fiber scheduler;
thread_local const host_grid* current_grid = nullptr;

// Stacks are kept for the next block: the system would have to map fresh ones page by
// page.
thread_local boost::context::pooled_fixedsize_stack stacks(STACK_BYTES);

// Of all fibers of the running cluster: how often the last one has arrived.
thread_local std::function<unsigned long()> fewest_cluster_arrivals;

void wait_at(stopped_at barrier)
{
    current->where = barrier;
    scheduler = std::move(scheduler).resume();
}

// "stockham_kernel<...>, block 3, thread 17".
std::string running_thread()
{
    return current_grid->kernel + ", block " + std::to_string(host_device::blockIdx.x) +
           ", thread " + std::to_string(host_device::threadIdx.x);
}

// The kernels are compiled with checks of alignment that end in a trap.
void tell_fault(int signal, siginfo_t* info, void*)
{
    if (current != nullptr) {
        const std::string what =
            signal == SIGSEGV
                ? "an access to " + place_of(info->si_addr)
                : std::string("an address that is not a multiple of its type's size");
        const std::string line = running_thread() + ": " + what + "\n";
        if (write(STDERR_FILENO, line.data(), line.size()) < 0)
            _exit(1);
    }
    std::signal(signal, SIG_DFL); // the instruction is run again
}

bool catch_faults()
{
    struct sigaction action = {};
    action.sa_sigaction = tell_fault;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSEGV, &action, nullptr) == 0 &&
           sigaction(SIGILL, &action, nullptr) == 0;
}

class host_block
{
public:
    host_block(const host_grid& grid, const std::function<void()>& kernel, int rank)
        : d_grid(grid),
          d_kernel(kernel),
          d_rank(rank),
          d_shared(grid.shared_bytes + BEHIND_SHARED, 0xff), // NaNs
          d_threads(grid.threads)
    {
        for (host_thread& thread : d_threads)
            thread.fiber = boost::context::fiber(
                std::allocator_arg, stacks, [this](boost::context::fiber&& caller) {
                    scheduler = std::move(caller);
                    run_kernel();
                    current->where = stopped_at::end;
                    return std::move(scheduler);
                });
    }

    unsigned char* shared() { return d_shared.data(); }
    const std::vector<host_thread>& threads() const { return d_threads; }
    bool has_ended() const { return stopped(stopped_at::end) == d_threads.size(); }

    void check_shared() const
    {
        if (std::count(d_shared.end() - BEHIND_SHARED, d_shared.end(), 0xff) !=
            static_cast<long>(BEHIND_SHARED))
            throw std::logic_error(d_grid.kernel + " wrote behind its " +
                                   std::to_string(d_grid.shared_bytes) +
                                   " bytes of shared memory");
    }

    // Runs every thread as far as it gets without the other blocks. True if any got on.
    bool run(unsigned first_of_cluster, unsigned y)
    {
        host_device::blockIdx = { first_of_cluster + d_rank, y, 0 };
        host_device::block_shared_memory = d_shared.data();
        host_device::cluster_rank_of_block = d_rank;
        bool got_on = false;
        while (pass_barrier() && sweep())
            got_on = true;
        return got_on;
    }

private:
    std::size_t stopped(stopped_at where) const
    {
        return std::count_if(
            d_threads.begin(), d_threads.end(), [=](const host_thread& thread) {
                return thread.where == where;
            });
    }

    // Runs each thread that may go on to its next stop. True if there was one. A warp
    // goes as far as it gets without the others: what only a barrier of the block makes
    // safe is not hidden by one of warps.
    bool sweep()
    {
        bool got_on = false;
        const unsigned warps = (d_grid.threads + WARP - 1) / WARP;
        for (unsigned i = 0; i < warps; ++i)
            got_on |= sweep_warp(rises() ? i : warps - 1 - i);
        return got_on;
    }

    bool sweep_warp(unsigned warp)
    {
        const unsigned first = warp * WARP;
        const unsigned count = std::min(WARP, d_grid.threads - first);
        bool got_on = false;
        do {
            for (unsigned i = 0; i < count; ++i)
                got_on |= advance(first + (rises() ? i : count - 1 - i));
        } while (release_warp(first, count));
        return got_on;
    }

    bool rises() const { return d_grid.order == thread_order::rising; }

    // Lets the threads go on if all have met a barrier of their warp.
    bool release_warp(unsigned first, unsigned count)
    {
        const auto begin = d_threads.begin() + first;
        const bool all = std::all_of(begin, begin + count, [](const host_thread& thread) {
            return thread.where == stopped_at::warp_barrier;
        });
        for (unsigned i = 0; all && i < count; ++i)
            begin[i].where = stopped_at::start;
        return all;
    }

    bool advance(unsigned index)
    {
        host_thread& thread = d_threads[index];
        if (thread.where != stopped_at::start &&
            !(thread.where == stopped_at::condition && (*thread.condition)()))
            return false;
        current = &thread;
        current_grid = &d_grid;
        host_device::threadIdx.x = index;
        thread.fiber = std::move(thread.fiber).resume();
        current = nullptr;
        if (d_failure)
            std::rethrow_exception(d_failure);
        return true;
    }

    void run_kernel()
    {
        try {
            d_kernel();
        } catch (const boost::context::detail::forced_unwind&) {
            throw; // the fiber is destroyed
        } catch (...) {
            d_failure = std::current_exception();
        }
    }

    // Once every thread has met a barrier, lets them all go on. False if all have ended.
    bool pass_barrier()
    {
        if (stopped(stopped_at::start) > 0 || stopped(stopped_at::condition) > 0)
            return true;
        const stopped_at where = d_threads.front().where;
        if (stopped(where) != d_threads.size())
            throw std::logic_error("threads of a block met different barriers");
        if (where == stopped_at::end)
            return false;
        for (host_thread& thread : d_threads)
            thread.where = stopped_at::start;
        return true;
    }

    const host_grid& d_grid;
    const std::function<void()>& d_kernel;
    const int d_rank;
    std::vector<unsigned char> d_shared;
    std::vector<host_thread> d_threads;
    std::exception_ptr d_failure; // of one of them
};

// The blocks that run together.
class host_cluster
{
public:
    host_cluster(const host_grid& grid, const std::function<void()>& kernel)
    {
        for (unsigned rank = 0; rank < grid.cluster; ++rank) {
            d_blocks.push_back(std::make_unique<host_block>(grid, kernel, rank));
            d_shared.push_back(d_blocks.back()->shared());
        }
        if (grid.order == thread_order::falling)
            std::reverse(d_blocks.begin(), d_blocks.end());
    }

    void run(unsigned first_block, unsigned y)
    {
        host_device::cluster_shared_memory = d_shared.data();
        fewest_cluster_arrivals = [this] { return fewest_arrivals(); };
        for (bool ended = false; !ended;) {
            bool got_on = false;
            ended = true;
            for (const auto& block : d_blocks) {
                got_on |= block->run(first_block, y);
                ended &= block->has_ended();
            }
            if (!ended && !got_on)
                throw std::logic_error(
                    "threads of a cluster wait for each other for ever");
        }
        for (const auto& block : d_blocks)
            block->check_shared();
    }

private:
    unsigned long fewest_arrivals() const
    {
        unsigned long fewest = ~0ul;
        for (const auto& block : d_blocks)
            for (const host_thread& thread : block->threads())
                fewest = std::min(fewest, thread.cluster_arrivals);
        return fewest;
    }

    std::vector<std::unique_ptr<host_block>> d_blocks;
    std::vector<unsigned char*> d_shared; // by rank
};

} // namespace

namespace host_device {

void refuse_number(const char* what, unsigned long long number, unsigned multiple_of)
{
    throw std::logic_error(running_thread() + ": " + what + " is " +
                           std::to_string(number) + ", which is no multiple of " +
                           std::to_string(multiple_of));
}

void __syncthreads() { wait_at(stopped_at::block_barrier); }
void __syncwarp() { wait_at(stopped_at::warp_barrier); }

void wait_until(const std::function<bool()>& condition)
{
    current->condition = &condition;
    if (!condition())
        wait_at(stopped_at::condition);
}

void cluster_arrive() { ++current->cluster_arrivals; }

void cluster_wait()
{
    const unsigned long own = current->cluster_arrivals;
    wait_until([own] { return fewest_cluster_arrivals() >= own; });
}

void defer(const std::function<void()>& action) { current->deferred.push_back(action); }

void wait_for_copies()
{
    for (const std::function<void()>& action : current->deferred)
        action();
    current->deferred.clear();
}

} // namespace host_device

void launch_on_host(const host_grid& grid, const std::function<void()>& kernel)
{
    if (grid.blocks_x % grid.cluster != 0)
        throw std::logic_error("the grid is not a whole number of clusters");
    static const bool caught = catch_faults();
    if (!caught)
        throw std::runtime_error("sigaction() failed");
    host_device::gridDim = { grid.blocks_x, grid.blocks_y, 1 };
    for (unsigned y = 0; y < grid.blocks_y; ++y)
        for (unsigned x = 0; x < grid.blocks_x; x += grid.cluster)
            host_cluster(grid, kernel).run(x, y);
}

} // namespace gpufft
} // namespace gr
