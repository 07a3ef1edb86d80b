// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC's report on the kernels of a problem.

#ifndef INCLUDED_GPUFFT_KERNEL_REPORT_H
#define INCLUDED_GPUFFT_KERNEL_REPORT_H

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "planner/planner.h"
#include "ptx_alignment.h"
#include "ptx_reads.h"

#include <gtest/gtest.h>
#include <regex>

namespace gr {
namespace gpufft {

// Every address that the kernel computes is a multiple of what it moves there (real rows
// are moved by pairs where is_aligned() says so when the kernel runs), no block of a
// cluster lets others write to shared memory that it still reads, and the kernel waits
// for the stream's previous one.
inline void expect_sound(const compiler_report& report, const std::string& expression)
{
    const bool in_samples = expression.find("real_input<") == std::string::npos &&
                            expression.find("real_output<") == std::string::npos;
    const bool has_row_tile =
        expression.find("real_kernel<") != std::string::npos &&
        expression.find(", true>", expression.size() - 7) != std::string::npos;
    const bool has_table = expression.find("_streams_") != std::string::npos ||
                           expression.find("streams_to_") != std::string::npos;
    if (!has_table) { // of addresses, which the PTX cannot show
        EXPECT_EQ(unaligned_accesses(report.ptx, in_samples, in_samples || !has_row_tile),
                  std::vector<std::string>())
            << expression;
    }
    EXPECT_EQ(arrivals_before_reads_end(report.ptx), std::vector<std::string>())
        << expression;
    const std::size_t waits = report.ptx.find("griddepcontrol.wait");
    const std::size_t loads = report.ptx.find("ld.global");
    const bool can_wait = report.ptx.find(".target sm_7") == std::string::npos &&
                          report.ptx.find(".target sm_8") == std::string::npos;
    EXPECT_TRUE(!can_wait || waits < std::min(loads, report.ptx.size())) << expression;
}

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
        compiler_report report;
        std::vector<std::string> options = precision_options(kernel);
        options.push_back("--ptxas-options=-v");
        ASSERT_NO_THROW(compile_kernel(
            kernel.header, kernel.expression(), architecture, options, &report))
            << kernel.expression();
        expect_sound(report, kernel.expression());
        std::smatch spills;
        ASSERT_TRUE(std::regex_search(
            report.messages, spills, std::regex("(\\d+) bytes spill stores")))
            << report.messages;
        EXPECT_LE(std::stoi(spills[1]), MAX_SPILL_BYTES) << how << "\n"
                                                         << kernel.expression() << "\n"
                                                         << report.messages;
    }
}

} // namespace gpufft
} // namespace gr
#endif

#endif
