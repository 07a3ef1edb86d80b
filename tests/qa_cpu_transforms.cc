// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's transforms of every kind, length, number of axes and precision against
// the truth.

#include "transform_cases.h"

using namespace gr::gpufft;

namespace {

const std::size_t LENGTHS[] = { 1,  2,  3,  4,  5,  7,  8,   12,  15,  16,  25,   31,
                                14, 17, 46, 47, 48, 64, 100, 127, 128, 313, 1000, 1024 };

const std::string SHAPES[] = { "1x1",   "2x1",    "1x3",     "2x2",    "4x3",   "5x8",
                               "16x16", "7x33",   "100x64",  "64x100", "70x96", "2x3x4",
                               "8x8x8", "5x1x16", "3x5x7x2", "9x16x20" };

} // namespace

TEST(CpuTransforms, EveryKindAndLength)
{
    for (const std::string& kind : KINDS)
        for (std::size_t length : LENGTHS)
            for (const std::string& precision : PRECISIONS) {
                const std::string n = std::to_string(length);
                if (has_kind(kind, n))
                    expect_right(kind + "_n" + n + "_b1" + precision, 1);
            }
}

TEST(CpuTransforms, LongLengths)
{
    for (const char* kind : { "c2c_forward", "r2c", "c2r", "dct2", "dct3", "dst4" })
        for (const char* n : { "4093", "8192", "10000", "65536" })
            for (const std::string& precision : PRECISIONS)
                expect_right(std::string(kind) + "_n" + n + "_b1" + precision, 1);
}

TEST(CpuTransforms, Batches)
{
    for (const std::string& kind : KINDS)
        for (std::size_t n : { 2, 3, 16, 31, 79, 100, 134, 513 })
            for (const std::string& precision : PRECISIONS)
                for (std::size_t batch : { 2, 21, 100 })
                    for (int threads : { 1, 3 })
                        expect_right(kind + "_n" + std::to_string(n) + "_b" +
                                         std::to_string(batch) + precision,
                                     batch,
                                     threads);
}

TEST(CpuTransforms, MoreAndFewerFramesThanPlanned)
{
    for (const std::string& kind : KINDS)
        for (const char* shape : { "16", "5x6" })
            for (std::size_t frames : { 1, 5, 40 })
                expect_right(kind + "_n" + shape + "_b8_f64", frames, 2);
}

TEST(CpuTransforms, SeveralAxes)
{
    for (const std::string& kind : KINDS)
        for (const std::string& shape : SHAPES)
            for (const std::string& precision : PRECISIONS)
                for (int threads : { 1, 2 })
                    if (has_kind(kind, shape))
                        expect_right(kind + "_n" + shape + "_b3" + precision, 3, threads);
}

TEST(CpuTransforms, AllThreadsWorkOnALongFrame)
{
    for (const std::string& kind : KINDS)
        for (int threads : { 2, 5 })
            for (bool in_place : { false, true })
                expect_right(kind + "_n160x300_b1", 1, threads, in_place);
}

TEST(CpuTransforms, ManyAxes)
{
    expect_right("c2c_forward_n2x1x2x3x1x2x1x1x2x1x3_b3", 3, 2);
    expect_right("dct2_n2x1x2x3x1x2x1x1x2x1x3_b3_f64", 3, 2);
}

TEST(CpuTransforms, OrthogonalKinds)
{
    for (const char* kind : { "dct1", "dct2", "dct3", "dst1", "dst2", "dst3" })
        for (const char* shape : { "2", "9", "16", "100", "3x4", "20x31", "4x3x5" })
            for (const std::string& precision : PRECISIONS)
                expect_right(std::string(kind) + "_n" + shape + "_b9" + precision +
                                 "_ortho_scale0.125",
                             9);
}

TEST(CpuTransforms, PowersOfEveryComplexKind)
{
    for (const char* name : { "r2c_n64_b9_power",
                              "r2c_n65_b9_f16_window_power_avg3",
                              "r2c_n100_b9_s16_hop50_window_decibel_scale0.01",
                              "c2c_forward_n64_b9_cf16_shiftin_power_shiftout_smooth0.25",
                              "c2c_forward_n16x31_b9_cs16_window_decibel_shiftout_avg4",
                              "c2c_inverse_n31x16_b9_real_power_shiftout",
                              "r2c_n12x20_b9_s8_shiftin_power_avg9",
                              "c2c_forward_n20_b9_hop1_istrides9_power" })
        for (int threads : { 1, 2 })
            expect_right(name, 9, threads);
}

TEST(CpuTransforms, Zooms)
{
    for (const char* name : { "zoom_n1_b1",
                              "zoom_n1_b3_bins5_from0.25",
                              "zoom_n2_b1_bins1_from-0.3_to0.1",
                              "zoom_n100_b3",
                              "zoom_n31_b9_bins200_from0.1_to0.2",
                              "zoom_n1000_b2_bins77_from1000.1_to1000.11",
                              "zoom_n500_b2_bins500_from0.3_to-0.3",
                              "zoom_n64_b3_bins10_from0.1_to0.1_window_hop16",
                              "zoom_n40_b3_istrides3_ostrides2_odist99_bins20_from0.2" })
        for (const std::string& precision : PRECISIONS)
            for (int threads : { 1, 3 })
                expect_right(name + precision, 5, threads);
    for (const char* name : { "zoom_n100_b9_cs16_bins30_from0.4_to0.6_power_avg3",
                              "zoom_n60_b2_cf16_outs16_bins30_from0.1_scale0.01",
                              "zoom_n60_b2_cs8_decibel_bins30_from0.1_to0.3" })
        expect_right(name, 9, 2);
    expect_right("zoom_n60_b1_bins90_from0.1_to0.3", 1, 1, true);
}

// A step that no float has, m^2 beyond its digits.
TEST(CpuTransforms, ZoomOfALongFrameFindsATone)
{
    const std::size_t n = 1000000;
    const double f = 0.123456, step = 1.0 / (64.0 * double(n));
    problem what = named("zoom_n1000000_b1_bins129_f64");
    what.f_start = f - 64 * step;
    what.f_stop = f + 65 * step;
    std::vector<std::complex<double>> tone(n), bins(129);
    for (std::size_t m = 0; m < n; ++m) {
        const long double turns = std::fmod((long double)f * m, 1.0L);
        tone[m] = std::polar(1.0, double(2 * std::acos(-1.0L) * turns));
    }
    quick_plan(what, 1)->execute(tone.data(), bins.data(), 1);
    EXPECT_LT(std::abs(bins[64] / double(n) - 1.0), 1e-11);
    EXPECT_LT(std::abs(bins[0]) / double(n), 1e-11); // 64 steps are a bin of n points
    EXPECT_LT(std::abs(bins[128]) / double(n), 1e-11);
}

TEST(CpuTransforms, WindowsMayBeDouble)
{
    const problem what = named("r2c_n96_b1_f64_window");
    std::vector<double> taps(96), x(96), windowed(96);
    std::vector<std::complex<double>> actual(49), expected(49);
    for (std::size_t m = 0; m < 96; ++m) {
        taps[m] = 0.1 + std::cos(0.1 * double(m)); // no float has this value
        x[m] = std::sin(double(m * m));
        windowed[m] = taps[m] * x[m];
    }
    const plan::uptr with = quick_plan(what, 1);
    with->set_double_window(taps);
    with->execute(x.data(), actual.data(), 1);
    quick_plan(named("r2c_n96_b1_f64"), 1)->execute(windowed.data(), expected.data(), 1);
    EXPECT_EQ(actual, expected);
    EXPECT_THROW(with->set_double_window(std::vector<double>(49)), std::invalid_argument);
}

TEST(CpuTransforms, SettersActOnTheNextCall)
{
    problem now = named("dct2_n24_b8_window");
    const plan::uptr executes = quick_plan(now, 1);
    const auto expect = [&] {
        const test_data data(now, 8);
        executes->set_window(data.window);
        std::vector<float> rows(8 * 24);
        executes->execute(data.input.data(), rows.data(), 8);
        EXPECT_LE(relative_error(now, rows.data(), data.rows), error_bound(now));
    };
    expect();
    executes->set_hop(now.hop = 7);
    expect();
    executes->set_scale(now.scale = -0.25);
    expect();
    executes->set_threads(3);
    expect();
}

TEST(CpuTransforms, SayWhatTheyDo)
{
    const auto described = [](const std::string& name, int threads) {
        return quick_plan(named(name), threads)->describe();
    };
    EXPECT_EQ(described("r2c_n4096_b1", 1),
              "cpu: fftw(r2c 4096), 1 thread, load f32, store complex");
    EXPECT_EQ(described("dct2_n8x12_b1_s16_outs8_ortho_scale0.5", 2),
              "cpu: fftw(dct2 8x12 orthogonal axis by axis), 2 threads, load s16, store "
              "real scale(0.5) s8");
    EXPECT_EQ(described("c2c_forward_n100_b7_f64_hop1_istrides7_window_shiftin_"
                        "shiftout_ostrides7_odist1",
                        1),
              "cpu: fftw(c2c 100), 1 thread, load cf64 window shift strides(7) hop(1), "
              "store complex shift strides(7) distance(1)");
    EXPECT_EQ(described("zoom_n100_b1_bins20_from0.1_to0.2", 1),
              "cpu: fftw(zoom 100 to 20 bins of 0.1 ... 0.2), 1 thread, load cf32, store "
              "complex");
    EXPECT_EQ(described("dst4_n4096_b1", 1),
              "cpu: fftw(dst4 4096 by c2c), 1 thread, load f32, store real");
    EXPECT_EQ(
        described("dct3_n8x64_b1_f64", 1),
        "cpu: fftw(dct3 8x64 partly by c2r axis by axis), 1 thread, load f64, store "
        "real");
    EXPECT_EQ(described("c2c_inverse_n79_b1", 1),
              "cpu: fftw(79 by a chirp of 160), 1 thread, load cf32, store complex");
    EXPECT_EQ(described("dct1_n132_b1", 1),
              "cpu: fftw(dct1 132 by r2c, 262 by a chirp of 512), 1 thread, load f32, "
              "store real");
    EXPECT_EQ(described("c2c_forward_n79x64x41_b1_f64", 1),
              "cpu: fftw(c2c 79x64x41 axis by axis, 79 by a chirp of 160, 41 by a chirp "
              "of 96), 1 thread, load cf64, store complex");
    EXPECT_EQ(described("r2c_n4x6_b1_power_avg3", 1),
              "cpu: fftw(r2c 4x6 axis by axis), 1 thread, load f32, store power mean(3)");
}
