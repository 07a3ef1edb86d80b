// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms in slabs: which problems take them, what their programs move, and the
// kernels between their levels, executed by fibers.

#include "engine/step_arguments.h"
#include "host/guarded_memory.h"
#include "host/host_kernels.h"
#include "host/host_launch.h"
#include "planner/planner.h"
#include "planner/slabs/slab_choice.h"
#include "planner/slabs/slab_layout.h"
#include "planner/slabs/slab_program.h"
#include "planner/slabs/slab_sharing.h"
#include "reference_dft.h"
#include "reference_slabs.h"

#include <cstdlib>
#include <gnuradio/gpufft/plan.h>
#include <gtest/gtest.h>
#include <random>

using namespace gr::gpufft;

namespace {

constexpr std::size_t H200 = std::size_t(141) * 1000 * 1000 * 1000;

problem named(const char* text) { return problem::from_string(text); }

template <class T>
guarded_vector<std::complex<T>> noise(std::size_t points)
{
    std::minstd_rand random;
    std::uniform_real_distribution<T> values(-1, 1);
    guarded_vector<std::complex<T>> made(points);
    for (std::complex<T>& each : made)
        each = { values(random), values(random) };
    return made;
}

template <class T>
double difference(const guarded_vector<std::complex<T>>& actual,
                  const guarded_vector<std::complex<T>>& expected)
{
    double most = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double now = std::abs(actual[i] - expected[i]);
        most = now <= most ? most : now; // NaN stays
    }
    return most / std::numeric_limits<T>::epsilon();
}

template <class Arguments>
void launch(const kernel_instance& kernel, const Arguments& arguments)
{
    host_grid grid;
    grid.blocks_x = 3;
    grid.threads = unsigned(kernel.block_threads);
    grid.kernel = kernel.expression();
    launch_on_host(grid, [&] { find_host_kernel(kernel)(&arguments); });
}

template <class T>
void expect_twiddles(const slab_twiddles& by)
{
    guarded_vector<std::complex<T>> points = noise<T>(by.rows * by.row_points);
    guarded_vector<std::complex<T>> expected = points;
    const bool is_double = sizeof(T) == 8;
    reference_twiddles(expected.data(), by, is_double);
    launch(slab_twiddles_kernel(is_double), twiddles_arguments_of(by, points.data()));
    EXPECT_LT(difference(points, expected), 2.5) << by.n << " " << by.first;
}

template <class T>
void expect_pairs(const slab_pairs& how)
{
    const guarded_vector<std::complex<T>> input = noise<T>(how.rows * how.pitch + 1);
    guarded_vector<std::complex<T>> output(input.size()), expected(input.size());
    const bool is_double = sizeof(T) == 8;
    reference_pairs(expected.data(), input.data(), how, is_double);
    launch(slab_pairs_kernel(how.forward, is_double),
           pairs_arguments_of(how, output.data(), input.data()));
    EXPECT_LT(difference(output, expected), 8)
        << how.rows << " " << how.columns << " " << how.own << " " << how.forward;
}

// Bytes of the downloads, and whether each byte of the output is written once by a sweep.
bool covers(const sweep& what, std::size_t bytes)
{
    std::vector<int> count(bytes);
    for (const slab& each : what.slabs)
        for (const slab_copy& copy : each.downloads)
            for (std::size_t row = 0; row < copy.rows; ++row)
                for (std::size_t i = 0; i < copy.row_bytes; ++i)
                    ++count.at(copy.offset + row * copy.pitch + i);
    return std::all_of(count.begin(), count.end(), [](int times) { return times == 1; });
}

} // namespace

TEST(Slabs, TwiddlesOfEveryLength)
{
    for (const std::size_t n : { std::size_t(64),
                                 std::size_t(3) << 20,
                                 std::size_t(3486784401), // 3^20
                                 std::size_t(1) << 34 })
        for (const std::size_t first : { std::size_t(0), n / 8 / 21, n / 21 }) {
            slab_twiddles by;
            by.rows = 9;
            by.row_points = 21;
            by.n = n;
            by.first = first;
            expect_twiddles<float>(by);
            expect_twiddles<double>(by);
            by.inverse = true;
            by.inner = 4; // rows of digits
            by.outer_step = 1;
            by.inner_step = 5;
            expect_twiddles<float>(by);
            expect_twiddles<double>(by);
        }
}

TEST(Slabs, PairsOfBins)
{
    for (const bool forward : { true, false }) {
        // all columns at once, the first ones, ones in the middle, the last ones
        for (const slab_pairs& each : { slab_pairs{ 5, 8, 5, 0, 3, 3, 2, 4 },
                                        slab_pairs{ 5, 8, 12, 0, 3, 10, 2, 4 },
                                        slab_pairs{ 4, 6, 12, 3, 2, 8, 2, 3 },
                                        slab_pairs{ 4, 6, 12, 5, 2, 7, 1, 3 },
                                        slab_pairs{ 3, 4, 1, 0, 1, 1, 0, 2 } }) {
            slab_pairs how = each;
            how.forward = forward;
            expect_pairs<float>(how);
            expect_pairs<double>(how);
        }
    }
}

TEST(Slabs, TheLargestTransformsTakeTwoSweeps)
{
    for (const char* text : { "c2c_forward_n2147483648_b1",
                              "c2c_forward_n17179869184_b1",
                              "c2c_inverse_n3486784401_b1",
                              "c2c_forward_n4294967296_b1_f64",
                              "r2c_n17179869184_b1",
                              "c2r_n8589934592_b1",
                              "c2c_forward_n65536x65536_b1",
                              "r2c_n65536x65536_b1_f64",
                              "c2r_n65536x131072_b1",
                              "c2c_forward_n1024x2048x1024_b1",
                              "dct2_n65536x65536_b1" }) {
        SCOPED_TRACE(text);
        const problem what = named(text);
        EXPECT_TRUE(needs_slabs(what, device_traits(), H200));
        const slab_program program = make_slab_program(what, H200, false);
        ASSERT_EQ(program.sweeps.size(), 2u);
        const std::size_t input = what.frame_samples() * what.input_item_bytes();
        const std::size_t output = what.row_bins() * what.output_item_bytes();
        EXPECT_GE(program.buffer_bytes, std::size_t(256) << 20);
        EXPECT_LE(program.buffer_bytes, std::min(std::max(input, output), H200) / 8);
        EXPECT_LE(program.uploaded_bytes(), 2.001 * std::max(input, output));
        EXPECT_LE(program.downloaded_bytes(), 2.001 * std::max(input, output));
        double in_long_runs = 0; // that the link copies at its rate; remainders are not
        for (const sweep& each : program.sweeps)
            for (const slab& one : each.slabs)
                for (const slab_copy& copy : one.uploads)
                    if (copy.rows == 1 || copy.row_bytes > LONG_RUN / 3)
                        in_long_runs += copy.bytes();
        EXPECT_GE(in_long_runs, 0.99 * program.uploaded_bytes());
        for (const problem& level : program.transforms)
            EXPECT_EQ(planning_obstacle(level), "");
    }
}

TEST(Slabs, InPlaceTakesScratchOnlyWithoutDoubleFactors)
{
    const auto scratch_of = [](const char* text) {
        return make_slab_program(named(text), H200, true).scratch_bytes;
    };
    EXPECT_EQ(scratch_of("c2c_forward_n17179869184_b1"), 0u);
    EXPECT_EQ(scratch_of("c2c_forward_n4294967296_b1_f64"), 0u);
    EXPECT_EQ(scratch_of("c2c_forward_n65536x65536_b1"), 0u);
    EXPECT_EQ(scratch_of("c2r_n65536x65536_b1"), 0u);
    EXPECT_EQ(scratch_of("c2c_forward_n3234846615_b1"),
              std::size_t(3234846615) * 8); // 3 5 ... 29
}

TEST(Slabs, WhatFitsTheCardStaysWhole)
{
    const auto needs = [](const char* text, std::size_t memory) {
        return needs_slabs(named(text), device_traits(), memory);
    };
    EXPECT_FALSE(needs("c2c_forward_n1073741824_b1", H200));
    EXPECT_TRUE(needs("c2c_forward_n1073741824_b1", H200 / 6));
    EXPECT_FALSE(needs("c2c_forward_n4096_b1", 4 * 8 * 4096));
    EXPECT_TRUE(needs("c2c_forward_n4096_b1", 4 * 8 * 4096 - 1));
    EXPECT_TRUE(needs("r2c_n1073741824_b1", H200)); // no kernel as a whole
    EXPECT_FALSE(needs("c2c_forward_n4096_b1_window", 1000));
    EXPECT_FALSE(needs("c2c_forward_n2147483647_b1", H200)); // a prime
    const std::string obstacle =
        card_obstacle(named("c2c_forward_n2147483647_b1"), device_traits(), H200);
    EXPECT_NE(obstacle.find("at most 2^30 points as a whole; in slabs: a length has no "
                            "two factors"),
              std::string::npos)
        << obstacle;
}

TEST(Slabs, EverySweepWritesEachBinOnce)
{
    for (const char* text : { "c2c_forward_n4096_b1",
                              "c2c_forward_n2310_b1",
                              "r2c_n5000_b1",
                              "r2c_n30x77_b1",
                              "c2r_n30x77_b1",
                              "dct2_n30x77_b1",
                              "c2c_forward_n5x600_b1" })
        for (const bool in_place : { false, true }) {
            SCOPED_TRACE(text);
            const problem what = named(text);
            const std::size_t bytes = what.row_bins() * what.output_item_bytes();
            std::size_t memory = 4 * bytes;
            while (!slab_obstacle(what, memory).empty())
                memory += memory / 4;
            const slab_program program = make_slab_program(what, memory, in_place);
            EXPECT_TRUE(covers(program.sweeps.back(), bytes));
            EXPECT_GT(program.slabs(), 4u);
        }
}

TEST(Slabs, TheCardWinsWhatItsLinkBrings)
{
    const problem large = named("c2c_forward_n2147483648_b1");
    EXPECT_LT(slab_seconds(large, H200, 1, 1), cpu_seconds(large, 1, 64));
    EXPECT_NEAR(
        slab_seconds(large, H200, 1, 2), 2 * slab_seconds(large, H200, 1, 1), 1e-6);
    EXPECT_NEAR(slab_seconds(large, H200, 2, 2), slab_seconds(large, H200, 1, 1), 1e-6);
}

namespace {

// Of 64 times the bytes of a row: points are kept on the card between sweeps, and are
// not.
constexpr std::size_t PARTS[] = { 20, 100 };

const char* const LIMITED[] = { "c2c_forward_n65536_b1",
                                "c2c_inverse_n46200_b2",
                                "c2c_forward_n59049_b1_f64",
                                "c2c_forward_n65536_b1_cs16",
                                "r2c_n100000_b1",
                                "c2r_n100000_b1_f64",
                                "c2c_forward_n256x300_b1",
                                "r2c_n40x50x60_b2",
                                "c2r_n40x50x60_b1_f64",
                                "dct2_n256x256_b1" };

// On cards that have so little memory for it; and in place.
void expect_right_on(const std::vector<int>& devices, std::size_t parts)
{
    for (const char* text : LIMITED) {
        const problem what = named(text);
        const std::size_t out_bytes = what.row_bins() * what.output_item_bytes();
        plan_options options;
        options.engine = engine_kind::cuda;
        options.devices = devices;
        options.device_memory = 64 * out_bytes / parts;
        const plan::uptr plan = plan::make(what, options);
        SCOPED_TRACE(plan->describe());
        EXPECT_NE(plan->describe().find("in slabs"), std::string::npos);
        std::vector<std::uint8_t> input =
            random_samples(what, plan->input_samples(what.batch));
        const std::vector<spectrum> expected =
            reference_rows(what, input, {}, what.batch);
        std::vector<std::uint8_t> output(what.batch * out_bytes);
        const double bound = error_bound(what, 2 * kernel_error_factor(what));
        plan->execute(input.data(), output.data(), what.batch);
        EXPECT_LT(relative_error(what, output.data(), expected), bound);
        input.resize(std::max(input.size(), out_bytes));
        plan->execute(input.data(), input.data(), 1);
        EXPECT_LT(relative_error(what, input.data(), { expected.front() }), bound);
    }
}

} // namespace

TEST(Slabs, LimitsOfTheTestsOnCards)
{
    for (const std::size_t parts : PARTS)
        for (const char* text : LIMITED) {
            const problem what = named(text);
            const std::size_t out_bytes = what.row_bins() * what.output_item_bytes();
            const std::size_t memory = 64 * out_bytes / parts;
            EXPECT_TRUE(needs_slabs(what, device_traits(), memory)) << text;
            EXPECT_EQ(make_shared_program(what, memory, 1, false).kept_bytes.empty(),
                      parts == PARTS[1])
                << text;
        }
}

TEST(SlabsGpu, AgreeWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    for (const std::size_t parts : PARTS) {
        expect_right_on({ 0 }, parts);
        setenv("GPUFFT_STAGE_ARRAYS", "1", 1);
        expect_right_on({ 0 }, parts);
        unsetenv("GPUFFT_STAGE_ARRAYS");
    }
}

TEST(SlabsGpu, SeveralCardsAgreeWithDoublePrecision)
{
    std::vector<int> devices;
    for (const cuda_device_info& each : query_cuda().devices)
        devices.push_back(each.index);
    if (devices.size() < 2)
        GTEST_SKIP() << "this takes two cards";
    for (const std::size_t parts : PARTS)
        expect_right_on(devices, parts);
}
