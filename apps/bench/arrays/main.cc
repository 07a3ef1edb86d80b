// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpufft-bench-arrays: times transforms of arrays in host memory, larger than a card or
// not, beside FFTW on all cores and beside what the link allows.

#include "array_run.h"
#include "option_values.h"
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
  --csv FILE         also writes the results there
  --commit TEXT      for the head of the CSV (default: the commit it was built from)

bound_ms is the time of two copies of the frame there and back, in both directions at
once, at the rate that is measured first.
)";

struct command_line {
    array_settings arrays;
    std::vector<std::string> problems;
    std::string csv, commit = GPUFFT_COMMIT, text = "gpufft-bench-arrays";
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

constexpr const char* TITLES = "problem,engine,place,ms,registered_ms,bound_ms,"
                               "share_of_bound,fftw_ms,times_fftw,difference_to_fftw";

void run(const command_line& line)
{
    std::vector<async_device::sptr> devices;
    std::ostringstream head;
    link_rates link;
    if (line.arrays.plans.engine != engine_kind::cpu) {
        const std::vector<int>& asked = line.arrays.plans.devices;
        for (const int each : asked.empty() ? std::vector<int>{ 0 } : asked)
            devices.push_back(make_cuda_device(each));
        link = measure_link(devices);
    }
    for (const async_device::sptr& each : devices)
        head << "# card: " << each->name() << "\n";
    head << "# cores: " << std::thread::hardware_concurrency()
         << "\n# commit: " << line.commit << "\n# command: " << line.text << "\n";
    if (!devices.empty())
        head << "# link: " << link.up << " GB/s up, " << link.down << " down, "
             << link.both << " each way at once, pinned memory, all cards together\n";
    std::printf("%s%s\n", head.str().c_str(), TITLES);
    std::string rows, descriptions;
    for (const std::string& text : line.problems) {
        const array_row row =
            measure_array(problem::from_string(text), line.arrays, devices, link);
        rows += csv_row(row) + "\n";
        descriptions += "# " + row.description + "\n";
        std::printf("%s\n# %s\n", csv_row(row).c_str(), row.description.c_str());
        std::fflush(stdout);
    }
    if (line.csv.empty())
        return;
    std::ofstream file(line.csv);
    if (!(file << head.str() << descriptions << TITLES << "\n" << rows).flush())
        throw std::runtime_error("cannot write " + line.csv);
    std::printf("written: %s\n", line.csv.c_str());
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
