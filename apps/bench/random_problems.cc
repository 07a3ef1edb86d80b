// SPDX-License-Identifier: GPL-3.0-or-later
//
// A family is a way to draw lengths.

#include "random_problems.h"
#include "lottery.h"
#include <algorithm>
#include <string>

namespace gr {
namespace gpufft {

namespace {

std::string c2c(lottery& draw)
{
    return draw.chance(0.5) ? "c2c_forward_n" : "c2c_inverse_n";
}

std::string smooth_to_8192(lottery& draw)
{
    return c2c(draw) + std::to_string(draw.smooth(2, 8192));
}

std::string smooth_larger(lottery& draw)
{
    return c2c(draw) + std::to_string(draw.smooth(8193, std::size_t(1) << 22));
}

std::string prime(lottery& draw)
{
    return c2c(draw) + std::to_string(draw.prime(SMALLEST_PRIME, std::size_t(1) << 20));
}

std::string k_times_prime(lottery& draw)
{
    const std::size_t k = draw.length(2, 64), p = draw.prime(SMALLEST_PRIME, 4096);
    return c2c(draw) + std::to_string(k * p);
}

std::string real(lottery& draw)
{
    return (draw.chance(0.5) ? "r2c_n" : "c2r_n") +
           std::to_string(draw.any(8, std::size_t(1) << 21));
}

std::string dct_or_dst(lottery& draw)
{
    const std::string kind = draw.chance(0.7) ? "dct" : "dst";
    const std::string type = std::to_string(1 + draw.below(4));
    return kind + type + "_n" + std::to_string(draw.any(8, std::size_t(1) << 18));
}

// Lengths of `axes` axes with at most 2^24 points.
std::string matrix(lottery& draw, int axes, std::size_t longest)
{
    for (;;) {
        std::string lengths;
        std::size_t points = 1;
        for (int axis = 0; axis < axes; ++axis) {
            const std::size_t n = draw.smooth(4, longest);
            lengths += (axis > 0 ? "x" : "") + std::to_string(n);
            points *= n;
        }
        if (points <= std::size_t(1) << 24)
            return (draw.chance(0.7) ? c2c(draw) : "r2c_n") + lengths;
    }
}

std::string two_axes(lottery& draw) { return matrix(draw, 2, 8192); }
std::string three_axes(lottery& draw) { return matrix(draw, 3, 512); }

// With their batch: 2^10 ... 2^22 points together.
std::string small_batch(lottery& draw)
{
    const std::size_t n = draw.smooth(16, std::size_t(1) << 20);
    const std::size_t points = draw.length(1 << 10, std::size_t(1) << 22);
    return c2c(draw) + std::to_string(n) + "_b" +
           std::to_string(std::max<std::size_t>(points / n, 1));
}

std::string in_double(lottery& draw)
{
    const std::string text =
        draw.chance(0.7) ? c2c(draw) : std::string(draw.chance(0.5) ? "r2c_n" : "c2r_n");
    return text + std::to_string(draw.any(8, std::size_t(1) << 20)) + "_f64";
}

struct random_family {
    const char* name;
    std::string (*draw)(lottery&);
};

constexpr random_family FAMILIES[] = {
    { "smooth_to_8192", smooth_to_8192 },
    { "smooth_larger", smooth_larger },
    { "prime", prime },
    { "k_times_prime", k_times_prime },
    { "real", real },
    { "dct_or_dst", dct_or_dst },
    { "2d", two_axes },
    { "3d", three_axes },
    { "small_batches", small_batch },
    { "double", in_double },
};

} // namespace

std::vector<bench_case>
random_problems(std::uint64_t seed, std::size_t rows, std::size_t elements)
{
    constexpr std::size_t families = std::size(FAMILIES);
    std::vector<bench_case> cases;
    for (std::size_t f = 0; f < families; ++f) {
        lottery draw(seed * families + f);
        for (std::size_t row = f; row < rows; row += families) {
            const std::string text = FAMILIES[f].draw(draw);
            problem what = problem::from_string(text);
            if (text.find("_b") == std::string::npos)
                what.batch = std::max<std::size_t>(elements / what.n, 1);
            cases.push_back({ FAMILIES[f].name, what });
        }
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
