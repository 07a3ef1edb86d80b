// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans of the cuda engine held against the reference in double precision.

#ifndef INCLUDED_GPUFFT_CUDA_CHECKS_H
#define INCLUDED_GPUFFT_CUDA_CHECKS_H

#include "planner/planner.h"
#include "reference_dft.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gr {
namespace gpufft {

inline const plan_options ON_GPU = [] {
    plan_options options;
    options.engine = engine_kind::cuda;
    return options;
}();

inline std::size_t row_floats(const problem& what)
{
    return what.row_bins() * what.output_item_bytes() / sizeof(float);
}

// Rows of `frames` frames in calls of `call` frames each. What is not written reads as
// NaN; what is written past the rows is an error.
inline std::vector<float> run(plan& plan,
                              const std::vector<std::uint8_t>& input,
                              std::size_t frames,
                              std::size_t call)
{
    const problem& what = plan.what();
    const std::size_t guard = 1000;
    std::vector<float> output;
    for (std::size_t f = 0; f < frames; f += call) {
        const std::size_t now = std::min(call, frames - f);
        const std::size_t floats = plan.output_rows(now) * row_floats(what);
        std::vector<float> part(floats + guard, NAN);
        plan.execute(input.data() + f * what.effective_hop() * what.input_item_bytes(),
                     part.data(),
                     now);
        for (std::size_t i = floats; i < part.size(); ++i)
            EXPECT_TRUE(std::isnan(part[i]))
                << what.to_string() << " wrote past its rows";
        output.insert(output.end(), part.begin(), part.begin() + floats);
    }
    return output;
}

// By the length of the complex transform that computes it.
inline double error_factor_of(const problem& what)
{
    problem computed = what;
    if (what.kind != transform_kind::c2c && what.lengths.empty())
        computed.n = make_recipe(what).n;
    return kernel_error_factor(computed);
}

// "" if all rows together keep the bound and none alone is far off, else what is wrong.
inline std::string compare(const problem& what,
                           const std::vector<float>& output,
                           const std::vector<spectrum>& expected)
{
    const std::size_t row = row_floats(what);
    if (output.size() != expected.size() * row)
        return what.to_string() + " gave " + std::to_string(output.size() / row) +
               " rows, not " + std::to_string(expected.size());
    const double bound = error_bound(what, error_factor_of(what));
    const auto in_eps = [&](double x) {
        return std::to_string(std::ldexp(x, what.is_double() ? 53 : 24)) + " eps";
    };
    // A single value of a filter may be near zero: runs of them are held to the bound.
    const std::size_t run = what.kind == transform_kind::filter ? 64 : 1;
    for (std::size_t r = 0; r < expected.size(); r += run) {
        const float* bins = output.data() + r * row;
        const std::vector<spectrum> rows(
            expected.begin() + r, expected.begin() + std::min(r + run, expected.size()));
        const double error = relative_error(what, bins, rows);
        if (!(error <= 4 * bound)) // a single short row may be off by more than the mean
            return what.to_string() + ": row " + std::to_string(r) + " of " +
                   std::to_string(expected.size()) + " has error " + in_eps(error) +
                   ", first float " + std::to_string(bins[0]) + ", expected " +
                   std::to_string(expected[r][0].real());
    }
    const double error = relative_error(what, output.data(), expected);
    if (!(error <= bound))
        return what.to_string() + " has error " + in_eps(error) + ", allowed are " +
               in_eps(bound);
    return "";
}

// Makes a plan and compares `frames` frames in calls of `call` with the reference.
inline std::string check(const problem& what, std::size_t frames, std::size_t call)
{
    std::string described;
    try {
        const plan::uptr plan = plan::make(what, ON_GPU);
        described = plan->describe();
        const std::vector<float> window = random_window(what.window_numbers());
        if (what.window)
            plan->set_window(window);
        const std::vector<std::uint8_t> input =
            random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
        const std::string fault = compare(what,
                                          run(*plan, input, frames, call),
                                          reference_rows(what, input, window, frames));
        return fault.empty() ? "" : fault + "\n    " + described;
    } catch (const std::exception& error) {
        return what.to_string() + ": " + error.what() + "\n    " + described;
    }
}

// check()s many problems, each with its own plan, in several threads at once.
inline void
check_all(const std::vector<problem>& problems, std::size_t frames, std::size_t call)
{
    std::atomic<std::size_t> next{ 0 };
    std::mutex mutex;
    std::vector<std::string> faults;
    const auto work = [&] {
        for (std::size_t i = next++; i < problems.size(); i = next++) {
            const std::string fault = check(problems[i], frames, call);
            const std::lock_guard<std::mutex> lock(mutex);
            if (!fault.empty())
                faults.push_back(fault);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::clamp(std::thread::hardware_concurrency(), 1u, 8u); ++t)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& fault : faults)
        ADD_FAILURE() << fault;
    std::printf("    %zu problems\n", problems.size());
}

} // namespace gpufft
} // namespace gr

#endif
