// SPDX-License-Identifier: GPL-3.0-or-later
//
// Base of all blocks: their plan, and the handling of errors. An exception that leaves
// work(), forecast(), start() or stop() would hang the flowgraph.

#ifndef INCLUDED_GPUFFT_ENGINE_BASE_H
#define INCLUDED_GPUFFT_ENGINE_BASE_H

#include "block_status.h"
#include "chunked_stream.h"
#include "engine/break_even.h"
#include "engine/device_watch.h"
#include "last_reader.h"
#include "live_plan.h"
#include <gnuradio/block.h>
#include <gnuradio/gpufft/engine_block.h>
#include <string>

namespace gr {
namespace gpufft {

// True if on_error is "cpu", false if it is "stop"; throws std::invalid_argument for
// others.
bool goes_on_with_cpu(const std::string& on_error);

// Returns `seconds`, 0 or more (0: never); throws std::invalid_argument for others.
double check_device_timeout(double seconds);

class engine_base : virtual public engine_block
{
public:
    std::string engine() const override { return d_plan.engine(); }
    std::string engine_reason() const override { return d_plan.engine_reason(); }
    std::string describe() const override { return d_plan.describe(); }
    std::string error() const override { return d_status.error(); }
    stream_statistics statistics() const override { return d_stream.statistics(); }

protected:
    engine_base(gr::block& owner,
                const gr::logger_ptr& logger,
                const plan_settings& settings,
                const engine_options& options);

    // A block asks GNU Radio for buffers of twice these bytes on both sides. On a GPU:
    // all chunks in flight (see chunked_stream). On the CPU: for each thread as much as
    // fits its cache but outweighs the scheduler's cost (gpufft bench --flowgraph on a
    // 2-core EPYC and a 16-core host: fft_vcc_threads reaches 1.6 with 1 MiB for both
    // threads, and 1.95 with 2 MiB).
    std::size_t chunk_bytes() const;

    // Half the size, in samples, of a good stream buffer: a chunk, but at least a frame
    // of n, which saves copies. For frames beyond MAX_BUFFERED_FRAME copies cost less
    // than such large buffers, which then hold a chunk, not a frame.
    static constexpr std::size_t MAX_BUFFERED_FRAME = std::size_t(4) << 20;
    std::size_t stream_chunk(std::size_t n, std::size_t sample_bytes) const;

    // While GNU Radio sizes the buffers on both sides, from check_topology() to start(),
    // the output multiple makes it allocate twice `items` of output, or what the user's
    // set_max_output_buffer() allows. Returns the multiple.
    std::size_t ask_for_output(std::size_t items);

    // Calls work(). Returns WORK_DONE if it throws or has thrown before in this run. The
    // status port reports the error, or that the CPU takes over, and the statistics once
    // a second.
    template <class Work>
    int guarded(Work&& work) noexcept
    {
        const device_patience patience(d_plan.device_timeout());
        try {
            if (d_status.has_failed())
                return gr::block::WORK_DONE;
            const int result = work();
            report();
            return result;
        } catch (const std::exception& error) {
            return fail(error.what());
        } catch (...) {
            return fail("unknown exception");
        }
    }

    // The same for work(), which also ends when nobody reads its output any more.
    template <class Work>
    int guarded_work(Work&& work) noexcept
    {
        take_tag_policy();
        return guarded(
            [&] { return ends_unread(d_owner) ? gr::block::WORK_DONE : work(); });
    }

    // True if nobody reads the output any more: work() should end without waiting for
    // input.
    bool is_unread() const { return gpufft::is_unread(d_owner); }

    // Blocks move tags by their own rules. If GNU Radio did it, too, each would come
    // twice: while a block runs it has the policy TPP_CUSTOM. True if the policy that the
    // user has set, before the run or in it, lets an input's tags pass to an output.
    bool passes_tags(int input = 0, int output = 0) const
    {
        return d_tag_policy == gr::block::TPP_ALL_TO_ALL ||
               (d_tag_policy == gr::block::TPP_ONE_TO_ONE && input == output);
    }

    // Call these first in start(), and in stop(). A run begins without errors.
    void begin_run();
    void end_run();

    live_plan d_plan;
    chunked_stream d_stream;

private:
    void take_tag_policy();
    int fail(const std::string& what) noexcept;
    void report();

    gr::block& d_owner;
    gr::block::tag_propagation_policy_t d_tag_policy = gr::block::TPP_ALL_TO_ALL;
    block_status d_status;
    const std::size_t d_threads; // threads at construction, for the size of buffers
};

} // namespace gpufft
} // namespace gr

#endif
