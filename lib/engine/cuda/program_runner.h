// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program on one GPU: its kernels compiled, its tables uploaded, its scratch allocated,
// and its launches queued.

#ifndef INCLUDED_GPUFFT_CUDA_PROGRAM_RUNNER_H
#define INCLUDED_GPUFFT_CUDA_PROGRAM_RUNNER_H

#include "arguments.cuh"
#include "device.h"
#include "kernel.h"
#include "plan/program.h"
#include <deque>

namespace gr {
namespace gpufft {

// Fills memory on the device; no kernel that reads it may run before or meanwhile.
void upload(const device_context& context,
            memory_buffer& buffer,
            const void* values,
            std::size_t bytes);

class program_runner
{
public:
    // Compiles the kernels of all launches side by side.
    program_runner(const device_context& context, const program& steps);

    // Memory for calls of launch() with up to `frames` frames.
    void reserve(std::size_t frames);

    // Queues all launches. `common` has what they share: window, hop, scale; input,
    // output and frames are those of the whole call, in which a frame gives a row of
    // `row_bytes` and samples have `sample_bytes`.
    void launch(const kernels::transform_arguments& common,
                std::size_t sample_bytes,
                std::size_t row_bytes,
                CUstream stream);

    std::size_t scratch_bytes() const;
    const std::deque<kernel>& kernels() const { return d_kernels; }
    const std::vector<launch_step>& steps() const { return d_steps; }

    // The twiddles of the first launch.
    const kernels::complex32* twiddles() const;

private:
    template <class T>
    const T* address(int table) const
    {
        return table < 0 ? nullptr : d_tables[table].as<const T>();
    }
    std::size_t frames_of_launch(std::size_t frames) const;

    const device_context& d_context;
    std::vector<launch_step> d_steps;
    std::size_t d_scratch_points[2];
    std::size_t d_counters_per_frame, d_more_counters, d_frames_at_once;
    std::deque<kernel> d_kernels; // one for each step
    std::vector<memory_buffer> d_tables;
    memory_buffer d_scratch[2];
    memory_buffer d_ring;
    memory_buffer d_counters;
};

} // namespace gpufft
} // namespace gr

#endif
