// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of kernels by their recipes share.

#ifndef INCLUDED_GPUFFT_RECIPE_CHECKS_H
#define INCLUDED_GPUFFT_RECIPE_CHECKS_H

#include "host/host_plan.h"
#include "placed_bytes.h"
#include "problem/saturation.h"
#include "recipe_case.h"
#include "reference_dft.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

// As the name of a test.
inline std::string with_letters_only(std::string name)
{
    for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter)))
            letter = '_';
    return name;
}

// Where samples and rows lie, in bytes from a multiple of 16.
struct run_offsets {
    std::size_t input = 0, output = 0;
};

// All that samples and bins of these sizes can have: each of either, not each pair.
inline std::vector<run_offsets> all_offsets(const problem& what)
{
    std::vector<run_offsets> offsets;
    const std::size_t in = what.input_item_bytes(), out = what.output_item_bytes();
    for (std::size_t i = 0; i < 16 / std::min(in, out); ++i)
        offsets.push_back({ i * in % 16, (i * out + 16 - out) % 16 });
    return offsets;
}

// Rows as bytes; NaN where nothing was written.
inline std::vector<std::uint8_t> run(const recipe_case& each,
                                     const std::vector<std::uint8_t>& input,
                                     const std::vector<float>& window,
                                     std::size_t frames,
                                     thread_order order,
                                     run_offsets offsets = {},
                                     std::uint64_t* saturated = nullptr)
{
    host_plan plan(each.what, each.how);
    plan.set_order(order);
    if (each.what.window)
        plan.set_window(window);
    const std::size_t bins =
        (plan.output_rows(frames) - 1) * each.what.effective_output_distance() +
        each.what.output_span();
    std::vector<std::uint8_t> output(bins * each.what.output_item_bytes(), 0xff);
    placed_bytes from(input.size(), offsets.input), to(output.size(), offsets.output);
    std::copy(input.begin(), input.end(), from.data());
    std::copy(output.begin(), output.end(), to.data());
    plan.execute(from.data(), to.data(), frames);
    std::copy_n(to.data(), output.size(), output.begin());
    if (saturated != nullptr)
        *saturated = plan.saturated();
    return output;
}

// Random frames against double precision, with the threads in both orders, in the
// second one with samples and rows at an offset, which the problem's name decides.
inline void
expect_agreement(const recipe_case& each, std::size_t frames, double error_factor = 1.0)
{
    const std::size_t samples =
        (frames - 1) * each.what.effective_hop() + each.what.input_span();
    const std::vector<std::uint8_t> input = random_samples(each.what, samples);
    const std::vector<float> window = random_window(each.what.window_numbers());
    const std::vector<spectrum> expected =
        reference_rows(each.what, input, window, frames);

    std::uint64_t saturated = 0;
    const std::vector<std::uint8_t> rising =
        run(each, input, window, frames, thread_order::rising, {}, &saturated);
    EXPECT_LT(relative_error(each.what, rising.data(), expected),
              error_bound(each.what, error_factor));
    if (counts_saturated(each.what)) {
        const auto [least, most] = saturated_range(each.what, expected);
        EXPECT_GE(saturated, least);
        EXPECT_LE(saturated, most);
    } else {
        EXPECT_EQ(saturated, 0u);
    }
    const std::vector<run_offsets> offsets = all_offsets(each.what);
    const std::string name = each.what.to_string() + each.how.to_string();
    const run_offsets there = offsets[std::hash<std::string>()(name) % offsets.size()];
    EXPECT_EQ(run(each, input, window, frames, thread_order::falling, there), rising)
        << "input + " << there.input << " bytes, output + " << there.output;
}

// The same bits wherever samples and rows lie.
inline void expect_same_at_any_offset(const recipe_case& each, std::size_t frames)
{
    const std::vector<std::uint8_t> input = random_samples(
        each.what, (frames - 1) * each.what.effective_hop() + each.what.input_span());
    const std::vector<float> window = random_window(each.what.window_numbers());
    const std::vector<std::uint8_t> expected =
        run(each, input, window, frames, thread_order::rising);
    for (const run_offsets& there : all_offsets(each.what))
        EXPECT_EQ(run(each, input, window, frames, thread_order::rising, there), expected)
            << each.what.to_string() << ", input + " << there.input << " bytes, output + "
            << there.output;
}

// Whether a frame has other bits in a call of its own than among others.
inline bool differs_between_calls(const recipe_case& each, std::size_t frames)
{
    const problem& what = each.what;
    const std::size_t hop = what.effective_hop() * what.input_item_bytes(),
                      distance =
                          what.effective_output_distance() * what.output_item_bytes();
    const std::vector<std::uint8_t> input =
        random_samples(what, (frames - 1) * what.effective_hop() + what.input_span());
    const std::vector<float> window = random_window(what.window_numbers());
    const std::vector<std::uint8_t> all =
        run(each, input, window, frames, thread_order::rising);
    for (std::size_t i = 0; i < frames; ++i) {
        const auto first = input.begin() + i * hop;
        const std::vector<std::uint8_t> row =
            run(each,
                { first, first + what.input_span() * what.input_item_bytes() },
                window,
                1,
                thread_order::rising);
        if (!std::equal(row.begin(), row.end(), all.begin() + i * distance))
            return true;
    }
    return false;
}

} // namespace gpufft
} // namespace gr

#endif
