// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums over rows, weighted number by number: the inner loop of polyphase filters.

#ifndef INCLUDED_GPUFFT_WEIGHTED_ROWS_H
#define INCLUDED_GPUFFT_WEIGHTED_ROWS_H

#include "aligned_buffer.h"
#include <cstddef>

namespace gr {
namespace gpufft {

// y[f y_distance + i] = sum_p x[f frame_distance + p x_distance + i] w[p w_distance + i],
// f < frames, p < taps, i < count
void sum_weighted_rows(const float* x,
                       std::size_t x_distance,
                       const float* w,
                       std::size_t w_distance,
                       std::size_t taps,
                       std::size_t count,
                       std::size_t frames,
                       std::size_t frame_distance,
                       float* y,
                       std::size_t y_distance);

// Weights for the numbers of rows that lie side by side in memory.
class row_weights
{
public:
    row_weights() = default;

    // weight(p, i) is that of number i of row p.
    template <class Weight>
    row_weights(std::size_t taps, std::size_t row, const Weight& weight)
        : row_weights(taps, row)
    {
        float* next = d_weights.data();
        for (std::size_t p = 0; p < taps; ++p)
            for (std::size_t i = 0; i < distance(); ++i)
                *next++ = weight(p, i % row);
    }

    bool empty() const { return d_weights.size() == 0; }
    const float* data() const { return d_weights.data(); }
    std::size_t distance() const { return d_copies * d_row; } // from row to row

    // True if `rows` rows side by side are summed in less time than one alone.
    bool pays_side_by_side(std::size_t rows) const;

    // y[r row + i] = sum_p x[(r + p) row + i] weight(p, i), r < rows
    void sum_side_by_side(const float* x, std::size_t rows, float* y) const;

private:
    row_weights(std::size_t taps, std::size_t row);

    std::size_t d_taps = 0, d_row = 0;
    std::size_t d_copies = 1; // of a row's weights, side by side
    aligned_buffer<float> d_weights;
};

} // namespace gpufft
} // namespace gr

#endif
