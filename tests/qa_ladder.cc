// SPDX-License-Identifier: GPL-3.0-or-later
//
// The radix-R ladder and the textbook's transforms: which passes a length gets, where
// they read and write, and the kernels themselves on the host engine.

#include "on_host/cuda_on_host.h"

#include "host/host_kernels.h"
#include "host/host_plan.h"
#include "planner/planner.h"
#include "planner/textbook/ladder.h"
#include "reference_dft.h"
#include "textbook/cooley_tukey.cuh"
#include "textbook/ladder.cuh"
#include "textbook/ladder_exchange.cuh"

#include <gtest/gtest.h>

#ifdef GPUFFT_HAVE_CUDA
#include "cuda_checks.h"
#include "engine/cuda/nvrtc.h"
#include "kernel_report.h"
#include <set>
#endif

using namespace gr::gpufft;

namespace gr {
namespace gpufft {
namespace kernels {

// Kernels of the cases below, under the text that the planner gives them.
#define CF32_LOAD load<format_cf32, false, false, false>
#define CF32_STORE store<as_complex, false, false>
#define ADD_LADDER_1000(kind)                                                            \
    add_host_kernel("ladder_kernel<1000, 8, 1, 128, " #kind                              \
                    ", load<format_cf32, false, false, false>, store_pass>",             \
                    ladder_kernel<1000, 8, 1, 128, kind, CF32_LOAD, store_pass>);        \
    add_host_kernel("ladder_kernel<1000, 5, 8, 128, " #kind ", load_pass, store_pass>",  \
                    ladder_kernel<1000, 5, 8, 128, kind, load_pass, store_pass>);        \
    add_host_kernel("ladder_kernel<1000, 5, 40, 128, " #kind ", load_pass, store_pass>", \
                    ladder_kernel<1000, 5, 40, 128, kind, load_pass, store_pass>);       \
    add_host_kernel("ladder_kernel<1000, 5, 200, 128, " #kind                            \
                    ", load_pass, store<as_complex, false, false>>",                     \
                    ladder_kernel<1000, 5, 200, 128, kind, load_pass, CF32_STORE>)
#define ADD_COOLEY_TUKEY(bits, threads)                                                  \
    add_host_kernel("cooley_tukey_kernel<" #bits ", " #threads                           \
                    ", load<format_cf32, false, false, false>"                           \
                    ", store<as_complex, false, false>>",                                \
                    cooley_tukey_kernel<bits, threads, CF32_LOAD, CF32_STORE>)

#define ADD_EXCHANGE(radix, span, from, to, load_type, store_type)                       \
    add_host_kernel("ladder_exchange_kernel<4096, " #radix ", " #span                    \
                    ", 128, computed_twiddles, " from ", " to ">",                       \
                    ladder_exchange_kernel<4096,                                         \
                                           radix,                                        \
                                           span,                                         \
                                           128,                                          \
                                           computed_twiddles,                            \
                                           load_type,                                    \
                                           store_type>)
#define CF32_LOAD_TEXT "load<format_cf32, false, false, false>"
#define CF32_STORE_TEXT "store<as_complex, false, false>"

const bool ADDED = [] {
    ADD_EXCHANGE(8, 1, CF32_LOAD_TEXT, "store_pass", CF32_LOAD, store_pass);
    ADD_EXCHANGE(8, 8, "load_pass", "store_pass", load_pass, store_pass);
    ADD_EXCHANGE(8, 64, "load_pass", "store_pass", load_pass, store_pass);
    add_host_kernel(
        "ladder_kernel<4096, 8, 512, 128, computed_twiddles, load_pass"
        ", " CF32_STORE_TEXT ">",
        ladder_kernel<4096, 8, 512, 128, computed_twiddles, load_pass, CF32_STORE>);
    ADD_EXCHANGE(16, 1, CF32_LOAD_TEXT, "store_pass", CF32_LOAD, store_pass);
    ADD_EXCHANGE(16, 16, "load_pass", "store_pass", load_pass, store_pass);
    add_host_kernel(
        "ladder_kernel<4096, 16, 256, 128, computed_twiddles, load_pass"
        ", " CF32_STORE_TEXT ">",
        ladder_kernel<4096, 16, 256, 128, computed_twiddles, load_pass, CF32_STORE>);

    ADD_LADDER_1000(power_twiddles);
    ADD_LADDER_1000(table_twiddles);
    ADD_LADDER_1000(library_twiddles);
    ADD_LADDER_1000(intrinsic_twiddles);
    ADD_COOLEY_TUKEY(1, 1);
    ADD_COOLEY_TUKEY(6, 32);
    ADD_COOLEY_TUKEY(12, 1024);
    return true;
}();

} // namespace kernels
} // namespace gpufft
} // namespace gr

namespace {

program program_of(const std::string& text)
{
    const problem what = problem::from_string(text);
    return build_program(what, make_recipe(what));
}

// Relative L2 error of 11 frames on the host engine, both orders of threads agreeing.
double error_of(const std::string& text)
{
    const problem what = problem::from_string(text);
    const std::size_t frames = 11;
    const std::vector<std::uint8_t> input = random_samples(what, frames * what.n);
    const auto run = [&](thread_order order) {
        host_plan plan(what, make_recipe(what));
        plan.set_order(order);
        std::vector<float> output(2 * what.n * frames, NAN);
        plan.execute(input.data(), output.data(), frames);
        return output;
    };
    const std::vector<float> output = run(thread_order::rising);
    EXPECT_EQ(output, run(thread_order::falling)) << text;
    return relative_error(what, output.data(), reference_rows(what, input, {}, frames));
}

double bound_of(const std::string& text)
{
    return error_bound(problem::from_string(text));
}

} // namespace

TEST(Ladder, PassesAreOfTheRadixThenOfWhatIsLeft)
{
    typedef std::vector<int> list;
    EXPECT_EQ(ladder_radices(1, 8), list({ 1 }));
    EXPECT_EQ(ladder_radices(8, 8), list({ 8 }));
    EXPECT_EQ(ladder_radices(1 << 24, 32), list({ 32, 32, 32, 32, 16 }));
    EXPECT_EQ(ladder_radices(1 << 5, 4), list({ 4, 4, 2 }));
    EXPECT_EQ(ladder_radices(1000, 8), list({ 8, 5, 5, 5 }));
    EXPECT_EQ(ladder_radices(48000, 16), list({ 16, 15, 10, 10, 2 }));
    EXPECT_EQ(ladder_radices(13 * 11, 2), list({ 13, 11 }));
    EXPECT_EQ(ladder_radices(17, 2), list());
    EXPECT_EQ(ladder_radices(std::size_t(1) << 30, 2).size(), 30u);
}

TEST(Ladder, LastPassLandsInTheOutputAndNoneWritesTheInput)
{
    for (const char* radix : { "2", "4", "8", "16", "32" })
        for (const char* n : { "1", "2", "30", "1024", "48000", "16777216" })
            for (const char* output : { "", "_power" }) {
                const program steps =
                    program_of("c2c_forward_n" + std::string(n) + "_b1" + output +
                               "_algorithm=ladder" + radix);
                EXPECT_EQ(steps.steps.back().to, place::output);
                std::size_t to_output = 0;
                for (std::size_t p = 0; p < steps.steps.size(); ++p) {
                    EXPECT_NE(steps.steps[p].to, place::input);
                    EXPECT_NE(steps.steps[p].to, steps.steps[p].from);
                    EXPECT_EQ(steps.steps[p].from,
                              p == 0 ? place::input : steps.steps[p - 1].to);
                    to_output += steps.steps[p].to == place::output;
                }
                if (*output != '\0') { // rows of floats hold no points between passes
                    EXPECT_EQ(to_output, 1u);
                }
            }
}

TEST(Ladder, RefusesPrimeFactorsThatNoRadixHas)
{
    for (const char* name : { "ladder2", "ladder32", "ladder8-table" })
        EXPECT_THROW(make_recipe(problem::from_string("c2c_forward_n1009_b1_algorithm=" +
                                                      std::string(name))),
                     std::invalid_argument);
}

TEST(Ladder, OneLaunchForEachPassWithoutSharedMemory)
{
    const program steps = program_of("c2c_forward_n16777216_b1_algorithm=ladder8");
    ASSERT_EQ(steps.steps.size(), 8u);
    for (const launch_step& step : steps.steps) {
        EXPECT_EQ(step.kernel.shared_bytes, 0u);
        EXPECT_EQ(blocks_of(step.kernel, 1) * step.kernel.block_threads, 1u << 21);
    }
    EXPECT_EQ(steps.scratch_points[0], 1u << 24);
    EXPECT_EQ(steps.scratch_points[1], 0u);
}

TEST(Ladder, ARecipeMayNameTheThreads)
{
    const problem what = problem::from_string("c2c_forward_n512_b6");
    for (int threads : { 32, 64, 256 }) {
        const std::string text =
            "ladder8 512 1 0 0 512x1:8.8.8/" + std::to_string(threads) + "/1/0/0";
        const recipe how = recipe::from_text(text);
        EXPECT_EQ(how.to_text(), text);
        const program steps = build_program(what, how);
        ASSERT_EQ(steps.steps.size(), 3u);
        for (const launch_step& step : steps.steps) {
            EXPECT_EQ(step.kernel.block_threads, threads);
            // 6 frames of 64 butterflies
            EXPECT_EQ(blocks_of(step.kernel, 6),
                      std::size_t(6 * 64 / threads + (threads == 256)));
            EXPECT_NE(step.kernel.shape.find(", " + std::to_string(threads) + ", "),
                      std::string::npos);
        }
    }
}

TEST(Ladder, EveryWayToTheTwiddlesAgreesWithDoublePrecision)
{
    for (const char* kind : { "-powers", "-table", "-library" }) {
        const std::string text =
            "c2c_forward_n1000_b11_algorithm=ladder8" + std::string(kind);
        // powers: up to three roundings more for each twiddle
        const int factor = kind == std::string("-powers") ? 2 : 1;
        EXPECT_LT(error_of(text), factor * bound_of(text)) << text;
    }
    // the special function unit is not exact; on the host engine the library stands for
    // it
    EXPECT_LT(error_of("c2c_forward_n1000_b11_algorithm=ladder8-intrinsic"), 1e-6);
}

TEST(Ladder, EarlyPassesExchangeTheirOutputs)
{
    const program steps = program_of("c2c_forward_n4096_b3_algorithm=ladder8-exchange");
    ASSERT_EQ(steps.steps.size(), 4u);
    for (std::size_t p = 0; p < 4; ++p) {
        const kernel_instance& kernel = steps.steps[p].kernel;
        const bool is_early = p < 3; // spans 1, 8, 64, then 512
        EXPECT_EQ(kernel.name, is_early ? "ladder_exchange_kernel" : "ladder_kernel");
        EXPECT_EQ(kernel.shared_bytes, is_early ? (1024u + 64u) * 8u : 0u);
        EXPECT_EQ(blocks_of(kernel, 3), 3u * 4096 / 8 / 128);
    }
    // butterflies that are no whole blocks, and the plain ladder, exchange nothing
    for (const char* text : { "c2c_forward_n1000_b3_algorithm=ladder8-exchange",
                              "c2c_forward_n8_b3_algorithm=ladder8-exchange",
                              "c2c_forward_n4096_b3_algorithm=ladder8" })
        for (const launch_step& step : program_of(text).steps)
            EXPECT_EQ(step.kernel.name, "ladder_kernel") << text;
    EXPECT_THROW(make_recipe(problem::from_string(
                     "c2c_forward_n4096_b3_f64_algorithm=ladder8-exchange")),
                 std::invalid_argument);
}

TEST(Ladder, ExchangingPassesAgreeWithDoublePrecision)
{
    for (const char* radix : { "8", "16" }) {
        const std::string text =
            "c2c_forward_n4096_b11_algorithm=ladder" + std::string(radix) + "-exchange";
        EXPECT_LT(error_of(text), bound_of(text)) << text;
    }
}

TEST(Textbook, CooleyTukeyAgreesWithDoublePrecision)
{
    for (const char* n : { "2", "64", "4096" }) {
        const std::string text =
            "c2c_forward_n" + std::string(n) + "_b11_algorithm=cooley-tukey";
        EXPECT_LT(error_of(text), bound_of(text)) << text;
    }
}

TEST(Textbook, StockhamPassesAreOfOneRadixAndALastTwo)
{
    const auto radices = [](const char* text) {
        return make_recipe(problem::from_string(text)).shape().radices;
    };
    typedef std::vector<int> list;
    EXPECT_EQ(radices("c2c_forward_n16_b1_algorithm=stockham2"), list({ 2, 2, 2, 2 }));
    EXPECT_EQ(radices("c2c_forward_n64_b1_algorithm=stockham4"), list({ 4, 4, 4 }));
    EXPECT_EQ(radices("c2c_forward_n128_b1_algorithm=stockham4"), list({ 4, 4, 4, 2 }));
    EXPECT_EQ(radices("c2c_forward_n2_b1_algorithm=stockham4"), list({ 2 }));
}

TEST(Textbook, RefusesAllButShortPowersOfTwo)
{
    for (const char* n : { "1", "48", "8192" })
        for (const char* name : { "cooley-tukey", "stockham2", "stockham4" })
            EXPECT_THROW(make_recipe(problem::from_string(
                             "c2c_forward_n" + std::string(n) + "_b1_algorithm=" + name)),
                         std::invalid_argument);
}

#ifdef GPUFFT_HAVE_CUDA

namespace {

// Every kernel of a problem compiles for the architecture and keeps its data in
// registers.
void expect_clean(const std::string& text, int architecture)
{
    const std::vector<int>& known = nvrtc().architectures;
    if (std::find(known.begin(), known.end(), architecture) == known.end())
        return; // this NVRTC is older than the card
    const std::vector<launch_step> steps = program_of(text).steps;
    std::set<std::size_t> chosen = { 0, steps.size() / 2, steps.size() - 1 };
    for (std::size_t step : chosen) {
        const kernel_instance& kernel = steps[step].kernel;
        const std::string where =
            kernel.expression() + " sm_" + std::to_string(architecture);
        compiler_report report;
        ASSERT_NO_THROW(compile_kernel(kernel.header,
                                       kernel.expression(),
                                       architecture,
                                       { "--ptxas-options=-v" },
                                       &report))
            << where;
        expect_sound(report, where);
        EXPECT_NE(report.messages.find(" 0 bytes spill stores"), std::string::npos)
            << where << report.messages;
    }
}

} // namespace

TEST(LadderCompile, NoRadixSpillsOnAnyArchitecture)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (int architecture : { 75, 80, 90, 100, 120 })
        for (const char* radix : { "2", "4", "8", "16", "32" })
            expect_clean("c2c_forward_n16777216_b1_algorithm=ladder" + std::string(radix),
                         architecture);
}

TEST(LadderCompile, NoTwiddlesNorTextbookSpill)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const char* name : { "ladder32-powers",
                              "ladder32-table",
                              "ladder32-library",
                              "ladder32-intrinsic",
                              "ladder2-exchange",
                              "ladder16-exchange",
                              "ladder32-exchange",
                              "cooley-tukey",
                              "stockham2",
                              "stockham4" })
        expect_clean("c2c_forward_n4096_b1_algorithm=" + std::string(name), 90);
}

TEST(LadderGpu, EveryRadixAndTextbookAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems;
    for (const char* radix : { "2", "4", "8", "16", "32" })
        for (const char* n : { "1", "8", "1000", "1024", "48000", "1048576" })
            for (const char* steps : { "", "_window_power_shiftout" })
                problems.push_back(problem::from_string("c2c_forward_n" + std::string(n) +
                                                        "_b3" + steps +
                                                        "_algorithm=ladder" + radix));
    for (const char* name : { "ladder16-table",
                              "ladder16-library",
                              "ladder2-exchange",
                              "ladder8-exchange",
                              "ladder32-exchange",
                              "cooley-tukey",
                              "stockham2",
                              "stockham4" })
        problems.push_back(
            problem::from_string("c2c_forward_n4096_b3_algorithm=" + std::string(name)));
    check_all(problems, 7, 3);
}

#endif
