// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of Rader's and Bluestein's algorithms share: the host engine's run of a
// problem against double precision.

#ifndef INCLUDED_GPUFFT_PRIME_CHECKS_H
#define INCLUDED_GPUFFT_PRIME_CHECKS_H

#include "host/host_plan.h"
#include "host_problems.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "reference_dft.h"
#ifdef GPUFFT_HAVE_CUDA
#include "cuda_checks.h"
#endif

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

// Those of host_prime_problems() that name this algorithm.
inline std::vector<problem> problems_of(const std::string& algorithm)
{
    std::vector<problem> problems;
    for (const problem& what : host_prime_problems())
        if (what.algorithm == algorithm)
            problems.push_back(what);
    return problems;
}

// Runs one frame more than a block takes, and as many as two means need, with the threads
// in both orders.
inline std::vector<float> run_on_host(const problem& what,
                                      const recipe& how,
                                      const std::vector<std::uint8_t>& input,
                                      const std::vector<float>& window,
                                      std::size_t frames,
                                      thread_order order)
{
    host_plan plan(what, how);
    plan.set_order(order);
    if (what.window)
        plan.set_window(window);
    std::vector<float> output(
        plan.output_rows(frames) * what.n * what.output_item_bytes() / 4, NAN);
    plan.execute(input.data(), output.data(), frames);
    return output;
}

// Relative error over the bound of DESIGN's factor 1; the orders of the threads must
// agree.
inline double host_error(const problem& what, const recipe& how)
{
    const std::size_t tiles = how.prefetched() ? 6 : 1; // several for each block
    const std::size_t frames =
        std::max<std::size_t>(2 * what.average, tiles * how.shape().transforms + 1);
    const std::vector<std::uint8_t> input =
        random_samples(what, (frames - 1) * what.effective_hop() + what.n);
    const std::vector<float> window = random_window(what.n);
    const std::vector<float> rising =
        run_on_host(what, how, input, window, frames, thread_order::rising);
    const std::vector<float> falling =
        run_on_host(what, how, input, window, frames, thread_order::falling);
    EXPECT_EQ(std::memcmp(rising.data(), falling.data(), rising.size() * 4), 0)
        << what.to_string() << ": a barrier is missing";
    return relative_error(
               what, rising.data(), reference_rows(what, input, window, frames)) /
           error_bound(what);
}

inline double host_error(const problem& what)
{
    return host_error(what, make_recipe(what));
}

inline void expect_cases_agree(const std::string& algorithm)
{
    int count = 0;
    for (const auto& [what, how] : host_prime_cases()) {
        if (how.algorithm != algorithm)
            continue;
        EXPECT_LT(host_error(what, how), 1.6)
            << what.to_string() << ": " << how.to_text();
        ++count;
    }
    EXPECT_GT(count, 0);
}

} // namespace gpufft
} // namespace gr

#endif
