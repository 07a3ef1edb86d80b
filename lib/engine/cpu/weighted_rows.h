// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums over rows, weighted point by point: the inner loop of polyphase filters.

#ifndef INCLUDED_GPUFFT_WEIGHTED_ROWS_H
#define INCLUDED_GPUFFT_WEIGHTED_ROWS_H

#include <cstddef>

namespace gr {
namespace gpufft {

// y[i] = sum_q x[q][i] w[q w_distance + i], q < rows, i < count
void sum_weighted_rows(const float* const* x,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t rows,
                       std::size_t count,
                       float* y);

// The same for rows x + q x_distance of several frames: those of frame f begin
// f frame_distance numbers later, its sums at y + f y_distance.
void sum_weighted_rows(const float* x,
                       std::size_t x_distance,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t rows,
                       std::size_t count,
                       std::size_t frames,
                       std::size_t frame_distance,
                       float* y,
                       std::size_t y_distance);

} // namespace gpufft
} // namespace gr

#endif
