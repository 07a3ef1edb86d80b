// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of a transform of several axes that does one axis after the other. Where all
// other axes can be transformed as columns, lines stay where they are. Else a
// transposition makes the axis that was the first one of a frame the last, whose points
// lie side by side: before every axis, so that the last axis ends in its place; for r2c,
// whose last axis is halved before the others are transformed, after every axis.

#ifndef INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H
#define INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// One part: a transposition of rows x columns items, or lines by their own problem.
struct stage {
    std::size_t rows = 0, columns = 0; // 0: lines
    bool is_windowed = false;          // transposes samples times the window
    sample_format input = sample_format::cf32;
    problem line;
    std::size_t lines = 1;
    std::size_t width = 1;      // items from point to point of a line
    std::size_t item_bytes = 0; // of what it writes
    std::size_t items = 0;      // ... for each frame
    bool is_scaled = false;

    bool is_transposition() const { return rows > 0; }
    bool is_columns() const { return width > 1; }
};

std::vector<stage> transposed_stages(const problem& what);

// Without transpositions; of a problem without window.
std::vector<stage> stages_in_place(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
