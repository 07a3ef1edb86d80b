// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rader's algorithm: the numbers behind it, its choice of shapes, and its kernel on the
// host engine, in NVRTC and on a GPU.

#include "planner/convolution/convolution.h"
#include "planner/convolution/rader.h"
#include "planner/number_theory.h"
#include "planner/plain_fft.h"
#include "prime_checks.h"

#include <set>

using namespace gr::gpufft;

TEST(NumberTheory, PrimitiveRootsGenerateEveryResidue)
{
    for (std::uint64_t n = 3; n < 600; ++n) {
        if (!is_prime(n))
            continue;
        const std::uint64_t root = primitive_root(n);
        std::set<std::uint64_t> powers;
        for (std::uint64_t e = 0; e + 1 < n; ++e)
            powers.insert(power_mod(root, e, n));
        EXPECT_EQ(powers.size(), n - 1) << root << " mod " << n;
        EXPECT_EQ(root * inverse_mod(root, n) % n, 1u) << n;
    }
    EXPECT_EQ(power_mod(3, (std::uint64_t(1) << 16), 65537), 1u); // Fermat
    EXPECT_EQ(power_mod(2147483646, 2, 2147483647), 1u);
}

TEST(NumberTheory, SmoothNumbers)
{
    EXPECT_TRUE(is_smooth_to(2 * 3 * 5 * 7 * 11 * 13, 13));
    EXPECT_FALSE(is_smooth_to(17, 13));
    EXPECT_EQ(next_smooth(1009, 7), 1024u);
    EXPECT_EQ(next_smooth(1009, 13), 1014u); // 2 3 13^2
}

// Largest difference to the definition, over the length, in units of T's last place.
template <class T>
static double plain_fft_error(long n)
{
    std::vector<std::complex<T>> x;
    for (long m = 0; m < n; ++m)
        x.emplace_back(std::sin(T(m * m % 1000)), std::cos(T(3 * m % 777)));
    const std::vector<std::complex<T>> spectrum = plain_fft(x);
    long double largest = 0;
    for (long k = 0; k < n; k += 1 + n / 40) {
        std::complex<long double> sum = 0;
        for (long m = 0; m < n; ++m)
            sum += std::complex<long double>(x[m]) *
                   std::polar(1.0L, -2 * M_PIl * (m * k % n) / n);
        largest =
            std::max(largest, std::abs(sum - std::complex<long double>(spectrum[k])));
    }
    return double(largest / n / std::numeric_limits<T>::epsilon());
}

TEST(PlainFft, AgreesWithTheDefinition)
{
    for (long n : { 1, 2, 3, 8, 12, 31, 78, 97, 210, 512, 36036, 65536, 109350 }) {
        EXPECT_LT(plain_fft_error<double>(n), 10) << n;
        // the definition's own errors are of the same precision
        EXPECT_LT(plain_fft_error<long double>(n), 100) << n;
    }
}

// The grid's DFT along its axes, with the twiddles, is the DFT of its times in the order
// of its bins.
TEST(Convolution, PointsHaveTheirTimesAndBins)
{
    for (const std::vector<int>& radices : { std::vector<int>{ 7 },
                                             { 6, 13 },
                                             { 4, 6 },
                                             { 16, 9, 7 },
                                             { 6, 4, 5 },
                                             { 3, 4, 9, 5 } }) {
        for (bool linear : { false, true }) {
            const std::vector<long> times = times_of_points(radices, linear);
            const std::vector<long> bins = bins_of_points(radices, linear);
            const long n = long(times.size());
            EXPECT_EQ(std::set<long>(times.begin(), times.end()).size(), times.size());
            EXPECT_EQ(std::set<long>(bins.begin(), bins.end()).size(), bins.size());
            EXPECT_EQ(*std::max_element(times.begin(), times.end()), n - 1);
            EXPECT_EQ(*std::max_element(bins.begin(), bins.end()), n - 1);
            for (long i = 0; linear && i < n; ++i)
                EXPECT_EQ(times[i], i);
        }
    }
}

TEST(Rader, SaysWhatItCannotDo)
{
    const device_traits card;
    const algorithm rader = rader_algorithm();
    problem what;
    for (std::size_t n : { 3, 17, 79, 139, 1009, 4093, 8191, 65537, 786433 }) {
        what.n = n;
        EXPECT_EQ(rader.obstacle(what, card), "") << n;
    }
    what.n = 1001;
    EXPECT_NE(rader.obstacle(what, card).find("1001 is not an odd prime"),
              std::string::npos);
    what.n = 839; // 838 = 2 419
    EXPECT_NE(rader.obstacle(what, card).find("839 minus 1 has a prime factor above 31"),
              std::string::npos);
    what.n = 1048583; // 1048582 = 2 29 101 179
    EXPECT_NE(rader.obstacle(what, card).find("1048583 minus 1 has a prime factor"),
              std::string::npos);
    what.n = 268435399; // minus 1: 2 3 13 ... above 31
    EXPECT_NE(rader.obstacle(what, card), "");
}

TEST(Rader, ShapesFitTheCard)
{
    const device_traits card;
    for (std::size_t n :
         { 3, 5, 17, 79, 139, 257, 1009, 4093, 8191, 12289, 18433, 40961 }) {
        problem what;
        what.algorithm = "rader";
        what.n = n;
        what.batch = (std::size_t(1) << 24) / n;
        const std::vector<recipe> found = recipe_candidates(what, card);
        ASSERT_FALSE(found.empty()) << n;
        for (const recipe& how : found) {
            for (const launch_step& step : build_program(what, how).steps) {
                EXPECT_LE(step.kernel.shared_bytes, card.shared_bytes) << how.to_string();
                EXPECT_LE(step.kernel.block_threads, 1024) << how.to_string();
            }
            int length = 1;
            for (const stockham_shape& shape : how.shapes)
                for (int radix : shape.radices)
                    length *= radix;
            EXPECT_EQ(length, int(n) - 1);
        }
    }
}

TEST(Rader, HostEngineAgreesWithDoublePrecision)
{
    const std::vector<problem> problems = problems_of("rader");
    ASSERT_FALSE(problems.empty());
    for (const problem& what : problems)
        EXPECT_LT(host_error(what), 1.6) << what.to_string();
}

TEST(Rader, EveryWayAgreesWithDoublePrecision) { expect_cases_agree("rader"); }

#ifdef GPUFFT_HAVE_CUDA

TEST(Rader, CompilesWithoutSpills)
{
    if (!find_nvrtc().reason.empty())
        GTEST_SKIP() << find_nvrtc().reason;
    for (const problem& what : problems_of("rader"))
        if (what.average == 1)
            expect_no_spills(what, 90, 2);
    for (int architecture : { 75, 80 })
        expect_no_spills(problem::from_string("c2c_forward_n1009_b9999_algorithm=rader"),
                         architecture,
                         1);
}

TEST(Rader, GpuAgreesWithDoublePrecision)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    std::vector<problem> problems = problems_of("rader");
    for (std::size_t n = 3; n < 4096; ++n) {
        problem what;
        what.n = n;
        what.algorithm = "rader";
        if (n % 16 == 1 && rader_algorithm().obstacle(what, device_traits()).empty())
            problems.push_back(what);
    }
    check_all(problems, 40, 33);
}

#endif // GPUFFT_HAVE_CUDA
