// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table that is printed, and the CSV.

#ifndef INCLUDED_GPUFFT_BENCH_FLOWGRAPH_REPORT_H
#define INCLUDED_GPUFFT_BENCH_FLOWGRAPH_REPORT_H

#include "flowgraph_run.h"
#include "limits.h"
#include "settings.h"
#include <fstream>
#include <limits>

namespace gr {
namespace gpufft {

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN(); // an empty cell

// What the columns mean; printed by --help, too.
extern const char* const COLUMNS_HELP;

struct rate_row {
    std::string contest;
    std::size_t n = 0;
    std::string block;
    int threads = 1;
    run_result result;
    double ratio_to_other = UNKNOWN;
    double up = UNKNOWN, down = UNKNOWN;               // bytes a second of the blocks
    double link_rate = UNKNOWN, kernel_rate = UNKNOWN; // limits, samples a second
    double best_link_rate = UNKNOWN;                   // with the largest chunks

    double of_limit() const; // share of the tighter one
    double of_best_link() const;
};

struct delay_row {
    std::string contest;
    std::size_t n = 0;
    std::string block;
    double samples_per_second = 0;
    delays after;
};

struct link_row {
    std::string cards; // "GPU 0"
    link_use use = link_use::up;
    std::size_t chunk_bytes = 0;
    link_rate rate;
};

class report
{
public:
    // Throws std::runtime_error if the CSV cannot be written.
    explicit report(const settings& wanted);

    void add(const rate_row& row);
    void add(const delay_row& row);
    void add(const link_row& row);

private:
    void print_titles(const char* titles);

    std::ofstream d_csv;
    const char* d_titles = nullptr; // printed last
};

} // namespace gpufft
} // namespace gr

#endif
