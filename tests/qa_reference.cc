// SPDX-License-Identifier: GPL-3.0-or-later
//
// The truth is true: the reference's transforms are the sums that define them, forwards
// and backwards undo each other, and formats, strides and shifts are what problem.h says.

#include "reference_dft.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace gr::gpufft;

namespace {

const transform_kind ALL_KINDS[] = { transform_kind::c2c,  transform_kind::r2c,
                                     transform_kind::c2r,  transform_kind::dct1,
                                     transform_kind::dct2, transform_kind::dct3,
                                     transform_kind::dct4, transform_kind::dst1,
                                     transform_kind::dst2, transform_kind::dst3,
                                     transform_kind::dst4 };

const std::vector<std::size_t> SHAPES[] = {
    { 1 },    { 2 },    { 3 },    { 4 },       { 5 },       { 8 },
    { 9 },    { 15 },   { 16 },   { 31 },      { 60 },      { 101 },
    { 2, 2 }, { 3, 4 }, { 8, 5 }, { 2, 3, 4 }, { 5, 2, 3 }, { 2, 3, 2, 4 }
};

spectrum random_points(const problem& what, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const bool is_real = what.kind == transform_kind::r2c || what.is_real_to_real();
    spectrum points(what.frame_samples());
    for (auto& point : points) {
        const double real = uniform(generator);
        point = { real, is_real ? 0.0 : uniform(generator) };
    }
    return points;
}

long double difference(const spectrum& actual, const spectrum& expected)
{
    long double sum = 0, total = 0;
    EXPECT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        sum += std::norm(actual[i] - expected[i]);
        total += std::norm(expected[i]);
    }
    return std::sqrt(sum / total);
}

bool has_kind(transform_kind kind, const std::vector<std::size_t>& lengths)
{
    for (std::size_t length : lengths)
        if (kind == transform_kind::dct1 && length < 2)
            return false;
    return true;
}

bool has_orthogonal(const problem& what)
{
    return what.is_real_to_real() && what.kind != transform_kind::dct4 &&
           what.kind != transform_kind::dst4;
}

// Every kind with every shape, `orthogonal` too, and c2c both ways.
template <class F>
void for_each_transform(bool is_double, const F& function)
{
    for (transform_kind kind : ALL_KINDS)
        for (const std::vector<std::size_t>& lengths : SHAPES) {
            if (!has_kind(kind, lengths))
                continue;
            problem what = problem::make(kind, lengths, 1, is_double);
            function(what);
            if (has_orthogonal(what)) {
                what.orthogonal = true;
                function(what);
            }
            if (kind == transform_kind::c2c) {
                what.dir = direction::inverse;
                function(what);
            }
        }
}

// The reference's bins of one frame.
spectrum frame_of(const std::string& name,
                  const void* samples,
                  std::size_t bytes,
                  const std::vector<float>& window = {})
{
    std::vector<std::uint8_t> frame(bytes);
    std::memcpy(frame.data(), samples, bytes);
    return reference_frame(problem::from_string(name), frame.data(), window);
}

void expect_values(const spectrum& actual, const std::vector<double>& expected)
{
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(double(actual[i].real()), expected[i], 1e-12) << i;
        EXPECT_NEAR(double(actual[i].imag()), 0, 1e-12) << i;
    }
}

} // namespace

TEST(Reference, TransformsAreTheSumsThatDefineThem)
{
    for (bool is_double : { false, true })
        for_each_transform(is_double, [&](const problem& what) {
            const spectrum x = random_points(what, 5);
            EXPECT_LT(difference(reference_transform(what, x), direct_transform(what, x)),
                      is_double ? 1e-18 : 4e-15)
                << what.to_string();
        });
}

TEST(Reference, ZoomIsAPieceOfALongerTransform)
{
    problem zoom = problem::from_string("zoom_n15_b1_f64_bins10_from0.25_to0.40625");
    spectrum x = random_points(zoom, 7);
    const spectrum bins = reference_transform(zoom, x);
    x.resize(64);
    const spectrum all =
        reference_transform(problem::make(transform_kind::c2c, { 64 }, 1, true), x);
    const spectrum piece(all.begin() + 16, all.begin() + 26);
    EXPECT_LT(difference(bins, piece), 1e-18);
}

TEST(Reference, OrthogonalMatricesAreTransposedByTheirInverse)
{
    // (kind, inverse) pairs of orthogonal matrices: sqrt(1 / (2n)) each, n-1 for dct1,
    // n+1 for dst1.
    const std::pair<transform_kind, transform_kind> PAIRS[] = {
        { transform_kind::dct1, transform_kind::dct1 },
        { transform_kind::dct2, transform_kind::dct3 },
        { transform_kind::dct4, transform_kind::dct4 },
        { transform_kind::dst1, transform_kind::dst1 },
        { transform_kind::dst2, transform_kind::dst3 },
        { transform_kind::dst4, transform_kind::dst4 }
    };
    for (const auto& [kind, inverse] : PAIRS)
        for (std::size_t n : { 2, 3, 8, 15 }) {
            problem there = problem::make(kind, { n }, 1, true);
            problem back = problem::make(inverse, { n }, 1, true);
            there.orthogonal = back.orthogonal = has_orthogonal(there);
            const long double factor = kind == transform_kind::dct1   ? 2 * n - 2
                                       : kind == transform_kind::dst1 ? 2 * n + 2
                                                                      : 2 * n;
            const spectrum x = random_points(there, 6);
            spectrum y = reference_transform(there, x);
            long double energy = 0, expected = 0;
            for (std::size_t k = 0; k < n; ++k) {
                energy += std::norm(y[k]) / factor;
                expected += std::norm(x[k]);
            }
            EXPECT_NEAR(double(energy / expected), 1, 1e-15) << there.to_string();
            for (auto& value : y)
                value /= factor;
            EXPECT_LT(difference(reference_transform(back, y), x), 1e-17)
                << there.to_string();
        }
}

TEST(Reference, FormatsHaveFullScaleOne)
{
    const std::int16_t words[] = { 32767, -32768 };
    expect_values(frame_of("c2r_n1_b1_cs16", words, 4), { 32767 / 32768.0 });
    expect_values(frame_of("dst2_n1_b1_s16", words + 1, 2), { -2 });
    const std::int8_t bytes[] = { 127, -128 };
    expect_values(frame_of("dct2_n1_b1_s8", bytes, 1), { 2 * 127 / 128.0 });
    const std::uint16_t halfs[] = {
        0x3c00, 0xc100, 0x0001, 0x7bff
    }; // 1 -2.5 2^-24 65504
    expect_values(frame_of("dct4_n1_b1_f16", halfs + 1, 2), { -5 * std::sqrt(0.5) });
    expect_values(frame_of("r2c_n2_b1_f16", halfs, 4), { -1.5, 3.5 });
    expect_values(frame_of("r2c_n1_b1_f16", halfs + 2, 2), { std::ldexp(1.0, -24) });
    expect_values(frame_of("r2c_n1_b1_f16", halfs + 3, 2), { 65504 });
}

TEST(Reference, StridesSelectSamples)
{
    const float x[] = { 1, 9, 2, 9, 3, 9, 9, 4, 9, 5, 9, 6 };
    const float y[] = { 1, 2, 3, 4, 5, 6 };
    EXPECT_LT(difference(frame_of("dct3_n2x3_b1_istrides7x2", x, sizeof(x)),
                         frame_of("dct3_n2x3_b1", y, sizeof(y))),
              1e-15);
}

TEST(Reference, ShiftsGoAlongEveryAxis)
{
    const float x[] = { 0, 1, 2, 3, 4, 5 };     // 2 x 3
    const float moved[] = { 4, 5, 3, 1, 2, 0 }; // [(i + 1) mod 2][(j + 1) mod 3]
    EXPECT_LT(difference(frame_of("r2c_n2x3_b1_shiftin", x, sizeof(x)),
                         frame_of("r2c_n2x3_b1", moved, sizeof(moved))),
              1e-15);
    const spectrum plain = frame_of("c2c_forward_n2x3_b1_real", x, sizeof(x));
    const spectrum turned = frame_of("c2c_forward_n2x3_b1_real_shiftout", x, sizeof(x));
    EXPECT_LT(difference(turned,
                         { plain[5], plain[3], plain[4], plain[2], plain[0], plain[1] }),
              1e-15);
}

TEST(Reference, WindowMeetsSamplesBeforeTheShift)
{
    const float x[] = { 1, 2, 3 };
    const float expected[] = { 20, 300, 1 }; // y[(m + 1) mod 3] to m
    EXPECT_LT(difference(frame_of("r2c_n3_b1_window_shiftin", x, 12, { 1, 10, 100 }),
                         frame_of("r2c_n3_b1", expected, 12)),
              1e-15);
}

TEST(Reference, ErrorsAreWhatRoundingDoesNotExplain)
{
    problem what = problem::from_string("dct2_n1_b1_s16_outs8");
    const auto error = [&](double expected, std::int8_t actual) {
        return relative_error(what, &actual, { { expected } });
    };
    EXPECT_EQ(error(0.5, 64), 0);
    EXPECT_EQ(error(0.5 + 0.499 / 128, 64), 0);
    EXPECT_NEAR(error(0.5 + 0.6 / 128, 64), 0.1 / 64, 1e-4);
    EXPECT_EQ(error(2, 127), 0);
    EXPECT_EQ(error(-2, -128), 0);
    EXPECT_GT(error(-2, 127), 0.9);
    what.stored = number_format::f16;
    const auto half_error = [&](double expected, std::uint16_t actual) {
        return relative_error(what, &actual, { { expected } });
    };
    EXPECT_EQ(half_error(1 + 1.0 / 2048, 0x3c00), 0);
    EXPECT_EQ(half_error(1 + 1.0 / 2048, 0x3c01), 0);
    EXPECT_GT(half_error(1, 0x3c01), 4e-4);
    EXPECT_EQ(half_error(std::ldexp(1.0, -25), 0x0000), 0);
    EXPECT_TRUE(std::isnan(half_error(1, 0x7e00)));
}
