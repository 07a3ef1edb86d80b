// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes in a fixed order, and the recipes for each.

#include "host_axes_cases.h"
#include "planner/planner.h"
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

namespace gr {
namespace gpufft {

namespace {

constexpr int SMALL = 40; // every shape of two axes up to this length
constexpr int MANY_2D = 150, LONGEST_2D = 300, MANY_3D = 150, LONGEST_3D = 48;
constexpr unsigned SAMPLES = 240; // one of so many shapes
constexpr std::size_t CANDIDATES = 4;

typedef std::vector<std::size_t> shape;

void add_random(std::vector<shape>& shapes,
                std::size_t axes,
                std::size_t count,
                std::size_t longest)
{
    std::mt19937 random(static_cast<unsigned>(axes));
    std::set<shape> found;
    while (found.size() < count) {
        shape next;
        for (std::size_t i = 0; i < axes; ++i)
            next.push_back(1 + random() % longest);
        found.insert(next);
    }
    shapes.insert(shapes.end(), found.begin(), found.end());
}

std::vector<shape> all_shapes()
{
    std::vector<shape> shapes;
    for (std::size_t rows = 1; rows <= SMALL; ++rows)
        for (std::size_t columns = 1; columns <= SMALL; ++columns)
            shapes.push_back({ rows, columns });
    add_random(shapes, 2, MANY_2D, LONGEST_2D);
    add_random(shapes, 3, MANY_3D, LONGEST_3D);
    return shapes;
}

// The part K of N that the environment asks for, or the sample.
std::vector<shape> chosen_shapes()
{
    unsigned part = SAMPLES / 2, parts = SAMPLES;
    const char* const asked = std::getenv("GPUFFT_TEST_AXES");
    if (asked != nullptr &&
        (std::sscanf(asked, "%u/%u", &part, &parts) != 2 || part < 1 || part > parts))
        throw std::invalid_argument("GPUFFT_TEST_AXES is " + std::string(asked) +
                                    ": must be K/N with 1 <= K <= N");
    std::vector<shape> chosen;
    const std::vector<shape> all = all_shapes();
    for (std::size_t i = part - 1; i < all.size(); i += parts)
        chosen.push_back(all[i]);
    return chosen;
}

std::string text_of(const shape& lengths)
{
    std::string text;
    for (const std::size_t length : lengths)
        text += (text.empty() ? "" : "x") + std::to_string(length);
    return text;
}

} // namespace

std::vector<recipe_case> host_axes_cases()
{
    std::vector<recipe_case> cases;
    for (const shape& lengths : chosen_shapes())
        for (const std::string kind :
             { "c2c_forward_n", "c2c_inverse_n", "r2c_n", "c2r_n", "dct2_n", "dct3_n" }) {
            std::set<std::string> known;
            for (const char* batch : { "_b1", "_b9999" }) {
                const problem what =
                    problem::from_string(kind + text_of(lengths) + batch);
                for (const recipe& how :
                     recipe_candidates(what, device_traits(), CANDIDATES))
                    if (known.insert(how.to_text()).second)
                        cases.push_back({ what, how });
            }
        }
    return cases;
}

} // namespace gpufft
} // namespace gr
