// SPDX-License-Identifier: GPL-3.0-or-later
//
// Convolutions through global memory: column levels, then rows that are convolved. This
// is the host's side of kernels/convolution/bluestein_levels.cuh and rader_levels.cuh. A
// recipe lists the shapes of the column levels, then the shape of the row's convolution.
// If frames_at_once > 0, that many frames go through all launches before the next ones
// start, so that they stay in the L2 cache.

#ifndef INCLUDED_GPUFFT_CONVOLUTION_LEVELS_H
#define INCLUDED_GPUFFT_CONVOLUTION_LEVELS_H

#include "convolution.h"
#include "planner/algorithm.h"
#include <complex>
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

// Ways to split `length` into at most `most_columns` column levels and a row, most even
// first.
std::vector<std::vector<int>> level_lengths(std::uint64_t length, int most_columns);

// The best recipes for these level lengths and their levels_cost(), with several widths
// of tiles and several rows. Only every `decimation`-th value is wanted.
std::vector<std::pair<double, recipe>> level_recipes(const recipe& like,
                                                     const std::vector<int>& lengths,
                                                     const problem& what,
                                                     const device_traits& card,
                                                     std::size_t decimation = 1);

// The shape of the last level. Throws std::invalid_argument if its blocks have several
// rows: each row has a spectrum of its own.
convolution_shape row_shape(const recipe& how, std::size_t decimation = 1);

// Number of bins of a row that are summed into one: 1 unless there is a single column
// level.
int fold_of_levels(const recipe& how, std::size_t decimation);

// Points of the convolution.
std::uint64_t convolution_length(const recipe& how);

// The spectrum of a filter, divided by its length, row after row, in the order in which
// the row kernel reads it.
template <class T>
std::vector<std::complex<T>> row_spectra(const recipe& how,
                                         std::vector<std::complex<T>> filter);

// Estimated time, relative to copying the convolution's points, or the data in small
// calls; includes the column levels twice.
double levels_cost(const problem& what, const recipe& how, const device_traits& card);

// Values of frames_at_once to try, if a frame has `points` points of scratch.
std::vector<int>
frames_for_l2(std::uint64_t points, const problem& what, const device_traits& card);

// The parts of a level's launch that all algorithms share.
launch_step convolution_column_step(const stockham_shape& shape,
                                    std::uint64_t vector,
                                    std::uint64_t outer);
launch_step row_step(const convolution_shape& row, std::uint64_t rows);

} // namespace gpufft
} // namespace gr

#endif
