// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs problems on the cpu engine from and to memory placed at will, and holds the rows
// against the truth.

#ifndef INCLUDED_GPUFFT_CPU_RUNS_H
#define INCLUDED_GPUFFT_CPU_RUNS_H

#include "placed_bytes.h"
#include "reference_dft.h"

#include <cmath>
#include <cstring>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

inline problem named(const std::string& name) { return problem::from_string(name); }

inline plan::uptr cpu_plan_of(const problem& what, int threads = 1)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    options.threads = threads;
    return plan::make(what, options);
}

// FFTW transforms such factors by convolution, with somewhat more rounding.
inline bool has_large_prime(std::size_t n)
{
    for (std::size_t p : { 2, 3, 5, 7, 11, 13 })
        while (n % p == 0)
            n /= p;
    return n > 1;
}

struct layout {
    std::size_t chunk = 0; // frames a call; 0 is all at once
    std::size_t in_offset = 0, out_offset = 0;
};

// Runs `frames` frames, in calls of how.chunk; floats never written read as NaN. Rows of
// any format are returned as floats, filled up with zeros.
inline std::vector<float> run(plan& executes,
                              const std::vector<std::uint8_t>& input,
                              std::size_t frames,
                              layout how = layout())
{
    const problem& what = executes.what();
    const std::size_t row_bytes = what.row_items() * what.output_item_bytes();
    std::vector<std::uint8_t> output;
    for (std::size_t f = 0; f < frames;) {
        const std::size_t now = std::min(how.chunk ? how.chunk : frames, frames - f);
        const std::size_t in_bytes = what.input_bytes(executes.input_samples(now));
        const std::size_t out_bytes = executes.output_rows(now) * row_bytes;
        placed_bytes in(in_bytes, how.in_offset), out(out_bytes, how.out_offset);
        std::memcpy(in.data(),
                    input.data() + f * what.input_bytes(what.effective_hop()),
                    in_bytes);
        std::memset(out.data(), 0xff, out_bytes);
        EXPECT_EQ(executes.execute(in.data(), out.data(), now) * row_bytes, out_bytes);
        output.insert(output.end(), out.data(), out.data() + out_bytes);
        f += now;
    }
    std::vector<float> rows((output.size() + sizeof(float) - 1) / sizeof(float));
    std::copy(output.begin(), output.end(), reinterpret_cast<std::uint8_t*>(rows.data()));
    return rows;
}

// The rows must have the same bits however many frames a call has, and wherever they lie.
// Returns those of one call.
inline std::vector<float> expect_same_bits(plan& executes,
                                           const std::vector<std::uint8_t>& input,
                                           std::size_t frames)
{
    const layout all;
    std::vector<float> rows;
    for (const layout& how : { all,
                               layout{ 1, 8, 4 },
                               layout{ 3 },
                               layout{ 10, 8, 8 },
                               layout{ 33, 0, 4 } }) {
        executes.reset_average();
        const std::vector<float> now = run(executes, input, frames, how);
        if (rows.empty())
            rows = now;
        EXPECT_EQ(now.size(), rows.size());
        EXPECT_EQ(std::memcmp(now.data(), rows.data(), rows.size() * sizeof(float)), 0)
            << how.chunk << " frames a call, " << executes.describe();
    }
    return rows;
}

// All rows against the truth; decibels to 1e-4 more.
inline void expect_rows(const problem& what,
                        const std::vector<float>& output,
                        const std::vector<spectrum>& expected)
{
    double bound = error_bound(what, has_large_prime(what.n) ? 1.6 : 1.0);
    if (what.output == output_kind::decibel)
        bound += 1e-4 * std::log(10) / 10;
    ASSERT_EQ(output.size() * sizeof(float),
              expected.size() * what.row_bins() * what.output_item_bytes());
    EXPECT_LT(relative_error(what, output.data(), expected), bound);
}

struct test_data {
    test_data(const problem& what, std::size_t frames)
        : input(random_samples(what,
                               (frames - 1) * what.effective_hop() + what.input_span())),
          window(random_window(what.window_numbers())),
          rows(reference_rows(what, input, window, frames))
    {
    }
    std::vector<std::uint8_t> input;
    std::vector<float> window;
    std::vector<spectrum> rows;
};

} // namespace gpufft
} // namespace gr

#endif
