// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC's report on the kernels of a problem.

#ifndef INCLUDED_GPUFFT_KERNEL_REPORT_H
#define INCLUDED_GPUFFT_KERNEL_REPORT_H

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "plan/planner.h"

#include <gtest/gtest.h>
#include <regex>

namespace gr {
namespace gpufft {

// NVRTC compiles the first `limit` candidates, which keep their data in registers.
inline void expect_no_spills(const problem& what, int architecture, std::size_t limit)
{
    constexpr int MAX_SPILL_BYTES = 96;
    std::vector<std::pair<std::string, kernel_instance>> kernels;
    device_traits card;
    card.architecture = architecture;
    for (const recipe& how : recipe_candidates(what, card, limit))
        for (const launch_step& step : build_program(what, how).steps)
            kernels.emplace_back(how.to_string(), step.kernel);
    for (const auto& [how, kernel] : kernels) {
        std::string log;
        std::vector<std::string> options = precision_options(kernel);
        options.push_back("--ptxas-options=-v");
        ASSERT_NO_THROW(
            compile_kernel(kernel.header, kernel.expression, architecture, options, &log))
            << kernel.expression;
        std::smatch spills;
        ASSERT_TRUE(
            std::regex_search(log, spills, std::regex("(\\d+) bytes spill stores")))
            << log;
        EXPECT_LE(std::stoi(spills[1]), MAX_SPILL_BYTES) << how << "\n"
                                                         << kernel.expression << "\n"
                                                         << log;
    }
}

} // namespace gpufft
} // namespace gr
#endif

#endif
