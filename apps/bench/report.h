// SPDX-License-Identifier: GPL-3.0-or-later
//
// The benchmark's table, its means, and its CSV files.

#ifndef INCLUDED_GPUFFT_BENCH_REPORT_H
#define INCLUDED_GPUFFT_BENCH_REPORT_H

#include "bench_engine.h"
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// All problems once, and the copy rate (GB/s) just before.
struct bench_run {
    double copy_rate = 0;
    std::string copy_text;
    std::vector<measurement> rows;
};

// The columns that the names of the problems take.
int columns_for(const std::vector<bench_case>& cases);
void print_titles(int columns);
void print_row(const measurement& row, double copy_rate, int columns);

// For each family and for all: means of eff, the geometric mean of the ratio to the
// better peer, and the row where that is lowest.
void print_families(const bench_run& run);

// By how much the medians of two runs differ, row by row and together.
void print_spread(const bench_run& first, const bench_run& second);

// Median and longest time of plan::make, first and with stored kernels.
void print_plan_times(const bench_run& run);

// One line a problem: family, problem, times, shares of the copy rate, errors; empty
// where unknown. `head` are lines that begin with #. Throws std::runtime_error if the
// file cannot be written.
void write_csv(const std::string& path, const std::string& head, const bench_run& run);

// Beside it: least and longest times, the second run if there is one, plan times,
// scratch, recipe.
void write_details(const std::string& path,
                   const std::string& head,
                   const bench_run& run,
                   const bench_run* second);

} // namespace gpufft
} // namespace gr

#endif
