// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table that is printed, and the CSV.

#include "report.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gnuradio/constants.h>
#include <gnuradio/gpufft/engine.h>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

const char* const COLUMNS_HELP =
    R"(msps            million complex samples a second through the blocks between a
                phantom source and sink that touch no memory; from call to call of the
                sink, after one round of the buffers; median, least, most of the repeats
ratio_to_other  msps over that of the block in the next row, where that has 1
chunk_bytes     that the first block takes at a time (median)
up, down_gbs    10^9 bytes a second into the first block and out of the last
link_msps       what raw copies of chunk_bytes between registered host memory and the
                cards reach, queued ahead: both directions at once (power_spectrum: up)
kernel_msps     what the kernels of all blocks reach one after the other in device
                memory, chunk_bytes or 48 MiB at a time, the faster, queued ahead
of_limit        msps over the smaller of both. All data come from the host and go back
                to it once, however many blocks there are between; not so in card1 ...
                card5, whose data never leave the card
of_best_link    msps over what copies of 16 MiB reach
cores           CPU time a second of all threads but the source's and the sink's
delay_us        from the arrival of a vector's last sample, by the clock, to the sink;
                "source to sink" has no block between and shows what both cost. "one
                chunk" of a vector goes through the card as often, without a flowgraph:
                until it is queued; until a thread that only asks for it sees its end;
                until a thread that waits as a block does sees it
edge            where the second block of a chain reads, and why
)";

namespace {

const char* const CSV_TITLES =
    "case,n,block,threads,msps_median,msps_min,msps_max,ratio_to_other,chunk_bytes,"
    "up_gbs,down_gbs,link_msps,kernel_msps,of_limit,of_best_link,cores,delay_us_p50,"
    "delay_us_p90,"
    "delay_us_p99,delay_us_max,edge";

const char* const RATE_TITLES =
    "contest                  N  block                           Msps      min      max  "
    "chunk KiB  up GB/s    down  link Msps  kernels  of limit  of best   ratio  cores";
const char* const DELAY_TITLES =
    "contest                  N  block                           Msps  delay, us: "
    "     p50      p90      p99      max  cores";
const char* const LINK_TITLES = "copies              cards    chunk KiB  up GB/s    down";

std::string first_line(const char* path, const std::string& key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.rfind(key, 0) == 0)
            return line.substr(key.empty() ? 0 : line.find(':') + 2);
    return "unknown";
}

std::string card_lines(const settings& wanted)
{
    const cuda_status& status = query_cuda();
    if (!wanted.has_card())
        return "";
    std::ostringstream text;
    for (const int index : wanted.devices) {
        const cuda_device_info& card = status.devices.at(index);
        text << "# card: " << card.name << ", sm_" << card.compute_major
             << card.compute_minor << ", " << card.multiprocessors
             << " multiprocessors\n";
    }
    text << "# driver: CUDA " << status.driver << "; NVRTC " << status.nvrtc << "; "
         << first_line("/proc/driver/nvidia/version", "") << '\n';
    return text.str();
}

std::string head(const settings& wanted)
{
    std::ostringstream text;
    text << "# cpu: " << first_line("/proc/cpuinfo", "model name") << ", "
         << std::thread::hardware_concurrency() << " cores\n"
         << card_lines(wanted) << "# GNU Radio " << gr::version() << ", gr-gpufft "
         << version() << ", commit " << wanted.commit << "\n# command: " << wanted.command
         << '\n';
    return text.str();
}

// A number of the CSV; empty if unknown.
struct cell {
    double value;
};

std::ostream& operator<<(std::ostream& out, cell what)
{
    return std::isnan(what.value) ? out : out << what.value;
}

// The same, right-aligned in a table.
std::string padded(double value, int width, int digits)
{
    char text[32];
    if (std::isnan(value))
        std::snprintf(text, sizeof(text), "%*s", width, "-");
    else
        std::snprintf(text, sizeof(text), "%*.*f", width, digits, value);
    return text;
}

std::string without_commas(std::string text)
{
    std::replace(text.begin(), text.end(), ',', ';');
    return text;
}

const char* to_string(link_use use)
{
    return use == link_use::up ? "up" : use == link_use::down ? "down" : "duplex";
}

} // namespace

double rate_row::of_best_link() const
{
    return result.samples_per_second.median / best_link_rate;
}

double rate_row::of_limit() const
{
    return result.samples_per_second.median / std::fmin(link_rate, kernel_rate);
}

report::report(const settings& wanted)
{
    const std::string lines = head(wanted);
    if (!wanted.csv.empty())
        d_csv.open(wanted.csv);
    if (!d_csv)
        throw std::runtime_error("cannot write " + wanted.csv);
    std::printf("%s", lines.c_str());
    if (!d_csv.is_open())
        return;
    d_csv.exceptions(std::ios::failbit | std::ios::badbit);
    d_csv.precision(8);
    d_csv << lines;
    std::istringstream help(COLUMNS_HELP);
    for (std::string line; std::getline(help, line);)
        d_csv << "# " << line << '\n';
    d_csv << CSV_TITLES << std::endl;
}

void report::print_titles(const char* titles)
{
    if (d_titles != titles)
        std::printf("%s\n", titles);
    d_titles = titles;
}

void report::add(const rate_row& row)
{
    const spread& rate = row.result.samples_per_second;
    print_titles(RATE_TITLES);
    const std::string times = row.threads > 1 ? " x" + std::to_string(row.threads) : "";
    std::printf("%-18s %7zu  %-26s %9.1f%9.1f%9.1f  %9.0f%s%s%s%s%s%s%s%s\n",
                row.contest.c_str(),
                row.n,
                (row.block + times).c_str(),
                rate.median / 1e6,
                rate.min / 1e6,
                rate.max / 1e6,
                row.result.chunk_bytes / 1024,
                padded(row.up / 1e9, 9, 2).c_str(),
                padded(row.down / 1e9, 8, 2).c_str(),
                padded(row.link_rate / 1e6, 11, 0).c_str(),
                padded(row.kernel_rate / 1e6, 9, 0).c_str(),
                padded(row.of_limit(), 10, 3).c_str(),
                padded(row.of_best_link(), 9, 3).c_str(),
                padded(row.ratio_to_other, 8, 2).c_str(),
                padded(row.result.cores, 7, 2).c_str());
    std::fflush(stdout);
    if (d_csv.is_open())
        d_csv << row.contest << ',' << row.n << ',' << row.block << ',' << row.threads
              << ',' << rate.median / 1e6 << ',' << rate.min / 1e6 << ','
              << rate.max / 1e6 << ',' << cell{ row.ratio_to_other } << ','
              << row.result.chunk_bytes << ',' << cell{ row.up / 1e9 } << ','
              << cell{ row.down / 1e9 } << ',' << cell{ row.link_rate / 1e6 } << ','
              << cell{ row.kernel_rate / 1e6 } << ',' << cell{ row.of_limit() } << ','
              << cell{ row.of_best_link() } << ',' << row.result.cores << ",,,,,"
              << without_commas(row.result.edge) << std::endl;
}

void report::add(const delay_row& row)
{
    print_titles(DELAY_TITLES);
    const double us[] = {
        1e6 * row.after.p50, 1e6 * row.after.p90, 1e6 * row.after.p99, 1e6 * row.after.max
    };
    std::printf("%-18s %7zu  %-26s %9.1f             %9.0f%9.0f%9.0f%9.0f%s\n",
                row.contest.c_str(),
                row.n,
                row.block.c_str(),
                row.samples_per_second / 1e6,
                us[0],
                us[1],
                us[2],
                us[3],
                padded(row.after.cores, 7, 2).c_str());
    std::fflush(stdout);
    if (d_csv.is_open())
        d_csv << row.contest << ',' << row.n << ',' << row.block << ",1,"
              << row.samples_per_second / 1e6 << ",,,,,,,,,,," << cell{ row.after.cores }
              << ',' << us[0] << ',' << us[1] << ',' << us[2] << ',' << us[3] << ','
              << std::endl;
}

void report::add(const link_row& row)
{
    print_titles(LINK_TITLES);
    const double up = row.rate.up > 0 ? row.rate.up / 1e9 : UNKNOWN;
    const double down = row.rate.down > 0 ? row.rate.down / 1e9 : UNKNOWN;
    std::printf("link %-9s %10s  %11zu%s%s\n",
                to_string(row.use),
                row.cards.c_str(),
                row.chunk_bytes / 1024,
                padded(up, 9, 2).c_str(),
                padded(down, 8, 2).c_str());
    std::fflush(stdout);
    if (d_csv.is_open())
        d_csv << "link,,copies " << to_string(row.use) << ' ' << row.cards << ",,,,,,"
              << row.chunk_bytes << ',' << cell{ up } << ',' << cell{ down }
              << ",,,,,,,,,," << std::endl;
}

} // namespace gpufft
} // namespace gr
