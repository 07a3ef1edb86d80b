// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line of the benchmark, as text and as CSV.

#ifndef INCLUDED_GPUFFT_BENCH_REPORT_H
#define INCLUDED_GPUFFT_BENCH_REPORT_H

#include "gpu_timing.h"
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();

struct result {
    std::string family, problem_name, recipe_text;
    int n = 0;
    std::size_t batch = 0;
    timing ours, cufft = { MISSING, MISSING, MISSING };
    double ours_error = MISSING, cufft_error = MISSING;
    double cold_ms = MISSING, warm_ms = MISSING;

    // Compulsory traffic: every input read once, every output written once.
    double bytes() const { return 16.0 * n * static_cast<double>(batch); }
    double efficiency(double ms, double copy_rate) const
    {
        return bytes() / (1e6 * ms) / copy_rate;
    }
    double gflops() const
    {
        return 5.0 * n * std::log2(n) * static_cast<double>(batch) / (1e6 * ours.median);
    }
};

void print_titles();
void print_row(const result& row, double copy_rate);
void print_means(const std::vector<result>& rows, double copy_rate);

// Throws std::runtime_error if the file cannot be written.
void write_csv(const std::string& path,
               const std::string& head_text,
               const std::vector<result>& rows,
               double copy_rate);

} // namespace gpufft
} // namespace gr

#endif
