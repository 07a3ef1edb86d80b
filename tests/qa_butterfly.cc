// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every butterfly that the planner may use, against the DFT's definition in long double,
// and the constants of its roots of unity to the last bit of float.

#include "butterfly.cuh"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <random>

using namespace gr::gpufft::kernels;

namespace {

typedef std::complex<long double> exact;

exact root(long k, long n) { return std::polar(1.0L, -2 * M_PIl * (k % n) / n); }

template <int Radix>
void check_butterfly()
{
    std::mt19937 generator(Radix);
    std::uniform_real_distribution<float> uniform(-1, 1);
    long double difference = 0, total = 0;
    for (int round = 0; round < 100; ++round) {
        complex x[Radix], before[Radix];
        for (complex& value : x)
            value = { uniform(generator), uniform(generator) };
        std::copy(x, x + Radix, before);
        butterfly<Radix>(x);
        for (int k = 0; k < Radix; ++k) {
            exact sum = 0;
            for (int m = 0; m < Radix; ++m)
                sum += exact(before[m].re, before[m].im) * root(long(m) * k, Radix);
            difference += std::norm(exact(x[k].re, x[k].im) - sum);
            total += std::norm(sum);
        }
    }
    const long double bound = std::sqrt(std::max(1.0L, std::log2((long double)Radix)));
    EXPECT_LT(std::sqrt(difference / total), std::ldexp(1.0L, -24) * bound) << Radix;
}

template <int Radix>
void check_up_to()
{
    check_butterfly<Radix>();
    if constexpr (Radix > 1)
        check_up_to<Radix - 1>();
}

} // namespace

TEST(Butterfly, RadicesToSixteenAreExact) { check_up_to<16>(); }

TEST(Butterfly, LargeRadicesAreExact)
{
    check_butterfly<18>();
    check_butterfly<20>();
    check_butterfly<21>();
    check_butterfly<22>();
    check_butterfly<24>();
    check_butterfly<25>();
    check_butterfly<26>();
    check_butterfly<27>();
    check_butterfly<28>();
    check_butterfly<30>();
    check_butterfly<32>();
}

TEST(Butterfly, RootsAreRightToTheLastBit)
{
    for (int n = 1; n <= 64; ++n) {
        for (int k = -n; k <= 2 * n; ++k) {
            const exact expected = std::conj(root((k + n) % n, n));
            EXPECT_EQ(float(cosine_of_turn(k, n)),
                      std::abs(expected.real()) < 1e-18L ? 0.0f : float(expected.real()))
                << k << "/" << n;
            EXPECT_EQ(float(sine_of_turn(k, n)),
                      std::abs(expected.imag()) < 1e-18L ? 0.0f : float(expected.imag()))
                << k << "/" << n;
        }
    }
}
