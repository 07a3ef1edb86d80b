// SPDX-License-Identifier: GPL-3.0-or-later
//
// What plans do when memory is short: fewer frames at once, then a recipe with less
// scratch, then an error that names the bytes.

#include "planner/planner.h"
#include "planner/scratch.h"

#include <gtest/gtest.h>

#ifdef GPUFFT_HAVE_CUDA
#include "cuda_checks.h"
#include "engine/cuda/cuda_plan.h"
#endif

using namespace gr::gpufft;

namespace {

constexpr std::size_t GIB = std::size_t(1) << 30;

recipe recipe_by(problem what, const char* algorithm)
{
    what.algorithm = algorithm;
    return make_recipe(what);
}

} // namespace

TEST(Scratch, IsWhatTheProgramHolds)
{
    const problem what = problem::from_string("c2c_forward_n262144_b1");
    const auto need = [&](const char* algorithm) {
        return scratch_of(build_program(what, recipe_by(what, algorithm)));
    };
    EXPECT_EQ(need("hierarchical").bytes(3), 3 * 8 * what.n);
    EXPECT_EQ(need("cluster").bytes(3), 0u);
}

TEST(Scratch, IsAtMostTwiceTheDataAndAQuarterOfWhatIsFree)
{
    EXPECT_EQ(scratch_limit(1000, 100 * GIB), 2000u);
    EXPECT_EQ(scratch_limit(50 * GIB, 100 * GIB), 2 * GIB);
    EXPECT_EQ(scratch_limit(50 * GIB, GIB), GIB / 4);
    EXPECT_EQ(scratch_limit(50 * GIB, 0), 0u);
}

TEST(Scratch, LaunchesAreOfEvenSizeWithinTheLimit)
{
    const scratch_need need = { 10, 5 };
    EXPECT_EQ(frames_within(need, 7, 1000), 7u);
    EXPECT_EQ(frames_within(need, 7, 75), 7u);
    EXPECT_EQ(frames_within(need, 7, 74), 4u); // two launches
    EXPECT_EQ(frames_within(need, 100, 45), 4u);
    EXPECT_EQ(frames_within(need, 9, 45), 3u); // three, not four and one
    EXPECT_EQ(frames_within(need, 9, 0), 1u);  // the least there is
    EXPECT_EQ(frames_within({ 0, 5 }, 9, 0), 9u);
    EXPECT_EQ(frames_within(need, 0, 100), 0u);
}

TEST(Scratch, FramesAreHalvedUntilTheyFit)
{
    std::vector<std::size_t> tried;
    const auto allocate = [&](std::size_t most) {
        return [&tried, most](std::size_t frames) {
            tried.push_back(frames);
            return frames <= most;
        };
    };
    EXPECT_EQ(frames_that_fit(100, allocate(13)), 12u);
    EXPECT_EQ(tried, (std::vector<std::size_t>{ 100, 50, 25, 12 }));
    EXPECT_EQ(frames_that_fit(5, allocate(1)), 1u);
    EXPECT_EQ(frames_that_fit(5, allocate(0)), 0u);
}

TEST(Scratch, NextRecipeNeedsLess)
{
    const device_traits card;
    for (const char* text : { "c2c_forward_n48000_b1",
                              "c2c_inverse_n65536_b100_power",
                              "c2c_forward_n16384_b3",
                              "c2c_forward_n1000_b3" }) {
        const problem what = problem::from_string(text);
        const std::optional<recipe> next =
            recipe_with_less_scratch(what, 8 * what.n, card);
        ASSERT_TRUE(next) << text;
        EXPECT_EQ(scratch_of(build_program(what, *next)).bytes(1), 0u)
            << text << ": " << next->to_string();
        EXPECT_FALSE(recipe_with_less_scratch(what, 0, card)) << text;
    }
}

TEST(Scratch, NamedOrLongestRecipesHaveNoNext)
{
    for (const char* text :
         { "c2c_forward_n48000_b1_algorithm=hierarchical", "c2c_forward_n4194304_b1" }) {
        const problem what = problem::from_string(text);
        EXPECT_FALSE(recipe_with_less_scratch(what, 8 * what.n, device_traits())) << text;
    }
}

TEST(Scratch, LongCallsStayWithinTwiceTheirData)
{
    for (const char* text : { "c2c_forward_n1048576_b128",
                              "c2c_forward_n65537_b2000",
                              "c2c_forward_n16411_b5000_cs16_power",
                              "c2c_forward_n1000000_b100_cs8" }) {
        const problem what = problem::from_string(text);
        const scratch_need need = scratch_of(build_program(what, make_recipe(what)));
        const std::size_t data =
            what.batch * what.n * (what.input_item_bytes() + what.output_item_bytes());
        const std::size_t frames =
            frames_within(need, what.batch, scratch_limit(data, 100 * GIB));
        EXPECT_GE(frames, 1u);
        EXPECT_LE(need.bytes(frames), std::min(2 * data, 2 * GIB)) << text;
    }
}

#ifdef GPUFFT_HAVE_CUDA

namespace {

// Device memory refuses what is larger, for the life of this object.
struct short_memory {
    explicit short_memory(std::size_t bytes) { memory_buffer::set_most_bytes(bytes); }
    ~short_memory() { memory_buffer::set_most_bytes(SIZE_MAX); }
};

class ScratchGpu : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
    }

    // Rows of all frames by one enqueue(), while the plan may take `most` bytes at once.
    static std::vector<float>
    rows_with(plan& plan, const std::vector<std::uint8_t>& input, std::size_t most)
    {
        const device_context& context = device_context::get(0);
        const problem& what = plan.what();
        memory_buffer dev_input(context, memory_kind::device);
        memory_buffer dev_output(context, memory_kind::device);
        const std::size_t frames = input.size() / (what.n * what.input_item_bytes());
        std::vector<float> output(plan.output_rows(frames) * row_floats(what));
        upload(context, dev_input, input.data(), input.size());
        dev_output.reserve(output.size() * sizeof(float));
        const short_memory is_short(most);
        const device_context::scope scope(context);
        const stream_uptr stream = make_stream(context);
        plan.enqueue(dev_input.as(), dev_output.as(), frames, stream.get());
        GPUFFT_CUDA(cuStreamSynchronize(stream.get()));
        GPUFFT_CUDA(cuMemcpyDtoH(
            output.data(), dev_output.device(), output.size() * sizeof(float)));
        return output;
    }
};

} // namespace

TEST_F(ScratchGpu, FewerFramesAtOnceGiveTheSame)
{
    for (const char* text : { "c2c_forward_n65536_b13_algorithm=hierarchical",
                              "c2c_inverse_n20011_b13_algorithm=bluestein",
                              "c2c_forward_n65536_b13_cs16_window_power_avg3"
                              "_algorithm=hierarchical" }) {
        const problem what = problem::from_string(text);
        const std::vector<std::uint8_t> input = random_samples(what, 13 * what.n);
        const scratch_need need = scratch_of(build_program(what, make_recipe(what)));
        std::vector<float> expected;
        const std::size_t powers = 13 * what.n * 4; // of averaged frames
        for (std::size_t frames : { 13, 6, 3, 1 }) {
            const plan::uptr plan = plan::make(what, ON_GPU);
            const std::size_t most = std::max(need.bytes(frames), powers);
            const std::vector<float> rows = rows_with(*plan, input, most);
            if (frames == 13)
                expected = rows;
            EXPECT_EQ(rows, expected) << text << ", room for " << frames;
            EXPECT_GT(plan->scratch_bytes(), 0u);
            EXPECT_LE(plan->scratch_bytes(), most + (what.is_power() ? powers : 0));
        }
        const std::vector<float> window(what.n, 1.0f); // that of a new plan
        EXPECT_EQ(compare(what, expected, reference_rows(what, input, window, 13)), "")
            << text;
    }
}

TEST_F(ScratchGpu, NextRecipeRunsWhereTheFirstHasNoMemory)
{
    for (const char* text :
         { "c2c_forward_n48000_b5", "c2c_forward_n65536_b1_window_power_smooth0.25" }) {
        const problem what = problem::from_string(text);
        cuda_plan plan(what, 0, recipe_by(what, "hierarchical"));
        if (what.window)
            plan.set_window(std::vector<float>(what.n, 0.5f));
        EXPECT_NE(plan.describe().find("hierarchical"), std::string::npos);
        const std::vector<std::uint8_t> input = random_samples(what, what.batch * what.n);
        const std::vector<float> rows = rows_with(plan, input, what.n * 8 - 1);
        EXPECT_EQ(plan.describe().find("hierarchical"), std::string::npos)
            << plan.describe();
        EXPECT_EQ(compare(what,
                          rows,
                          reference_rows(
                              what, input, std::vector<float>(what.n, 0.5f), what.batch)),
                  "")
            << plan.describe();
    }
}

TEST_F(ScratchGpu, ErrorNamesTheBytesWhereNoneFits)
{
    const problem what = problem::from_string("c2c_forward_n4194304_b2");
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<std::uint8_t> input = random_samples(what, 2 * what.n);
    try {
        rows_with(*plan, input, what.n * 8 - 1);
        ADD_FAILURE() << "ran without scratch";
    } catch (const cuda_error& error) {
        EXPECT_EQ(error.code(), CUDA_ERROR_OUT_OF_MEMORY);
        for (const std::string& part : { std::to_string(what.n * 8) + " bytes of scratch",
                                         std::string("are free") })
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
                << error.what();
    }
    EXPECT_EQ(compare(what,
                      rows_with(*plan, input, SIZE_MAX),
                      reference_rows(what, input, {}, 2)),
              "")
        << "after memory came back";
}

#endif // GPUFFT_HAVE_CUDA
