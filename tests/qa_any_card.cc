// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans for cards that are not here: random problems on every compute capability from 7.5
// on, by its published figures. All kernels fit the card; of some problems NVRTC compiles
// them for it, and they leave room for as many blocks as the planner intended.
// GPUFFT_TEST_PROBLEMS says how many of 500 problems are compiled for each card.

#include "cards.h"
#include "engine/cuda/nvrtc.h"
#include "kernel_report.h"
#include "planner/planner.h"
#include "random_problems.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <regex>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t PROBLEMS = 500, COMPILED = 4;
constexpr std::uint64_t SEED = 20;
constexpr std::size_t ELEMENTS = std::size_t(1) << 27;

class AnyCard : public testing::TestWithParam<device_traits>
{
protected:
    static void expect_fits(const kernel_instance& kernel, const std::string& how)
    {
        const device_traits& card = GetParam();
        EXPECT_LE(kernel.shared_bytes, card.shared_bytes) << how;
        EXPECT_LE(kernel.block_threads, MAX_BLOCK_THREADS) << how;
        EXPECT_TRUE(kernel.cluster == 1 || card.has_clusters()) << how;
        EXPECT_GE(
            blocks_without_registers(kernel.block_threads, kernel.shared_bytes, card), 1)
            << how;
    }

    static int number(const std::string& text, const char* pattern, int otherwise)
    {
        std::smatch found;
        return std::regex_search(text, found, std::regex(pattern)) ? std::stoi(found[1])
                                                                   : otherwise;
    }

    static void expect_compiles(const kernel_instance& kernel, const std::string& how)
    {
        constexpr int MAX_SPILL_BYTES = 96;
        const device_traits& card = GetParam();
        std::vector<std::string> options = precision_options(kernel);
        options.emplace_back("--ptxas-options=-v");
        compiler_report report;
        ASSERT_NO_THROW(compile_kernel(
            kernel.header, kernel.expression(), card.architecture, options, &report))
            << how;
        EXPECT_LE(number(report.messages, "(\\d+) bytes spill stores", -1),
                  MAX_SPILL_BYTES)
            << how << "\n"
            << report.messages;
        const int registers = number(report.messages, "Used (\\d+) registers", 0);
        ASSERT_GT(registers, 0) << report.messages;
        const int intended = number(report.ptx, "\\.minnctapersm (\\d+)", 1);
        const int blocks = std::min(
            blocks_with_registers((registers + 7) / 8 * 8, kernel.block_threads, card),
            blocks_without_registers(kernel.block_threads, kernel.shared_bytes, card));
        EXPECT_GE(blocks, intended) << how << "\n" << kernel.expression();
    }
};

std::size_t compiled_problems()
{
    const char* text = std::getenv("GPUFFT_TEST_PROBLEMS");
    return text != nullptr ? std::strtoul(text, nullptr, 10) : COMPILED;
}

} // namespace

TEST_P(AnyCard, RunsRandomProblems)
{
    const std::vector<bench_case> cases = random_problems(SEED, PROBLEMS, ELEMENTS);
    const std::vector<int>& known = find_nvrtc().architectures;
    const bool compiles =
        std::count(known.begin(), known.end(), GetParam().architecture) > 0;
    const std::size_t every = PROBLEMS / std::max<std::size_t>(compiled_problems(), 1);
    ASSERT_EQ(cases.size(), PROBLEMS);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const problem& what = cases[i].what;
        ASSERT_NO_THROW({
            const recipe how = make_recipe(what, GetParam());
            const std::string text = what.to_string() + ": " + how.to_string();
            for (const launch_step& step : build_program(what, how).steps) {
                expect_fits(step.kernel, text);
                if (compiles && (i + GetParam().architecture) % every == 0)
                    expect_compiles(step.kernel, text);
            }
        }) << what.to_string();
    }
}

INSTANTIATE_TEST_SUITE_P(Capability,
                         AnyCard,
                         testing::ValuesIn(CARDS),
                         [](const auto& info) {
                             return std::to_string(info.param.architecture);
                         });

} // namespace gpufft
} // namespace gr
