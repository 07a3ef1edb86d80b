// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stages of a transform that computes one axis after the other. If all axes but the
// last can be transformed as columns, lines stay in place. Otherwise each axis has a
// transposition, which makes a frame's first axis its last, so that its points lie side
// by side. The transposition runs before every axis, so that the last axis ends in its
// place; for r2c, which halves the last axis before the others, it runs after every axis.

#ifndef INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H
#define INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// One stage: a transposition of rows x columns items, or `line` for `lines` lines.
struct axis_stage {
    std::size_t rows = 0, columns = 0; // both 0: transforms lines
    bool is_windowed = false;          // the transposition applies the window
    sample_format input = sample_format::cf32;
    problem line;
    std::size_t lines = 1;
    std::size_t width = 1;      // items from point to point of a line
    std::size_t item_bytes = 0; // size of an output item
    std::size_t items = 0;      // output items of each frame
    bool is_scaled = false;

    bool is_transposition() const { return rows > 0; }
    bool is_columns() const { return width > 1; }
};

std::vector<axis_stage> transposed_stages(const problem& what);

// The stages without transpositions, for a problem without a window.
std::vector<axis_stage> stages_in_place(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
