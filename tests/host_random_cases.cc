// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the tokens of problems' names, of which some do not go together.

#include "host_random_cases.h"
#include "cards.h"
#include "kinds.h"
#include "lottery.h"
#include "planner/planner.h"
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 8; // of which one is drawn

// `count` texts, one of which is drawn with probability `share`, else none.
std::string some(lottery& draw, double share, std::initializer_list<const char*> texts)
{
    return draw.chance(share) ? texts.begin()[draw.below(texts.size())] : "";
}

// A token with a number in it.
std::string
some(lottery& draw, double share, const char* token, std::size_t least, std::size_t most)
{
    return draw.chance(share) ? token + std::to_string(draw.length(least, most)) : "";
}

std::size_t any_length(lottery& draw, std::size_t most)
{
    switch (draw.below(4)) {
    case 0:
        return draw.length(1, 64);
    case 1:
        return draw.prime(2, most);
    case 2:
        return draw.length(2, 16) * draw.prime(3, most / 16);
    default:
        return draw.any(1, most);
    }
}

std::string n_of(std::size_t n) { return "_n" + std::to_string(n); }

std::string batch(lottery& draw)
{
    return "_b" + std::to_string(draw.length(1, 1000000));
}

std::string complex_format(lottery& draw)
{
    return some(draw, 0.4, { "_cs16", "_cs8", "_cf16", "_cs12" });
}

std::string real_format(lottery& draw)
{
    return some(draw, 0.4, { "_s16", "_s8", "_f16", "_s10", "_s12" });
}

std::string stored(lottery& draw)
{
    return some(draw, 0.2, { "_outf16_scale0.1", "_outs16_scale0.1", "_outs8_scale0.1" });
}

std::string plain(lottery& draw)
{
    return KINDS[draw.below(std::size(KINDS))] + n_of(any_length(draw, 1500)) +
           batch(draw) + some(draw, 0.3, { "_f64" }) +
           some(draw, 0.2, { "_shiftin", "_shiftout", "_ortho" });
}

std::string several_axes(lottery& draw)
{
    std::string lengths = std::to_string(draw.length(1, 150));
    const std::size_t more = 1 + draw.below(2);
    for (std::size_t axis = 0; axis < more; ++axis)
        lengths += "x" + std::to_string(draw.length(1, more == 1 ? 100 : 16));
    return some(draw, 1, { "c2c_forward", "c2c_inverse", "r2c", "c2r", "dct2", "dct3" }) +
           "_n" + lengths + batch(draw) + some(draw, 0.3, { "_f64", "_window" });
}

std::string of_stream(lottery& draw)
{
    const std::size_t n = any_length(draw, 1500);
    return some(draw, 1, { "c2c_forward", "c2c_inverse" }) + n_of(n) + batch(draw) +
           complex_format(draw) + some(draw, 0.5, "_hop", 1, 2 * n) +
           some(draw, 0.5, { "_window" }) + some(draw, 0.2, { "_power", "_decibel" }) +
           stored(draw);
}

std::string strided(lottery& draw)
{
    const std::size_t n = any_length(draw, 300), apart = draw.length(2, 5);
    const std::string along = std::to_string(apart),
                      frames = std::to_string(apart * n + draw.below(9));
    return "c2c_forward" + n_of(n) + batch(draw) + complex_format(draw) +
           (draw.chance(0.7) ? "_istrides" + along + "_hop" + frames : "") +
           (draw.chance(0.7) ? "_ostrides" + along + "_odist" + frames : "");
}

std::string mean(lottery& draw)
{
    return some(draw, 1, { "c2c_forward", "r2c" }) + n_of(any_length(draw, 1000)) +
           batch(draw) + some(draw, 0.5, { "_window" }) +
           some(draw, 1, { "_power", "_decibel" }) +
           some(draw, 0.4, { "_max", "_min", "_kurtosis" }) +
           some(draw, 1, "_avg", 2, 5) +
           some(draw, 0.3, { "_smooth0.3", "_holdmax", "_holdmin" });
}

std::string bank(lottery& draw)
{
    const std::size_t n = any_length(draw, 300);
    const bool is_real = draw.chance(0.3);
    return (is_real ? "r2c" : some(draw, 1, { "c2c_forward", "c2c_inverse" })) + n_of(n) +
           batch(draw) + (is_real ? real_format(draw) : complex_format(draw)) +
           some(draw, 0.8, "_hop", 1, 2 * n) + "_window" + some(draw, 1, "_taps", 2, 30) +
           some(draw, 0.7, { "_running" }) + stored(draw);
}

std::string filter(lottery& draw)
{
    const bool is_real = draw.chance(0.4);
    return "filter" + n_of(draw.length(1, 400)) + batch(draw) +
           (is_real ? real_format(draw) + "_real" : complex_format(draw)) +
           some(draw, 0.6, "_hop", 1, 30) +
           (is_real ? "" : some(draw, 0.4, { "_ctaps" })) +
           some(draw, 0.3, "_bins", 2, 6) + stored(draw);
}

std::string synthesis(lottery& draw)
{
    const std::size_t n = any_length(draw, 300);
    return "synthesis" + n_of(n) + batch(draw) + complex_format(draw) +
           some(draw, 1, "_taps", 1, 20) + some(draw, 0.5, "_bins", (n + 1) / 2, n) +
           stored(draw);
}

std::string correlation(lottery& draw)
{
    const std::size_t n = any_length(draw, 100);
    return "correlation" + n_of(n) + batch(draw) + complex_format(draw) +
           some(draw, 0.3, "_hop", 1, 2 * n) + some(draw, 0.3, "_taps", 2, 3) +
           some(draw, 0.6, "_bins", 1, 3) + "_from-0.1_to0.11" +
           some(draw, 1, "_shifts", 2, 7) + some(draw, 0.3, "_delays", 1, n) +
           some(draw, 0.4, "_blocks", 2, 3) + some(draw, 0.7, { "_grid", "_best" });
}

std::string zoom(lottery& draw)
{
    const std::size_t n = any_length(draw, 500);
    return "zoom" + n_of(n) + batch(draw) + complex_format(draw) +
           some(draw, 1, "_bins", 1, 2 * n) + "_from0.1" +
           some(draw, 1, { "_to0.2", "_to0.9" }) +
           some(draw, 0.4, { "_window", "_power" });
}

constexpr std::string (*FAMILIES[])(lottery&) = { plain,       plain,   several_axes,
                                                  of_stream,   strided, mean,
                                                  bank,        filter,  synthesis,
                                                  correlation, zoom };

} // namespace

std::vector<recipe_case> host_random_cases()
{
    unsigned seed = 1, count = 55;
    const char* const asked = std::getenv("GPUFFT_TEST_KERNELS");
    if (asked != nullptr && std::sscanf(asked, "%u/%u", &seed, &count) != 2)
        throw std::invalid_argument("GPUFFT_TEST_KERNELS is " + std::string(asked) +
                                    ": must be SEED/COUNT");
    lottery draw(seed);
    std::vector<recipe_case> cases;
    std::set<std::string> known;
    while (cases.size() < count) {
        const std::string name = FAMILIES[cases.size() % std::size(FAMILIES)](draw);
        const device_traits& card = CARDS[draw.below(std::size(CARDS))];
        problem what;
        std::vector<recipe> found;
        try {
            what = problem::from_string(name);
            found = recipe_candidates(what, card, CANDIDATES);
        } catch (const std::exception&) {
            continue; // tokens that do not go together, or no kernel has the length
        }
        const recipe& how = found.at(draw.below(std::min(found.size(), CANDIDATES)));
        if (known.insert(name + how.to_text()).second)
            cases.push_back({ what, how });
    }
    return cases;
}

} // namespace gpufft
} // namespace gr
