// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms, cosine and sine transforms: the kernels by fibers against FFTW, and
// the recipes.

#include "host_real_cases.h"
#include "planner/planner.h"
#include "planner/real/real.h"
#include "planner/real/real_kernels.h"
#include "recipe_checks.h"

#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

std::string name_of(const recipe_case& each)
{
    const recipe& how = each.how;
    return with_letters_only(
        each.what.to_string() + "_by_" + how.inside().algorithm +
        (how.inside().algorithm != "cluster"
             ? ""
             : std::string(how.inside().of<cluster_fields>().two_areas ? "_two_areas"
                                                                       : "_one_area") +
                   (how.inside().of<cluster_fields>().by_messages ? "_by_messages"
                                                                  : "_by_stores")) +
        (how.inside().prefetched() ? "_prefetched" : "") +
        (how.shape().copied_by_card ? "_by_card" : "") +
        (how.shape().tiled ? "_tiled" : ""));
}

std::string case_name(const ::testing::TestParamInfo<recipe_case>& info)
{
    return name_of(info.param);
}

recipe recipe_for(const char* name) { return make_recipe(problem::from_string(name)); }

} // namespace

namespace gr {
namespace gpufft {
void PrintTo(const recipe_case& each, std::ostream* stream) { *stream << name_of(each); }
} // namespace gpufft
} // namespace gr

class HostReal : public ::testing::TestWithParam<recipe_case>
{
};

// Odd numbers of frames: two rows share a vector.
TEST_P(HostReal, AgreesWithDoublePrecision)
{
    problem core; // whose length says how it is computed
    core.n = GetParam().how.n;
    expect_agreement(GetParam(), 7, kernel_error_factor(core));
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         HostReal,
                         ::testing::ValuesIn(host_real_cases()),
                         case_name);

// One row is half of a vector; the samples and the rows may begin beside a multiple of 16
// bytes.
TEST(HostRealPrimes, OneRowAndRowsAnywhere)
{
    for (const recipe_case& each : host_real_cases()) {
        if (each.how.inside().algorithm != "rader" || each.how.inside().shapes.size() > 1)
            continue;
        const problem& what = each.what;
        for (std::size_t frames : { 1, 12 }) {
            const std::size_t samples =
                (frames - 1) * what.effective_hop() + what.input_span();
            const std::vector<std::uint8_t> data = random_samples(what, samples);
            const std::vector<float> window = random_window(what.frame_samples());
            const std::size_t in = what.input_item_bytes(),
                              out = what.output_item_bytes();
            std::vector<std::uint8_t> input(data.size() + 16),
                output(frames * what.row_bins() * out + 48, 0xff);
            std::uint8_t* const from = input.data() + in % 16;
            std::uint8_t* const to = output.data() + 16 + out % 16;
            std::memcpy(from, data.data(), data.size());
            host_plan plan(what, each.how);
            if (what.window)
                plan.set_window(window);
            plan.execute(from, to, frames);
            EXPECT_LT(
                relative_error(what, to, reference_rows(what, data, window, frames)),
                error_bound(what, 1.6))
                << what.to_string() << " " << frames;
            EXPECT_EQ(std::count(output.data(), to, 0xff), to - output.data());
            std::uint8_t* const end = to + frames * what.row_bins() * out;
            EXPECT_EQ(std::count(end, output.data() + output.size(), 0xff),
                      output.data() + output.size() - end);
        }
    }
}

// Where frames share no transform the bits of each are the same in any call; where two do
// they are not, or the test would prove nothing.
TEST(HostReal, FramesAloneHaveTheSameBitsInAnyCall)
{
    constexpr std::size_t FRAMES = 7;
    std::size_t alone = 0, sharing = 0;
    for (recipe_case each : host_real_cases()) {
        if (!each.what.alone)
            continue;
        ++alone;
        EXPECT_FALSE(differs_between_calls(each, FRAMES))
            << each.what.to_string() << " by " << each.how.to_text();
        each.what.alone = false;
        if (each.what.n == 17)
            sharing += differs_between_calls(each, FRAMES);
    }
    EXPECT_GT(alone, 30u);
    EXPECT_GT(sharing, 0u);
}

TEST(Real, EvenLengthsTakeHalfOfThePoints)
{
    EXPECT_EQ(recipe_for("r2c_n4096_b32768").n, 2048u);
    EXPECT_EQ(recipe_for("dct2_n1000_b1").n, 500u);
    EXPECT_EQ(recipe_for("dct1_n1025_b1").n, 1024u);
    EXPECT_EQ(recipe_for("dst1_n1023_b1").n, 1024u);
}

TEST(Real, OddLengthsTakeTwoRowsAtOnce)
{
    const problem what = problem::from_string("r2c_n1009_b5");
    const recipe how = make_recipe(what);
    EXPECT_EQ(how.n, 1009u);
    EXPECT_EQ(build_program(what, how).steps.front().lines_together, 2u);
}

// ... by the copy engine where no number is converted.
TEST(Real, RowsOfPrimesLieInTiles)
{
    const auto kernel_of = [](const char* name, const char* how) {
        return build_program(problem::from_string(name), recipe::from_text(how))
            .steps.front()
            .kernel.expression();
    };
    const char* const even = "real:rader 31 1 0 0 30x1:6.5/5/1/0/0";
    const char* const odd = "real:rader 31 1 0 0 30x1:5.6/5/1/0/0";
    for (const char* name : { "r2c_n31_b3", "c2r_n31_b3_cs16", "dct4_n31_b3" }) {
        EXPECT_NE(kernel_of(name, even).find("load_two<"), std::string::npos) << name;
        EXPECT_NE(kernel_of(name, even).find("store_two<"), std::string::npos) << name;
    }
    // bins k and N-k in different threads, but no pairs; another item
    EXPECT_EQ(kernel_of("r2c_n31_b3", odd).find("store_two<"), std::string::npos);
    EXPECT_NE(kernel_of("c2r_n31_b3", odd).find("store_two<"), std::string::npos);
    EXPECT_EQ(kernel_of("r2c_n31_b3_outf16", even).find("store_two<"), std::string::npos);
}

TEST(Real, OneKernelWhereThePointsFitABlock)
{
    for (const char* name : { "r2c_n32768_b9999", "dct2_n16384_b1", "c2r_n15_b1" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what);
        EXPECT_EQ(how.inside().algorithm, "stockham") << name;
        EXPECT_EQ(build_program(what, how).steps.size(), 1u) << name;
    }
    EXPECT_NE(recipe_for("r2c_n65536_b1").inside().algorithm, "stockham");
}

TEST(Real, ClustersReadAndStoreTheRows)
{
    for (const char* name : { "r2c_n65536_b2048",
                              "r2c_n65536_b2048_s16_window",
                              "r2c_n131072_b1024",
                              "c2r_n65536_b2048",
                              "dct2_n65536_b2048",
                              "dst2_n65536_b2048_ortho" }) {
        const problem what = problem::from_string(name);
        const recipe how = make_recipe(what);
        EXPECT_EQ(how.inside().algorithm, "cluster") << name << " " << how.to_string();
        EXPECT_EQ(build_program(what, how).steps.size(), 1u) << name;
        device_traits without_clusters;
        without_clusters.architecture = 80;
        const recipe other = make_recipe(what, without_clusters);
        EXPECT_NE(other.inside().algorithm, "cluster")
            << name << " " << other.to_string();
    }
}

TEST(Real, RecipesReadBack)
{
    for (const recipe_case& each : host_real_cases()) {
        const std::string text = each.how.to_text();
        EXPECT_EQ(recipe::from_text(text).to_text(), text);
        EXPECT_EQ(recipe::from_text(text).inside().algorithm,
                  each.how.inside().algorithm);
    }
    EXPECT_EQ(recipe_for("r2c_n16_b9999").to_string().find("real(stockham(8: "), 0u);
}

TEST(Real, RefusesWhatItDoesNotCompute)
{
    const device_traits card;
    for (const char* name : { "r2c_n8x8_b1", "dct2_n8_b1_istrides2" })
        EXPECT_NE(obstacle_of(real_algorithm(), problem::from_string(name), card), "")
            << name;
    EXPECT_NE(planning_obstacle(problem::from_string("dct4_n268435456_b1"), card)
                  .find("268435456"),
              std::string::npos);
}
