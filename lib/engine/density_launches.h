// SPDX-License-Identifier: GPL-3.0-or-later
//
// The arguments of the kernels that make rows with a density, the same for the cuda and
// the host engine.

#ifndef INCLUDED_GPUFFT_DENSITY_LAUNCHES_H
#define INCLUDED_GPUFFT_DENSITY_LAUNCHES_H

#include "arguments.cuh"
#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Of `frames` frames of which the first row already has `frames_in_row`. Memory and units
// are the caller's to add.
kernels::density_arguments
density_arguments_of(const problem& now, std::size_t frames, std::size_t frames_in_row);

// The same for the rows at `output`; the counts of the unfinished row lie in `sum` and
// `next_sum`, whole states as problem::mean_sums().
kernels::density_rows_arguments
density_rows_arguments_of(const problem& now,
                          const kernels::density_arguments& counted,
                          const kernels::average_arguments& means);

// One of problem::row_traces() from what density_kernel has made; `means` is that of a
// row without density. Only the first one is smoothed or held.
kernels::average_arguments trace_arguments_of(const kernels::average_arguments& means,
                                              const kernels::density_arguments& counted,
                                              std::size_t trace);

} // namespace gpufft
} // namespace gr

#endif
