// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values derived from a shape or a recipe.

#include "recipe.h"

#include <set>

namespace gr {
namespace gpufft {

stockham_shape::pass_axis stockham_shape::axis_of(std::size_t pass) const
{
    pass_axis axis = { n, columns, 1 };
    if (!along.empty()) {
        axis.length = lengths[along[pass]];
        for (std::size_t faster = along[pass] + 1; faster < lengths.size(); ++faster)
            axis.inner *= lengths[faster];
    }
    for (std::size_t p = 0; p < pass; ++p)
        if (along.empty() || along[p] == along[pass])
            axis.span *= radices[p];
    return axis;
}

int stockham_shape::points() const
{
    int most = 1;
    for (std::size_t p = 0; p < radices.size(); ++p) {
        const bool one_by_one = // the last pass, whose results need not wait
            p > 0 && p + 1 == radices.size() && !pipelined && !tiled;
        const int rounds = (elements() / radices[p] + threads - 1) / threads;
        most = std::max(most, radices[p] * (one_by_one ? 1 : rounds));
    }
    return most;
}

int stockham_shape::results() const
{
    return (elements() / radices.back() + threads - 1) / threads * radices.back();
}

int stockham_shape::samples() const
{
    return (elements() / radices.front() + threads - 1) / threads * radices.front();
}

std::size_t stockham_shape::shared_bytes() const
{
    constexpr std::size_t BARRIER_BYTES = 16, COPIED_BYTES = 16;
    const std::size_t point = point_bytes(), own = stride; // elements
    if (pipelined && copied_by_card)
        return elements() * point + BARRIER_BYTES + own * point / 2;
    if (pipelined)
        return std::size_t(samples()) * threads * point + own * point / 2;
    if (tiled) // a single item of 3 bytes may lie in two of the vectors that are copied
        return (copied_by_card ? BARRIER_BYTES : 0) +
               std::max({ 2 * COPIED_BYTES,
                          point * (tile_distance() * transforms + 2),
                          point * own * transforms });
    const bool used = radices.size() > 1 || staged_load || staged_store;
    return used ? own * transforms * point : 0;
}

bool recipe::is_double() const
{
    const std::vector<recipe>& parts = of<parts_fields>().parts;
    return std::any_of(core().shapes.begin(),
                       core().shapes.end(),
                       [](const stockham_shape& shape) { return shape.is_double; }) ||
           std::any_of(parts.begin(), parts.end(), [](const recipe& part) {
               return part.is_double();
           });
}

std::vector<recipe> best_recipes(std::vector<std::pair<double, recipe>> found,
                                 std::size_t limit)
{
    keep_best(found, found.size());
    std::vector<recipe> recipes;
    std::set<std::string> texts; // of those with this cost
    double last = 0;
    for (auto& [cost, how] : found) {
        if (recipes.size() == limit)
            break;
        if (cost != last)
            texts.clear();
        last = cost;
        if (texts.insert(how.to_text()).second)
            recipes.push_back(std::move(how));
    }
    return recipes;
}

// The defaults of all families, made when the library is loaded.
template <class... Fields>
static bool make_defaults(const std::variant<Fields...>&)
{
    const recipe none;
    return (static_cast<const void*>(&none.of<Fields>()) && ...);
}

static const bool s_made_defaults = make_defaults(recipe_fields());

} // namespace gpufft
} // namespace gr
