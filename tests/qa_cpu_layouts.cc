// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the cpu engine reads and writes, and in which formats: strides, distances, hops,
// rows in place, unaligned memory, shifts, windows, 16- and 8-bit numbers.

#include "transform_cases.h"

#include "on_host/half_float.h"

using namespace gr::gpufft;

namespace {

// Inputs and outputs of each kind in single precision.
struct formats_of_kind {
    const char* kind;
    std::vector<const char*> inputs;
};
const formats_of_kind FORMATS[] = {
    { "c2c_forward", { "", "_real", "_cf16", "_cs16", "_cs8" } },
    { "c2c_inverse", { "", "_real", "_cf16", "_cs16", "_cs8" } },
    { "r2c", { "", "_f16", "_s16", "_s8" } },
    { "c2r", { "", "_cf16", "_cs16", "_cs8" } },
    { "dct2", { "", "_f16", "_s16", "_s8" } },
    { "dst3", { "", "_f16", "_s16", "_s8" } },
};

} // namespace

TEST(CpuLayouts, FramesSideBySide)
{
    for (const std::string& kind : KINDS)
        for (const std::string& precision : PRECISIONS)
            for (const char* n : { "2", "15", "16", "100", "300" })
                for (int threads : { 1, 2 }) {
                    const std::string frames = kind + "_n" + n + "_b37" + precision;
                    expect_right(frames + "_hop1_istrides37", 37, threads);
                    expect_right(frames + "_ostrides37_odist1", 37, threads);
                    expect_right(
                        frames + "_hop1_istrides37_ostrides37_odist1", 37, threads);
                }
}

TEST(CpuLayouts, GapsBetweenPointsLinesAndFrames)
{
    for (const std::string& kind : KINDS)
        for (const std::string& precision : PRECISIONS)
            for (int threads : { 1, 2 })
                for (bool in_place : { false, true }) {
                    const std::string name = kind + "_n8x12_b5" + precision;
                    const std::string input = "_hop999_istrides77x3";
                    const std::string output = "_ostrides70x2_odist911";
                    if (in_place && kind != "r2c" && kind != "c2r") {
                        expect_right(name + "_hop999_istrides77x3_ostrides70x2_odist999",
                                     5,
                                     threads,
                                     true);
                        continue;
                    }
                    expect_right(name + input, 5, threads);
                    expect_right(name + output, 5, threads);
                    expect_right(name + input + output, 5, threads);
                }
}

TEST(CpuLayouts, AxesInAnyOrder)
{
    for (const std::string& kind : KINDS)
        for (const std::string& precision : PRECISIONS)
            for (int threads : { 1, 2 }) {
                const std::string name = kind + "_n6x8x10_b3" + precision;
                expect_right(name + "_istrides1x6x48", 3, threads);
                expect_right(name + "_ostrides8x1x48", 3, threads);
                expect_right(name + "_istrides1x60x6_ostrides1x6x48", 3, threads);
            }
}

TEST(CpuLayouts, OverlappingAndDistantFrames)
{
    for (const std::string& kind : KINDS)
        for (const char* hop : { "1", "5", "33", "100" }) {
            expect_right(kind + "_n32_b20_hop" + hop, 20, 2);
            expect_right(kind + "_n31_b20_f64_hop" + hop, 20, 2);
            expect_right(kind + "_n4x8_b20_hop" + hop, 20, 2);
        }
}

TEST(CpuLayouts, RowsInPlace)
{
    for (const std::string& kind : KINDS)
        for (const std::string& precision : PRECISIONS)
            for (const char* shape : { "16", "31", "100", "1024", "6x9", "40x30" })
                for (int threads : { 1, 2 }) {
                    const std::string name = kind + "_n" + shape + "_b1" + precision;
                    expect_right(name, 1, threads, true);
                    if (kind != "r2c" && kind != "c2r")
                        expect_right(
                            kind + "_n" + shape + "_b17" + precision, 17, threads, true);
                }
    // Rows of 51 complex numbers where 102 real samples were, and back.
    expect_right("r2c_n100_b17_hop102", 17, 2, true);
    expect_right("c2r_n100_b17_odist102", 17, 2, true);
    expect_right("r2c_n8x6_b9_f64_hop64", 9, 2, true);
}

TEST(CpuLayouts, UnalignedMemoryIsTheSame)
{
    for (const std::string& kind : KINDS)
        for (const char* shape : { "16", "31", "100", "6x9" })
            for (const std::string& precision : PRECISIONS) {
                const problem what = named(kind + "_n" + shape + "_b9" + precision);
                const test_data data(what, 9);
                const plan::uptr executes = quick_plan(what, 2);
                const std::size_t bytes = 9 * what.row_bins() * what.output_item_bytes();
                const std::size_t sample = what.is_double() ? 8 : 4;
                for (std::size_t offset : { sample, 3 * sample }) {
                    placed_bytes input(data.input.size(), offset), output(bytes, 0);
                    placed_bytes unaligned(bytes, offset);
                    std::memcpy(input.data(), data.input.data(), data.input.size());
                    executes->execute(input.data(), output.data(), 9);
                    executes->execute(input.data(), unaligned.data(), 9);
                    EXPECT_LE(relative_error(what, output.data(), data.rows),
                              error_bound(what, fftw_error_factor(what)))
                        << what.to_string() << " from " << offset;
                    EXPECT_EQ(std::memcmp(output.data(), unaligned.data(), bytes), 0)
                        << what.to_string() << " to " << offset;
                }
            }
}

TEST(CpuLayouts, Windows)
{
    for (const std::string& kind : KINDS)
        for (const char* shape : { "2", "15", "16", "5x6", "4x3x5" })
            for (const std::string& precision : PRECISIONS)
                expect_right(kind + "_n" + shape + "_b7" + precision + "_window", 7, 2);
}

TEST(CpuLayouts, Shifts)
{
    const std::pair<const char*, std::vector<const char*>> SHIFTS[] = {
        { "c2c_forward", { "_shiftin", "_shiftout", "_window_shiftin_shiftout" } },
        { "c2c_inverse", { "_shiftin_shiftout", "_window_shiftout_scale0.1" } },
        { "r2c", { "_shiftin", "_window_shiftin" } },
        { "c2r", { "_shiftout", "_window_shiftout_scale0.1" } }
    };
    for (const auto& [kind, steps] : SHIFTS)
        for (const char* step : steps)
            for (const char* shape : { "1", "2", "15", "16", "5x6", "4x3x5" })
                for (const std::string& precision : PRECISIONS)
                    expect_right(std::string(kind) + "_n" + shape + "_b7" + precision +
                                     step,
                                 7,
                                 2);
}

TEST(CpuLayouts, EveryFormat)
{
    for (const formats_of_kind& each : FORMATS)
        for (const char* input : each.inputs)
            for (const char* stored : { "", "_outf16", "_outs16", "_outs8" })
                for (const char* shape : { "20", "31", "6x5" })
                    for (const char* steps : { "_scale0.02", "_window" })
                        expect_right(std::string(each.kind) + "_n" + shape + "_b9" +
                                         input + stored + steps,
                                     9,
                                     2);
}

TEST(CpuLayouts, IntegersRoundToTheNearestAndSaturate)
{
    const plan::uptr words = quick_plan(named("dct2_n1_b1_outs16_scale0.5"), 1);
    const auto stored = [&](float value) {
        std::int16_t word = 1234;
        words->execute(&value, &word, 1);
        return word;
    };
    EXPECT_EQ(stored(0.75f / 32768), 1);
    EXPECT_EQ(stored(-0.75f / 32768), -1);
    EXPECT_EQ(stored(0.25f / 32768), 0);
    EXPECT_EQ(stored(-1), -32768);
    EXPECT_EQ(stored(-1e30f), -32768);
    EXPECT_EQ(stored(1), 32767);
    EXPECT_EQ(stored(INFINITY), 32767);
    EXPECT_EQ(stored(NAN), 0);
}

TEST(HalfFloat, ReadsAndWritesEveryValue)
{
    for (std::uint32_t half = 0; half < 65536; ++half) {
        const float value = half_to_float(std::uint16_t(half));
        const int exponent = half >> 10 & 31;
        const double fraction = half & 1023;
        if (exponent == 31 && fraction > 0) {
            EXPECT_TRUE(std::isnan(value));
            EXPECT_TRUE(std::isnan(half_to_float(half_of_float(value))));
            continue;
        }
        const double magnitude = exponent == 31
                                     ? INFINITY
                                     : std::ldexp(fraction + (exponent ? 1024 : 0),
                                                  std::max(exponent, 1) - 25);
        ASSERT_EQ(value, half >= 32768 ? -magnitude : magnitude) << half;
        ASSERT_EQ(half_of_float(value), half);
    }
}

TEST(HalfFloat, RoundsToTheNearestAndTiesToEven)
{
    for (std::uint32_t half = 0; half < 0x7bff; ++half) {
        const float below = half_to_float(std::uint16_t(half));
        const float above = half_to_float(std::uint16_t(half + 1));
        const float middle = (below + above) / 2; // exact
        ASSERT_EQ(half_of_float(middle), half + half % 2);
        ASSERT_EQ(half_of_float(std::nextafter(middle, 0.0f)), half);
        ASSERT_EQ(half_of_float(-std::nextafter(middle, 1e9f)), 0x8000 + half + 1);
    }
    EXPECT_EQ(half_of_float(65519.0f), 0x7bff);
    EXPECT_EQ(half_of_float(65520.0f), 0x7c00);
    EXPECT_EQ(half_of_float(-1e30f), 0xfc00);
}
