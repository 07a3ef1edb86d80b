// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts how often each column was at each level, in several threads for one row.

#ifndef INCLUDED_GPUFFT_DENSITY_COUNTS_H
#define INCLUDED_GPUFFT_DENSITY_COUNTS_H

#include "level_table.h"
#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

class density_counts
{
public:
    // Allocates memory for the problem's cells and this many threads; keeps the counts.
    void allocate(const problem& what, std::size_t threads);

    // Sets the current levels and columns; call it before counting. A bin's place in the
    // row is (bin + rotation) mod n.
    void prepare(const problem& now, std::size_t rotation);

    // Counts a frame's powers, unscaled. Only one caller at a time for each `thread`.
    void count(const float* power, std::size_t thread);

    // Forgets all counts.
    void reset();

    // Counts since the last row; call restore() only after reset().
    double total(std::size_t cell) const;
    void restore(std::size_t cell, double total) { d_carried[cell] = total; }

    // Writes the cells of a finished row and begins the next.
    void finish(float* row);

private:
    struct run {
        std::size_t first, last; // bins
        std::size_t cell;        // first cell of their column
    };
    typedef std::vector<std::uint64_t> cells;

    std::vector<run>
    runs_of(const problem& now, std::size_t rotation, std::size_t column) const;

    density_grid d_grid;
    double d_scale = 0;
    std::unique_ptr<const level_table> d_table; // for d_grid and d_scale
    std::vector<run> d_runs;
    std::vector<double> d_carried; // restored counts, not in d_threads
    std::vector<cells> d_threads;
};

} // namespace gpufft
} // namespace gr

#endif
