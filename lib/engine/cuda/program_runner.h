// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a program on one GPU: compiles its kernels, uploads its tables, allocates its
// scratch and queues its launches.

#ifndef INCLUDED_GPUFFT_CUDA_PROGRAM_RUNNER_H
#define INCLUDED_GPUFFT_CUDA_PROGRAM_RUNNER_H

#include "device.h"
#include "engine/step_arguments.h"
#include "kernel.h"
#include "planner/scratch.h"
#include <deque>

namespace gr {
namespace gpufft {

// Fills memory on the device; no kernel that reads it may run yet.
void upload(const device_context& context,
            memory_buffer& buffer,
            const void* values,
            std::size_t bytes);

class program_runner
{
public:
    // Compiles the kernels of all launches in parallel.
    program_runner(const device_context& context, const program& steps);

    // Reserves scratch for calls of launch() with up to `frames` frames, whose input and
    // output take `data_bytes`. Launches have fewer frames if scratch_limit() or the free
    // memory requires it. Throws cuda_error if not even one frame fits.
    void reserve(std::size_t frames, std::size_t data_bytes);

    // Queues all launches. `common` has their common arguments: window, hop and scale,
    // and the input, output and frames of the whole call. Frames begin
    // `hop_bytes` apart, and a frame gives a row of `row_bytes`.
    void launch(const kernels::transform_arguments& common,
                std::size_t hop_bytes,
                std::size_t row_bytes,
                CUstream stream);

    // The parameters of a user's expressions.
    void set_parameters(const std::vector<float>& values);

    std::size_t scratch_bytes() const; // now
    const scratch_need& need() const { return d_need; }
    const std::deque<kernel>& kernels() const { return d_kernels; }
    const std::vector<launch_step>& steps() const { return d_steps; }

    bool works_in_place() const { return d_works_in_place; }

    // The twiddles of the first launch.
    const kernels::complex* twiddles() const;

private:
    void allocate(std::size_t frames);

    const device_context& d_context;
    std::vector<launch_step> d_steps;
    const scratch_need d_need;
    const std::size_t d_point_bytes;
    std::size_t d_scratch_points[SCRATCH_PLACES];
    const bool d_works_in_place;
    std::size_t d_most_frames;      // program's limit per launch; 0: any number
    std::size_t d_asked_frames = 0; // frames of the largest call so far
    std::size_t d_frames = 0;       // frames per launch that the reserved memory allows
    std::deque<kernel> d_kernels;   // one for each step
    std::vector<memory_buffer> d_tables;
    program_memory d_memory; // addresses of tables, and of places during launch()
    std::vector<memory_buffer> d_scratch; // one for each of SCRATCH_PLACES
};

} // namespace gpufft
} // namespace gr

#endif
