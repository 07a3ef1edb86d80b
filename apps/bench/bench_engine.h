// SPDX-License-Identifier: GPL-3.0-or-later
//
// What measures the problems: the GPU, where our plans run beside cuFFT and VkFFT, or the
// CPU.

#ifndef INCLUDED_GPUFFT_BENCH_ENGINE_H
#define INCLUDED_GPUFFT_BENCH_ENGINE_H

#include "problem_lists.h"
#include "timing.h"
#include <exception>
#include <gnuradio/gpufft/plan.h>
#include <memory>

namespace gr {
namespace gpufft {

constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();

struct bench_settings {
    int runs = 30;
    int device = 0;
    int threads = 1; // of the cpu engine
    planning_effort effort = planning_effort::estimate;
    bool cufft = true;  // time it if it is there
    bool vkfft = true;  // time it if it was built in
    bool wisdom = true; // take recipes that were measured, where there are some
    bool plans = false; // time the making of plans, the first without stored kernels
};

// Memory of a problem's input and output, gaps included.
std::size_t input_bytes(const problem& what);
std::size_t output_bytes(const problem& what);

// What was found out about one problem; NaN is unknown.
struct measurement {
    bench_case what;
    timing ours, cufft, vkfft;
    double ours_error = MISSING, cufft_error = MISSING, vkfft_error = MISSING;
    double cold_ms = MISSING, warm_ms = MISSING; // of plan::make
    std::size_t scratch_bytes = 0;
    std::string recipe_text;
    std::string recipe_from; // "wisdom" or "estimate"; empty: by neither
    bool has_failed = false; // ours

    // Compulsory traffic: every sample read once, every bin written once.
    double bytes() const;
    // Share of the copy rate (GB/s) that a time stands for.
    double efficiency(const timing& time, double copy_rate) const;
    // Time of the better peer over ours.
    double ratio() const;
    double gflops() const; // ours: 5 n log2 n a transform, 2.5 of the real ones
};

class bench_engine
{
public:
    virtual ~bench_engine() = default;

    // Short name of the card in lower case, e.g. "h200", or "cpu".
    virtual std::string card() const = 0;
    // Lines that begin with #: card, driver, libraries.
    virtual std::string head() const = 0;

    // Whatever can be made ready beforehand, in parallel.
    virtual void prepare(const std::vector<bench_case>& cases) = 0;
    // Bytes read and written a second by a copy, in GB/s; text receives how.
    virtual double measure_copy_rate(std::string& text) = 0;
    // Never throws for a library that fails: that leaves a gap and a line on stderr, and
    // if it is ours, has_failed.
    virtual measurement measure(const bench_case& what) = 0;
};

// Throws cuda_error if there is no GPU.
std::unique_ptr<bench_engine> make_gpu_bench(const bench_settings& settings);
std::unique_ptr<bench_engine> make_cpu_bench(const bench_settings& settings);

// Throws std::runtime_error for a relative error of ours that no rounding explains. Of a
// problem that has a reference.
void check_error(const problem& what, double error);

// One line on stderr: a problem that a library did not do, and why.
void report_failure(const bench_case& what,
                    const char* library,
                    const std::exception& error);

} // namespace gpufft
} // namespace gr

#endif
