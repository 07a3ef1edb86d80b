// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times the CPU ladder (cpu_ladder.h) for n = 16 ... 262144 and writes one CSV row for
// each step and length, with its error against FFTW in double precision.
//   bench_cpu_ladder [--csv FILE] [--longest N] [--longest-naive N] [--commit TEXT]

#include "cpu_ladder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fftw3.h>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace gr::gpufft;

namespace {

typedef std::vector<std::complex<float>> vector32;
typedef std::vector<std::complex<double>> vector64;

constexpr double RUN_SECONDS = 2e-3; // of one timed run; short transforms are repeated
constexpr int RUNS = 31;
constexpr double LONG_SECONDS = 1; // a transform longer than that is timed three times

struct options {
    std::string csv, commit = GPUFFT_COMMIT;
    std::size_t longest = 262144,
                longest_naive = 32768; // the naive sum takes minutes beyond
};

struct row {
    std::string step;
    std::size_t n;
    double median, least, most; // ms
    double error;               // relative L2
};

vector32 random_points(std::size_t n)
{
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    vector32 x(n);
    for (auto& value : x)
        value = { uniform(generator), uniform(generator) };
    return x;
}

vector64 reference(const vector32& x)
{
    vector64 X(x.begin(), x.end());
    auto* data = reinterpret_cast<fftw_complex*>(X.data());
    fftw_plan plan =
        fftw_plan_dft_1d(int(X.size()), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return X;
}

double relative_error(const vector32& actual, const vector64& expected)
{
    double difference = 0, total = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        difference += std::norm(std::complex<double>(actual[k]) - expected[k]);
        total += std::norm(expected[k]);
    }
    return std::sqrt(difference / total);
}

// 2^-24 sqrt(log2 n). The naive sum adds n terms one after the other: sqrt(n).
double error_bound(const cpu_step& step, std::size_t n)
{
    const double growth = step.quadratic ? std::sqrt(double(n)) : std::sqrt(std::log2(n));
    return std::ldexp(growth, -24);
}

template <class F>
double seconds(const F& function)
{
    const auto start = std::chrono::steady_clock::now();
    function();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(end - start).count();
}

row time_step(const cpu_step& step, const vector32& x, const vector64& expected)
{
    const std::size_t n = x.size();
    const cpu_transform transform = step.plan(n);
    vector32 X(n);
    const double once = seconds([&] { transform(x.data(), X.data()); }); // warm-up
    const double error = relative_error(X, expected);
    if (!(error <= error_bound(step, n)))
        throw std::runtime_error(step.name + " of " + std::to_string(n) +
                                 " points: error " + std::to_string(error));
    const int repeats = std::max(1, int(RUN_SECONDS / std::max(once, 1e-8)));
    const int runs = once > LONG_SECONDS ? 3 : RUNS;
    std::vector<double> times;
    for (int run = 0; run < runs; ++run)
        times.push_back(1e3 / repeats * seconds([&] {
                            for (int i = 0; i < repeats; ++i)
                                transform(x.data(), X.data());
                        }));
    std::sort(times.begin(), times.end());
    return { step.name, n, times[times.size() / 2], times.front(), times.back(), error };
}

std::string cpu_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string head(const options& chosen, const std::string& command)
{
    std::ostringstream text;
    text << "# cpu: " << cpu_name() << ", " << std::thread::hardware_concurrency()
         << " cores, one used\n";
    double load = 0;
    if (getloadavg(&load, 1) == 1)
        text << "# load: " << load << " processes ran before (mean of a minute)\n";
    text << "# " << fftwf_version << ", compiler " << __VERSION__ << "\n"
         << "# commit: " << chosen.commit << "\n"
         << "# command: " << command << "\n"
         << "# single precision; median of " << RUNS << " runs (3 above " << LONG_SECONDS
         << " s); gflops = 5 n log2 n / time; errors are relative L2\n";
    return text.str();
}

std::string csv_line(const row& r)
{
    const double gflops = 5.0 * r.n * std::log2(r.n) / (1e6 * r.median);
    char line[200];
    std::snprintf(line,
                  sizeof line,
                  "%s,%zu,%.6g,%.6g,%.6g,%.4g,%.3g\n",
                  r.step.c_str(),
                  r.n,
                  r.median,
                  r.least,
                  r.most,
                  gflops,
                  r.error);
    return line;
}

options read_options(int count, char** words)
{
    options chosen;
    for (int i = 1; i < count; i += 2) {
        const std::string name = words[i];
        if (i + 1 == count)
            throw std::invalid_argument(name + " needs a value");
        const std::string value = words[i + 1];
        if (name == "--csv")
            chosen.csv = value;
        else if (name == "--longest")
            chosen.longest = std::stoul(value);
        else if (name == "--longest-naive")
            chosen.longest_naive = std::stoul(value);
        else if (name == "--commit")
            chosen.commit = value;
        else
            throw std::invalid_argument("unknown option " + name);
    }
    return chosen;
}

void run(const options& chosen, const std::string& command)
{
    const std::string titles = "step,n,ms,min_ms,max_ms,gflops,error\n";
    std::string text = head(chosen, command) + titles;
    std::cout << text << std::flush;
    for (std::size_t n = 16; n <= chosen.longest; n *= 2) {
        const vector32 x = random_points(n);
        const vector64 expected = reference(x);
        for (const cpu_step& step : cpu_ladder()) {
            if (step.quadratic && n > chosen.longest_naive)
                continue;
            const std::string line = csv_line(time_step(step, x, expected));
            std::cout << line << std::flush;
            text += line;
        }
    }
    if (chosen.csv.empty())
        return;
    std::ofstream file(chosen.csv);
    if (!(file << text).flush())
        throw std::runtime_error("cannot write " + chosen.csv);
}

} // namespace

int main(int count, char** words)
{
    std::string command = "bench_cpu_ladder";
    for (int i = 1; i < count; ++i)
        command += std::string(" ") + words[i];
    try {
        run(read_options(count, words), command);
    } catch (const std::exception& error) {
        std::cerr << "bench_cpu_ladder: " << error.what() << "\n";
        return 1;
    }
}
