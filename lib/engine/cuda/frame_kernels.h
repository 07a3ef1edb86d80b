// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels of one problem on one GPU with their data: twiddles, window, partial sums,
// the running mean. They turn frames in device memory into rows in device memory.

#ifndef INCLUDED_GPUFFT_CUDA_FRAME_KERNELS_H
#define INCLUDED_GPUFFT_CUDA_FRAME_KERNELS_H

#include "density_kernels.h"
#include "device.h"
#include "kernel.h"
#include "planner/recipe.h"
#include "program_runner.h"
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

class frame_kernels
{
public:
    frame_kernels(const device_context& context, const problem& what, const recipe& how);

    // Changes to another recipe, but keeps window and running mean. If it throws, nothing
    // has changed.
    void set_recipe(const problem& what, const recipe& how);

    // Reserves memory for launches of up to `frames` frames.
    void reserve(const problem& now, std::size_t frames);

    // Queues the kernels for `frames` frames, `hop` samples apart. `now` is the problem
    // with its run-time values, `frames_in_row` the frames in the running mean,
    // `position` the stream position of the first frame.
    void launch(const problem& now,
                const void* dev_input,
                void* dev_output,
                std::size_t frames,
                std::size_t hop,
                std::size_t frames_in_row,
                std::uint64_t position,
                CUstream stream);

    void set_window(const problem& what,
                    const std::vector<double>& taps,
                    const std::vector<plan::rotation>& rotations);
    void set_rotations(const problem& what, const std::vector<plan::rotation>& rotations);
    void set_map(const problem& what, const std::vector<int>& map); // of picked bins
    void set_parameters(const std::vector<float>& values);          // of expressions
    void reset_average() { d_smoothed_started = false; }

    // save_mean() queues a copy of the running mean to pinned memory, in the form of
    // plan::mean_state; true if there was a row before. restore_mean() copies it back at
    // once; nothing may be queued.
    bool save_mean(const problem& now, double* sums, float* smoothed, CUstream stream);
    void restore_mean(const problem& now,
                      const double* sums,
                      const float* smoothed,
                      bool is_smoothing);

    // The kernels that compute the transform for these run-time values.
    std::vector<const kernel*> kernels_for(const problem& now) const;
    std::size_t scratch_bytes() const; // now

    // Integers beyond their range that finished launches stored.
    std::uint64_t saturated() const;

    const scratch_need& need() const { return (d_powers ? d_powers : d_direct)->need(); }

private:
    std::size_t group_for(const problem& now) const;
    const void* copy_of(const void* dev_input, std::size_t bytes, CUstream stream);
    std::size_t launch_powers(const problem& now,
                              kernels::transform_arguments transform,
                              std::size_t frames_in_row,
                              const double* kept,
                              CUstream stream);
    void launch_average(const kernels::average_arguments& average, CUstream stream);

    const device_context& d_context;
    std::unique_ptr<program_runner> d_direct;   // a row for each frame;
    std::unique_ptr<kernel> d_power;            // or partial sums, maxima or minima,
    std::unique_ptr<program_runner> d_powers;   // or every frame's powers;
    std::unique_ptr<kernel> d_average;          // then rows from these,
    std::unique_ptr<density_kernels> d_density; // or rows with a density
    recipe d_recipe;
    std::vector<double> d_taps;
    std::vector<plan::rotation> d_rotations;
    std::vector<float> d_parameters;
    std::vector<unsigned char> d_window_bytes; // copy of d_window, for running filters
    memory_buffer d_window;                    // window data that this recipe needs
    memory_buffer d_slots;                     // slots of picked bins
    memory_buffer d_partial;
    memory_buffer d_sums; // two states of the unfinished row: one is read, one is written
    memory_buffer d_smoothed;
    memory_buffer d_saturated;      // count of the kernels, if they store integers
    memory_buffer d_host_saturated; // its copy after a launch
    memory_buffer d_input;          // a copy of input that would be overwritten
    int d_sum = 0;                  // the state in d_sums that is read next
    bool d_smoothed_started = false;
};

} // namespace gpufft
} // namespace gr

#endif
