// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels for rows with a density on one GPU, and the memory between them.

#ifndef INCLUDED_GPUFFT_CUDA_DENSITY_KERNELS_H
#define INCLUDED_GPUFFT_CUDA_DENSITY_KERNELS_H

#include "arguments.cuh"
#include "device.h"
#include "kernel.h"
#include <deque>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

class density_kernels
{
public:
    density_kernels(const device_context& context, const problem& what);

    // Reserves memory for launches of up to `frames` frames.
    void reserve(const problem& now, std::size_t frames);

    // Queues the kernels that make rows from every frame's powers, means.partial. `means`
    // are average_kernel's arguments for rows without density.
    void
    launch(const problem& now, const kernels::average_arguments& means, CUstream stream);

    std::size_t scratch_bytes() const { return d_partial.bytes() + d_counts.bytes(); }

private:
    std::size_t wanted_units(const problem& now) const;
    std::size_t group_for(const problem& now) const;
    void share_out(kernels::density_arguments& counted, const problem& now) const;

    const device_context& d_context;
    const kernel d_count;
    std::deque<kernel> d_joins; // one for each trace
    const kernel d_rows;
    memory_buffer d_partial, d_counts;
};

} // namespace gpufft
} // namespace gr

#endif
