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

inline std::vector<float> run(const recipe_case& each,
                              const std::vector<std::uint8_t>& input,
                              const std::vector<float>& window,
                              std::size_t frames,
                              thread_order order)
{
    host_plan plan(each.what, each.how);
    plan.set_order(order);
    if (each.what.window)
        plan.set_window(window);
    std::vector<float> output(
        frames * each.what.n * each.what.output_item_bytes() / sizeof(float), NAN);
    plan.execute(input.data(), output.data(), frames);
    return output;
}

// Random frames against double precision, with the threads in both orders.
inline void expect_agreement(const recipe_case& each, std::size_t frames)
{
    const std::size_t samples = (frames - 1) * each.what.effective_hop() + each.what.n;
    const std::vector<std::uint8_t> input = random_samples(each.what, samples);
    const std::vector<float> window = random_window(each.what.n);
    const std::vector<spectrum> expected =
        reference_rows(each.what, input, window, frames);

    const std::vector<float> rising =
        run(each, input, window, frames, thread_order::rising);
    EXPECT_LT(relative_error(each.what, rising.data(), expected), error_bound(each.what));
    const std::vector<float> falling =
        run(each, input, window, frames, thread_order::falling);
    EXPECT_EQ(std::memcmp(rising.data(), falling.data(), rising.size() * 4), 0);
}

} // namespace gpufft
} // namespace gr

#endif
