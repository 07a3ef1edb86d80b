// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arguments of the kernels that make rows with a density, for the engines cuda and host.

#ifndef INCLUDED_GPUFFT_DENSITY_LAUNCHES_H
#define INCLUDED_GPUFFT_DENSITY_LAUNCHES_H

#include "arguments.cuh"
#include <cstddef>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Arguments for `frames` frames, if the first row already has `frames_in_row`. The caller
// adds memory and units.
kernels::density_arguments
density_arguments_of(const problem& now, std::size_t frames, std::size_t frames_in_row);

// The same for the rows at `output`. The counts of the unfinished row lie in `sum` and
// `next_sum`, which are whole states of problem::mean_sums() numbers.
kernels::density_rows_arguments
density_rows_arguments_of(const problem& now,
                          const kernels::density_arguments& counted,
                          const kernels::average_arguments& means);

// Arguments for one of problem::row_traces(), from density_kernel's results. `means` are
// the arguments for rows without density. Only the first trace is smoothed or held.
kernels::average_arguments trace_arguments_of(const kernels::average_arguments& means,
                                              const kernels::density_arguments& counted,
                                              std::size_t trace);

} // namespace gpufft
} // namespace gr

#endif
