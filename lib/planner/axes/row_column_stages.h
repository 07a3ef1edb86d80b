// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stages of a transform of several axes that does one axis after the other. If all
// other axes can be transformed as columns, lines stay in place. Otherwise each axis
// needs a transposition, which makes a frame's first axis its last, whose points lie side
// by side. It runs before every axis, so that the last axis ends in its place. For r2c,
// which halves its last axis before it transforms the others, it runs after every axis.

#ifndef INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H
#define INCLUDED_GPUFFT_ROW_COLUMN_STAGES_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// One stage: a transposition of rows x columns items, or `lines` transforms `line`.
struct stage {
    std::size_t rows = 0, columns = 0; // 0: transforms lines
    bool is_windowed = false;          // the transposition applies the window
    sample_format input = sample_format::cf32;
    problem line;
    std::size_t lines = 1;
    std::size_t width = 1;      // items from point to point of a line
    std::size_t item_bytes = 0; // size of an item that it writes
    std::size_t items = 0;      // items that it writes for each frame
    bool is_scaled = false;

    bool is_transposition() const { return rows > 0; }
    bool is_columns() const { return width > 1; }
};

std::vector<stage> transposed_stages(const problem& what);

// The stages without transpositions, for a problem without a window.
std::vector<stage> stages_in_place(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
