// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpufft-bench-arrays: times transforms of arrays in host memory, larger than a card or
// not, beside FFTW on all cores and beside what the link allows; or of arrays in parts on
// several cards, beside cuFFT and beside what their memory and links allow.

#include "array_run.h"
#include "card_run.h"
#include "option_values.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gnuradio/gpufft/engine.h>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace gr::gpufft;

namespace {

const char* const USAGE = R"(gpufft-bench-arrays [OPTIONS] PROBLEM...
Times one frame in host memory on the GPUs, beside FFTW with all cores.

  PROBLEM            e.g. c2c_forward_n4294967296_b1, c2c_forward_n65536x65536_b1
  --engine NAME      cuda (default) or cpu
  --devices D        GPUs that compute each transform together, e.g. 0,1 (default 0)
  --device-memory B  bytes of a GPU's memory to count with (default: all)
  --in-place         the output overwrites the input
  --runs R           timed runs (default 3)
  --threads T        of FFTW and of the cpu engine (default 0: one for each core)
  --no-fftw          leaves FFTW out
  --on-cards         arrays in parts on the GPUs of --devices (default 0,1), beside cuFFT's
                     transforms on several GPUs
  --transposed       with --on-cards: bins split along the second axis, as cuFFT's are
  --no-cufft         leaves cuFFT out
  --csv FILE         also writes the results there
  --commit TEXT      for the head of the CSV (default: the commit it was built from)

bound_ms is the time of two copies of the frame there and back, in both directions at
once, at the rate that is measured first. With --on-cards it is the longer one of link_ms,
the time in which each GPU can send what it must (two exchanges of several axes, one if
--transposed, three of one axis) at the rate of rows that lie apart, and memory_ms, that of
two sweeps which read and write all points; cufft_ms is in cuFFT's own order,
cufft_natural_ms with its copy to natural order, which ours has. difference_to_cufft is nan
where the GPUs have unequal shares of the frame, which cuFFT may split otherwise.
)";

struct command_line {
    array_settings arrays;
    std::vector<std::string> problems;
    std::string csv, commit = GPUFFT_COMMIT, text = "gpufft-bench-arrays";
    bool on_cards = false;
};

void read_option(const std::string& option, const std::string& value, command_line& line)
{
    if (option == "--engine") {
        line.arrays.plans.engine = engine_from_string(value);
    } else if (option == "--devices") {
        std::istringstream list(value);
        for (std::string each; std::getline(list, each, ',');)
            line.arrays.plans.devices.push_back(
                static_cast<int>(to_number(option, each, 0, 1023)));
    } else if (option == "--device-memory") {
        line.arrays.plans.device_memory =
            to_number(option, value, 0, std::numeric_limits<std::size_t>::max());
    } else if (option == "--runs") {
        line.arrays.runs = static_cast<int>(to_number(option, value, 1, 100000));
    } else if (option == "--threads") {
        line.arrays.threads = static_cast<int>(to_number(option, value, 0, 1024));
    } else if (option == "--csv") {
        line.csv = value;
    } else if (option == "--commit") {
        line.commit = value;
    } else {
        throw std::invalid_argument("unknown option " + option +
                                    " (see gpufft-bench-arrays --help)");
    }
}

command_line read_arguments(int argc, char** argv)
{
    command_line line;
    line.arrays.plans.engine = engine_kind::cuda;
    line.arrays.threads = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        line.text += " " + word;
        if (word.rfind("--", 0) != 0) {
            line.problems.push_back(word);
        } else if (word == "--in-place") {
            line.arrays.in_place = true;
        } else if (word == "--no-fftw") {
            line.arrays.fftw = false;
        } else if (word == "--no-cufft") {
            line.arrays.cufft = false;
        } else if (word == "--transposed") {
            line.arrays.plans.transposed = true;
        } else if (word == "--on-cards") {
            line.on_cards = true;
        } else {
            if (i + 1 == argc)
                throw std::invalid_argument(
                    word + " needs a value (see gpufft-bench-arrays --help)");
            line.text += " " + std::string(argv[i + 1]);
            read_option(word, argv[++i], line);
        }
    }
    if (line.problems.empty())
        throw std::invalid_argument("no problem to time: name one, e.g. "
                                    "c2c_forward_n4294967296_b1");
    std::vector<int>& devices = line.arrays.plans.devices;
    if (line.on_cards && devices.empty())
        devices = { 0, 1 };
    if (line.on_cards &&
        (devices.size() < 2 || line.arrays.plans.engine != engine_kind::cuda))
        throw std::invalid_argument(
            "--on-cards needs --engine cuda and two or more --devices, e.g. 0,1");
    if (line.arrays.plans.transposed && !line.on_cards)
        throw std::invalid_argument("--transposed is for --on-cards only");
    if (line.arrays.threads == 0)
        line.arrays.threads = static_cast<int>(std::thread::hardware_concurrency());
    line.arrays.plans.threads = line.arrays.threads;
    return line;
}

std::string csv_row(const array_row& row)
{
    std::ostringstream text;
    text << row.problem << "," << row.engine << "," << (row.in_place ? "in" : "out")
         << "," << row.plain.median << "," << row.registered.median << "," << row.bound_ms
         << "," << row.bound_ms / row.registered.median << "," << row.fftw.median << ","
         << row.fftw.median / row.plain.median << "," << row.error;
    return text.str();
}

std::string csv_row(const card_row& row)
{
    const double bound = std::max(row.link_ms, row.memory_ms);
    std::ostringstream text;
    text << row.problem << "," << (row.in_place ? "in" : "out") << "," << row.ours.median
         << "," << row.ours.least << "," << row.link_ms << "," << row.memory_ms << ","
         << bound << "," << bound / row.ours.median << "," << row.cufft.median << ","
         << row.cufft_natural.median << "," << row.cufft.median / row.ours.median << ","
         << row.cufft_natural.median / row.ours.median << "," << row.difference;
    return text.str();
}

constexpr const char* TITLES = "problem,engine,place,ms,registered_ms,bound_ms,"
                               "share_of_bound,fftw_ms,times_fftw,difference_to_fftw";
constexpr const char* CARD_TITLES =
    "problem,place,ms,least_ms,link_ms,memory_ms,bound_ms,share_of_bound,cufft_ms,"
    "cufft_natural_ms,times_cufft,times_cufft_natural,difference_to_cufft";

// Lines of CSV, and what is said about them.
struct lines {
    std::string rows, comments;
    bool has_failed = false;
};

// On cards a problem that fails, e.g. for want of memory, leaves the others to be
// measured.
lines measure_one_on_cards(const problem& what,
                           const array_settings& settings,
                           const std::vector<async_device::sptr>& devices,
                           const peer_rates& rates)
{
    try {
        const card_row row = measure_on_cards(what, settings, devices, rates);
        const std::string reason =
            row.cufft_reason.empty() ? "" : "# cuFFT: " + row.cufft_reason + "\n";
        return { csv_row(row), "# " + row.description + "\n" + reason, false };
    } catch (const std::exception& error) {
        return { "", "# " + what.to_string() + " failed: " + error.what() + "\n", true };
    }
}

// Measures each problem: `measure` gives its line, or none, and comments.
template <class Measure>
lines measure_all(const command_line& line, const Measure& measure)
{
    lines all;
    for (const std::string& text : line.problems) {
        const lines now = measure(problem::from_string(text));
        const std::string row = now.rows.empty() ? "" : now.rows + "\n";
        all.rows += row;
        all.comments += now.comments;
        all.has_failed |= now.has_failed;
        std::printf("%s%s", row.c_str(), now.comments.c_str());
        std::fflush(stdout);
    }
    return all;
}

void run(const command_line& line)
{
    std::vector<async_device::sptr> devices;
    std::ostringstream head;
    if (line.arrays.plans.engine != engine_kind::cpu) {
        const std::vector<int>& asked = line.arrays.plans.devices;
        for (const int each : asked.empty() ? std::vector<int>{ 0 } : asked)
            devices.push_back(make_cuda_device(each));
    }
    for (const async_device::sptr& each : devices)
        head << "# card: " << each->name() << "\n";
    head << "# cores: " << std::thread::hardware_concurrency()
         << "\n# commit: " << line.commit << "\n# command: " << line.text << "\n";
    link_rates link;
    peer_rates peers;
    if (line.on_cards) {
        peers = measure_peers(devices);
        head << "# link: each card sends " << peers.peer
             << " GB/s to the next one while it receives as much, " << peers.rows
             << " in rows of 8 KiB that lie apart, " << peers.fetched
             << " in such rows that it fetches\n# memory: copies within a card read and "
                "write "
             << peers.memory << " GB/s, " << peers.memory_rows << " in such rows\n";
    } else if (!devices.empty()) {
        link = measure_link(devices);
        head << "# link: " << link.up << " GB/s up, " << link.down << " down, "
             << link.both << " each way at once, pinned memory, all cards together\n";
    }
    const char* const titles = line.on_cards ? CARD_TITLES : TITLES;
    std::printf("%s%s\n", head.str().c_str(), titles);
    std::fflush(stdout);
    const lines all = measure_all(line, [&](const problem& what) -> lines {
        if (line.on_cards)
            return measure_one_on_cards(what, line.arrays, devices, peers);
        const array_row row = measure_array(what, line.arrays, devices, link);
        return { csv_row(row), "# " + row.description + "\n", false };
    });
    const auto end = [&] {
        if (all.has_failed)
            throw std::runtime_error("not all problems were measured, see above");
    };
    if (line.csv.empty())
        return end();
    std::ofstream file(line.csv);
    if (!(file << head.str() << all.comments << titles << "\n" << all.rows).flush())
        throw std::runtime_error("cannot write " + line.csv);
    std::printf("written: %s\n", line.csv.c_str());
    end();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        for (int i = 1; i < argc; ++i)
            if (std::string(argv[i]) == "--help") {
                std::printf("%s", USAGE);
                return 0;
            }
        run(read_arguments(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "gpufft-bench-arrays: %s\n", error.what());
        return 2;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "gpufft-bench-arrays: out of memory: take a shorter one\n");
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpufft-bench-arrays: %s\n", error.what());
        return 1;
    }
    return 0;
}
