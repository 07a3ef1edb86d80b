// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples and rows at every address that their formats allow: GNU Radio's buffers, slices
// of arrays, odd hops. Vector accesses and bulk copies need multiples of 8 or 16 bytes,
// and the host engine refuses others as a card does.

#include "gpu_runs.h"
#include "host_bank_cases.h"
#include "host_cluster_cases.h"
#include "host_filter_cases.h"
#include "host_pipelined_cases.h"
#include "host_problems.h"
#include "host_storage_problems.h"
#include "host_synthesis_cases.h"
#include "host_tensor_cases.h"
#include "host_zoom_cases.h"
#include "planner/planner.h"
#include "recipe_checks.h"

#include <gnuradio/gpufft/engine.h>
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

// Of every load and store step, in the ways that a block of threads may share frames.
std::vector<recipe_case> step_cases()
{
    std::vector<recipe_case> cases;
    for (const problem& what : host_step_problems())
        cases.push_back({ what, make_recipe(what) });
    for (const problem& what : host_storage_problems())
        if (what.n <= 1024)
            cases.push_back({ what, make_recipe(what) });
    return cases;
}

// Frames that begin at every remainder of 16 bytes.
recipe_case with_odd_hop(recipe_case each)
{
    each.what.hop = (each.what.span_items() / 2 | 1) * each.what.samples_in_item();
    return each;
}

std::size_t more_than_a_block(const recipe_case& each)
{
    return each.how.core().shapes.empty() ? 3
                                          : std::size_t(each.how.shape().transforms) + 2;
}

} // namespace

TEST(HostOffsets, EveryLoadAndStoreStep)
{
    for (const recipe_case& each : step_cases())
        expect_same_at_any_offset(each, more_than_a_block(each));
}

TEST(HostOffsets, EveryLoadStepAtAnOddHop)
{
    for (const recipe_case& each : step_cases())
        if (each.what.input_strides.empty() && each.what.average == 1)
            expect_same_at_any_offset(with_odd_hop(each), more_than_a_block(each));
}

TEST(HostOffsets, CopiesByTheCardAndByThreads)
{
    for (const recipe_case& each : host_pipelined_cases())
        if (each.what.n <= 2048)
            expect_same_at_any_offset(each, 5);
}

TEST(HostOffsets, SeveralAxes)
{
    for (const recipe_case& each : host_tensor_cases())
        if (each.what.n <= 1024 && each.what.average == 1)
            expect_same_at_any_offset(each, 3);
}

#ifdef GPUFFT_HAVE_CUDA
// In device memory, and in host memory that the kernels read and store themselves.
class OffsetsGpu : public testing::TestWithParam<bool>
{
};

TEST_P(OffsetsGpu, EveryLoadAndStoreStep)
{
    expect_same_at_any_offset_on_gpu(step_cases(), GetParam());
}

TEST_P(OffsetsGpu, EveryLoadStepAtAnOddHop)
{
    std::vector<recipe_case> cases;
    for (const recipe_case& each : step_cases())
        if (each.what.input_strides.empty())
            cases.push_back(with_odd_hop(each));
    expect_same_at_any_offset_on_gpu(cases, GetParam());
}

TEST_P(OffsetsGpu, EveryKindOfKernel)
{
    std::vector<recipe_case> cases;
    const auto add = [&](const std::string& text) {
        const problem what = problem::from_string(text);
        cases.push_back({ what, make_recipe(what) });
    };
    for (const char* batch : { "_b3", "_b999999" }) // recipes for few frames and many
        for (const char* start :
             { "c2c_forward_n64",    "c2c_forward_n1000",   "c2c_forward_n4096",
               "c2c_inverse_n16384", "c2c_forward_n65536",  "c2c_forward_n16x8",
               "c2c_inverse_n64x64", "c2c_forward_n100x30", "c2c_forward_n1009",
               "c2c_forward_n839",   "c2c_forward_n316",    "r2c_n64",
               "r2c_n1000",          "r2c_n16384",          "r2c_n1009",
               "r2c_n65536",         "c2r_n1000",           "c2r_n4096",
               "dct1_n1025",         "dct2_n256",           "dct2_n1009",
               "dct3_n1000",         "dct4_n1024",          "dst2_n256" })
            add(start + std::string(batch));
    for (const char* start : { "r2c_n1000_b999",
                               "r2c_n256_b9999",
                               "dct2_n1024_b999",
                               "dct4_n1000_b999",
                               "r2c_n1024_b99999" })
        for (const char* format : { "_s16", "_s8", "_f16", "_f64" })
            add(start + std::string(format));
    for (const char* start : { "c2c_forward_n1024_b9999", "c2c_forward_n64x64_b999" })
        for (const char* format : { "_cs16", "_cs8", "_cf16", "_f64", "_real" })
            for (const char* store : { "", "_power", "_decibel_shiftout_avg3" })
                if (std::string(format) != "_f64" || store[0] == '\0')
                    add(start + (format + std::string(store)));
    expect_same_at_any_offset_on_gpu(cases, GetParam());
    for (recipe_case& each : cases)
        each = with_odd_hop(each);
    expect_same_at_any_offset_on_gpu(cases, GetParam());
}

// Recipes that no problem above gets: filters, banks, zooms and clusters in every way.
TEST_P(OffsetsGpu, EveryFamilyOfRecipes)
{
    for (const auto& cases : { host_filter_cases(),
                               host_bank_cases(),
                               host_synthesis_cases(),
                               host_zoom_cases(),
                               host_cluster_cases() })
        expect_same_at_any_offset_on_gpu(cases, GetParam());
}

INSTANTIATE_TEST_SUITE_P(InMemory, OffsetsGpu, testing::Bool(), [](const auto& info) {
    return info.param ? "OfTheHost" : "OfTheCard";
});

TEST(PartsOfSamplesGpu, AreRefused)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    const problem what = problem::from_string("c2c_forward_n64_b1");
    cuda_plan plan(what, 0, make_recipe(what));
    const std::vector<std::uint8_t> input = random_samples(what, 64);
    for (const run_offsets& there : { run_offsets{ 4, 0 }, run_offsets{ 0, 4 } })
        EXPECT_THROW(run_on_device(plan, input, 1, false, there), std::invalid_argument);
    run_on_device(plan, input, 1, false, { 8, 8 }); // the card is as it was
}
#endif
