// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints and stores the lines of the benchmark.

#include "bench_report.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

void print_titles()
{
    std::printf("%6s %10s %9s %9s %7s %7s %9s %10s %10s %8s %7s  %s\n",
                "n",
                "batch",
                "ours ms",
                "cuFFT ms",
                "eff",
                "cuFFT",
                "GFLOPS",
                "error",
                "cuFFT",
                "cold ms",
                "warm ms",
                "recipe");
}

void print_row(const result& row, double copy_rate)
{
    std::printf("%6d %10zu %9.4f %9.4f %7.3f %7.3f %9.0f %10.2e %10.2e %8.1f %7.2f  %s\n",
                row.n,
                row.batch,
                row.ours.median,
                row.cufft.median,
                row.efficiency(row.ours.median, copy_rate),
                row.efficiency(row.cufft.median, copy_rate),
                row.gflops(),
                row.ours_error,
                row.cufft_error,
                row.cold_ms,
                row.warm_ms,
                row.recipe_text.c_str());
    std::fflush(stdout);
}

void print_means(const std::vector<result>& rows, double copy_rate)
{
    double ours = 0, cufft = 0, least = 1e9;
    for (const result& row : rows) {
        const double efficiency = row.efficiency(row.ours.median, copy_rate);
        ours += std::log(efficiency) / rows.size();
        cufft += std::log(row.efficiency(row.cufft.median, copy_rate)) / rows.size();
        least = std::min(least, efficiency);
    }
    std::printf("geometric mean of eff: ours %.3f (least %.3f), cuFFT %.3f\n",
                std::exp(ours),
                least,
                std::exp(cufft));
}

void write_csv(const std::string& path,
               const std::string& head_text,
               const std::vector<result>& rows,
               double copy_rate)
{
    std::ofstream file(path);
    file << head_text
         << "family,problem,ours_ms,ours_min_ms,ours_max_ms,cufft_ms,ours_eff,cufft_eff,"
            "ours_gflops,ours_error,cufft_error,plan_cold_ms,plan_warm_ms,recipe\n";
    for (const result& row : rows)
        file << row.family << ',' << row.problem_name << ',' << row.ours.median << ','
             << row.ours.least << ',' << row.ours.most << ',' << row.cufft.median << ','
             << row.efficiency(row.ours.median, copy_rate) << ','
             << row.efficiency(row.cufft.median, copy_rate) << ',' << row.gflops() << ','
             << row.ours_error << ',' << row.cufft_error << ',' << row.cold_ms << ','
             << row.warm_ms << ",\"" << row.recipe_text << "\"\n";
    file.close();
    if (!file)
        throw std::runtime_error("cannot write " + path);
}

} // namespace gpufft
} // namespace gr
