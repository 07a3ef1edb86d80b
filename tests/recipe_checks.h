// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of kernels by their recipes share.

#ifndef INCLUDED_GPUFFT_RECIPE_CHECKS_H
#define INCLUDED_GPUFFT_RECIPE_CHECKS_H

#include "engine/host/host_plan.h"
#include "recipe_case.h"
#include "reference_dft.h"

#include <cctype>
#include <cmath>
#include <cstring>
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

// Rows as bytes; NaN where nothing was written.
inline std::vector<std::uint8_t> run(const recipe_case& each,
                                     const std::vector<std::uint8_t>& input,
                                     const std::vector<float>& window,
                                     std::size_t frames,
                                     thread_order order)
{
    host_plan plan(each.what, each.how);
    plan.set_order(order);
    if (each.what.window)
        plan.set_window(window);
    const std::size_t bins =
        (plan.output_rows(frames) - 1) * each.what.effective_output_distance() +
        each.what.output_span();
    std::vector<std::uint8_t> output(bins * each.what.output_item_bytes(), 0xff);
    plan.execute(input.data(), output.data(), frames);
    return output;
}

// Random frames against double precision, with the threads in both orders.
inline void
expect_agreement(const recipe_case& each, std::size_t frames, double error_factor = 1.0)
{
    const std::size_t samples =
        (frames - 1) * each.what.effective_hop() + each.what.input_span();
    const std::vector<std::uint8_t> input = random_samples(each.what, samples);
    const std::vector<float> window = random_window(each.what.window_numbers());
    const std::vector<spectrum> expected =
        reference_rows(each.what, input, window, frames);

    const std::vector<std::uint8_t> rising =
        run(each, input, window, frames, thread_order::rising);
    EXPECT_LT(relative_error(each.what, rising.data(), expected),
              error_bound(each.what, error_factor));
    EXPECT_EQ(run(each, input, window, frames, thread_order::falling), rising);
}

} // namespace gpufft
} // namespace gr

#endif
