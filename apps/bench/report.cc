// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as text; what is unknown is "-" in the table and nothing in the CSV.

#include "report.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

std::string text(const char* format, double value)
{
    if (std::isnan(value))
        return "-";
    char buffer[64];
    std::snprintf(buffer, sizeof(buffer), format, value);
    return buffer;
}

// For a CSV file.
std::string cell(double value) { return std::isnan(value) ? "" : text("%.6g", value); }

// Geometric mean of the numbers that are known.
class geometric_mean
{
public:
    void add(double value)
    {
        if (std::isnan(value))
            return;
        d_sum += std::log(value);
        ++d_count;
    }
    int count() const { return d_count; }
    double value() const { return d_count > 0 ? std::exp(d_sum / d_count) : MISSING; }

private:
    double d_sum = 0;
    int d_count = 0;
};

// Means over the rows of a family, or over all if it is empty.
void print_family(const bench_run& run, const std::string& family)
{
    geometric_mean ours, peer, ratio;
    const measurement* lowest = nullptr;
    for (const measurement& row : run.rows) {
        if (!family.empty() && row.what.family != family)
            continue;
        const double best = std::fmin(row.cufft.median, row.vkfft.median);
        ours.add(row.efficiency(row.ours, run.copy_rate));
        peer.add(row.efficiency({ best, best, best }, run.copy_rate));
        ratio.add(row.ratio());
        if (!std::isnan(row.ratio()) &&
            (lowest == nullptr || row.ratio() < lowest->ratio()))
            lowest = &row;
    }
    std::printf("%-14s %4d rows  eff: ours %s, better peer %s",
                family.empty() ? "all" : family.c_str(),
                ours.count(),
                text("%.3f", ours.value()).c_str(),
                text("%.3f", peer.value()).c_str());
    if (lowest != nullptr)
        std::printf("  ratio %.3f, lowest %.3f (%s)",
                    ratio.value(),
                    lowest->ratio(),
                    lowest->what.to_string().c_str());
    std::printf("\n");
}

std::vector<std::string> families(const bench_run& run)
{
    std::vector<std::string> names;
    for (const measurement& row : run.rows)
        if (names.empty() || names.back() != row.what.family)
            names.push_back(row.what.family);
    return names;
}

double spread(const timing& first, const timing& second)
{
    return std::abs(second.median / first.median - 1);
}

void print_spread_of(const char* library,
                     timing measurement::*time,
                     const bench_run& first,
                     const bench_run& second)
{
    std::vector<double> spreads;
    const measurement* widest = nullptr;
    double most = -1;
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
        const double here = spread(first.rows[i].*time, second.rows[i].*time);
        if (std::isnan(here))
            continue;
        spreads.push_back(here);
        if (here > most) {
            most = here;
            widest = &first.rows[i];
        }
    }
    if (widest != nullptr)
        std::printf("spread of two runs, %-5s  median %.2f %%, largest %.2f %% (%s)\n",
                    library,
                    100 * summarise(spreads).median,
                    100 * most,
                    widest->what.to_string().c_str());
}

void print_plan_times_of(const char* which,
                         double measurement::*milliseconds,
                         const bench_run& run)
{
    std::vector<double> times;
    const measurement* longest = nullptr;
    for (const measurement& row : run.rows) {
        if (std::isnan(row.*milliseconds))
            continue;
        times.push_back(row.*milliseconds);
        if (longest == nullptr || row.*milliseconds > longest->*milliseconds)
            longest = &row;
    }
    if (longest != nullptr)
        std::printf("%s plan: median %.3g ms, longest %.4g ms (%s)\n",
                    which,
                    summarise(times).median,
                    longest->*milliseconds,
                    longest->what.to_string().c_str());
}

// "prime,c2c_forward_n1009_b3,in"
std::string names_of(const measurement& row)
{
    return row.what.family + ',' + row.what.what.to_string() +
           (row.what.in_place ? ",in" : ",out");
}

void write_file(const std::string& path, const std::string& content)
{
    std::ofstream file(path);
    file << content;
    file.close();
    if (!file)
        throw std::runtime_error("cannot write " + path);
}

} // namespace

int columns_for(const std::vector<bench_case>& cases)
{
    std::size_t columns = 34;
    for (const bench_case& each : cases)
        columns = std::max(columns, each.to_string().size());
    return static_cast<int>(columns);
}

void print_titles(int columns)
{
    std::printf("%-*s %9s %9s %9s %7s %6s %6s %6s %9s %9s\n",
                columns,
                "problem",
                "ours ms",
                "cuFFT ms",
                "VkFFT ms",
                "eff",
                "cuFFT",
                "VkFFT",
                "ratio",
                "error",
                "cuFFT");
}

void print_row(const measurement& row, double copy_rate, int columns)
{
    const auto share = [&](const timing& time) {
        return text("%.3f", row.efficiency(time, copy_rate));
    };
    std::printf("%-*s %9s %9s %9s %7s %6s %6s %6s %9s %9s\n",
                columns,
                row.what.to_string().c_str(),
                row.has_failed ? "failed" : text("%.5g", row.ours.median).c_str(),
                text("%.5g", row.cufft.median).c_str(),
                text("%.5g", row.vkfft.median).c_str(),
                share(row.ours).c_str(),
                share(row.cufft).c_str(),
                share(row.vkfft).c_str(),
                text("%.2f", row.ratio()).c_str(),
                text("%.2e", row.ours_error).c_str(),
                text("%.2e", row.cufft_error).c_str());
    std::fflush(stdout);
}

void print_families(const bench_run& run)
{
    const std::vector<std::string> names = families(run);
    for (const std::string& name : names)
        print_family(run, name);
    if (names.size() > 1)
        print_family(run, "");
}

void print_spread(const bench_run& first, const bench_run& second)
{
    print_spread_of("ours", &measurement::ours, first, second);
    print_spread_of("cuFFT", &measurement::cufft, first, second);
    print_spread_of("VkFFT", &measurement::vkfft, first, second);
}

void print_plan_times(const bench_run& run)
{
    print_plan_times_of("first", &measurement::cold_ms, run);
    print_plan_times_of("warm", &measurement::warm_ms, run);
}

void write_csv(const std::string& path, const std::string& head, const bench_run& run)
{
    std::ostringstream file;
    file << head
         << "family,problem,placement,ours_ms,cufft_ms,vkfft_ms,ours_eff,cufft_eff,"
            "vkfft_eff,ours_error,cufft_error,recipe_from\n";
    for (const measurement& row : run.rows) {
        file << names_of(row);
        for (const timing* time : { &row.ours, &row.cufft, &row.vkfft })
            file << ',' << cell(time->median);
        for (const timing* time : { &row.ours, &row.cufft, &row.vkfft })
            file << ',' << cell(row.efficiency(*time, run.copy_rate));
        file << ',' << cell(row.ours_error) << ',' << cell(row.cufft_error) << ','
             << row.recipe_from << '\n';
    }
    write_file(path, file.str());
}

void write_details(const std::string& path,
                   const std::string& head,
                   const bench_run& run,
                   const bench_run* second)
{
    std::ostringstream file;
    file << head << "family,problem,placement,ratio";
    for (const char* library : { "ours", "cufft", "vkfft" })
        file << ',' << library << "_ms," << library << "_min_ms," << library << "_max_ms,"
             << library << "_again_ms";
    file
        << ",ours_gflops,vkfft_error,plan_cold_ms,plan_warm_ms,input_bytes,scratch_bytes,"
           "recipe\n";
    for (std::size_t i = 0; i < run.rows.size(); ++i) {
        const measurement& row = run.rows[i];
        file << names_of(row) << ',' << cell(row.ratio());
        for (timing measurement::*time :
             { &measurement::ours, &measurement::cufft, &measurement::vkfft })
            file << ',' << cell((row.*time).median) << ',' << cell((row.*time).least)
                 << ',' << cell((row.*time).most) << ','
                 << cell(second != nullptr ? (second->rows[i].*time).median : MISSING);
        file << ',' << cell(row.gflops()) << ',' << cell(row.vkfft_error) << ','
             << cell(row.cold_ms) << ',' << cell(row.warm_ms) << ','
             << input_bytes(row.what.what) << ',' << row.scratch_bytes << ",\""
             << row.recipe_text << "\"\n";
    }
    write_file(path, file.str());
}

} // namespace gpufft
} // namespace gr
