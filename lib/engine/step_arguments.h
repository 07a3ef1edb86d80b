// SPDX-License-Identifier: GPL-3.0-or-later
//
// The arguments of kernels, from a problem's run-time values and a program's launches,
// for the engines cuda and host.

#ifndef INCLUDED_GPUFFT_STEP_ARGUMENTS_H
#define INCLUDED_GPUFFT_STEP_ARGUMENTS_H

#include "arguments.cuh"
#include "async_device.h"
#include "planner/program.h"
#include "slabs/slab_arguments.cuh"
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Hop, scale and number of frames; the caller adds memory and position.
kernels::transform_arguments
transform_arguments_of(const problem& now, std::size_t frames, std::size_t hop);

// Arguments of average_kernel for `frames` frames, if the first row already has
// `frames_in_row`. `sum` and `next_sum` are states of problem::mean_sums() numbers that
// the kernel reads and writes. The caller adds the parts, their group, and `smoothed` if
// rows are kept.
kernels::average_arguments average_arguments_of(const problem& now,
                                                std::size_t frames,
                                                std::size_t frames_in_row,
                                                const double* sum,
                                                double* next_sum);

// The addresses of a program's tables and places.
struct program_memory {
    std::vector<const void*> tables;
    std::vector<void*> places; // by `place`
};

// Arguments of one step for the frames first ... first+frames-1 of a call. The places
// include the call's input and output; `common` has the arguments of the call.
kernels::transform_arguments step_arguments_of(const launch_step& step,
                                               const kernels::transform_arguments& common,
                                               const program_memory& memory,
                                               std::size_t first,
                                               std::size_t frames);

// Arguments of vectors_to_streams_kernel and streams_to_vectors_kernel.
kernels::streams_arguments streams_arguments_of(const async_device::stream_move& how);

// Arguments of slab_twiddles_kernel and slab_pairs_kernel.
kernels::slab_twiddles_arguments twiddles_arguments_of(const slab_twiddles& by,
                                                       void* points);
kernels::slab_pairs_arguments
pairs_arguments_of(const slab_pairs& how, void* to, const void* from);

} // namespace gpufft
} // namespace gr

#endif
