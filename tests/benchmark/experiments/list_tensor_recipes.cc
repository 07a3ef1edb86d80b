// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints recipes of transforms of several axes that take the fewest kernels, one more and
// two more, for bench_recipes: a line "PROBLEM | RECIPE" each. Gu, Li, Siegel (ICS'10,
// section 4.2) search over the number of kernels, because the fewest are not always best;
// the planner takes the fewest.
//   list_tensor_recipes [ELEMENTS] > FILE        ELEMENTS together, default 2^24

#include "planner/axes/tensor_cuts.h"
#include "planner/axes/tensor_shapes.h"
#include "planner/card.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace gr::gpufft;

namespace {

typedef std::vector<std::vector<int>> cut_lengths; // of the axes in each step

constexpr std::size_t CUTS = 3;   // of each number of kernels
constexpr std::size_t SHAPES = 2; // whose costs are compared, for each number of columns
constexpr int MORE = 2;           // kernels than the fewest
constexpr int MAX_COLUMNS = 64;

const std::vector<std::string> SHAPES_OF_FRAMES = {
    "64x64",     "128x128",  "256x256",  "512x512",    "1024x1024",
    "2048x2048", "32x32x32", "64x64x64", "128x128x128"
};

// All ways to cut the axes from `axis` down, of which `left` points are to be
// transformed, into `steps` more steps. The last axis is whole in the first step: its
// points lie side by side.
void cut(const std::vector<std::size_t>& lengths,
         std::size_t axis,
         std::size_t left,
         std::size_t steps,
         cut_lengths so_far,
         std::vector<cut_lengths>& found)
{
    const auto go_on = [&](std::size_t next, std::size_t points) {
        if (so_far.size() < steps) { // in a step of its own
            cut_lengths longer = so_far;
            longer.push_back({});
            cut(lengths, next, points, steps, longer, found);
        }
    };
    for (std::size_t length = 2; length <= left; length *= 2) {
        if (axis + 1 == lengths.size() && length < left)
            continue;
        so_far.back().insert(so_far.back().begin(), int(length));
        if (length < left) {
            go_on(axis, left / length);
        } else if (axis == 0) {
            if (so_far.size() == steps)
                found.push_back(so_far);
        } else {
            go_on(axis - 1, lengths[axis - 1]);
            cut(lengths, axis - 1, lengths[axis - 1], steps, so_far, found);
        }
        so_far.back().erase(so_far.back().begin());
    }
}

std::size_t largest_step(const cut_lengths& steps)
{
    std::size_t most = 0;
    for (const std::vector<int>& lengths : steps) {
        std::size_t points = 1;
        for (int length : lengths)
            points *= std::size_t(length);
        most = std::max(most, points);
    }
    return most;
}

// The cheapest shape of step s by the planner's estimate; false if none fits a block.
bool choose_shape(const problem& what,
                  std::vector<tensor_cut>& cuts,
                  std::size_t s,
                  const device_traits& card,
                  stockham_shape& best)
{
    const tensor_step bare = tensor_steps(what.lengths, cuts)[s];
    double least = -1;
    const int most = s == 0 ? 1 : MAX_COLUMNS;
    for (int columns = 1; columns <= most; columns *= 2) {
        if (!has_columns(bare, std::size_t(columns)))
            continue;
        cuts[s].columns = columns;
        const tensor_step step = tensor_steps(what.lengths, cuts)[s];
        stockham_shape like;
        like.columns = columns;
        for (const stockham_shape& shape : tensor_shapes(step, like, SHAPES, card)) {
            if (shape.shared_bytes() > card.shared_bytes)
                continue;
            const double cost = tensor_step_cost(step, shape, card);
            if (least < 0 || cost < least) {
                least = cost;
                best = shape;
            }
        }
    }
    cuts[s].columns = least < 0 ? 1 : best.columns;
    return least >= 0;
}

// False if a step fits no block.
bool print_recipe(const problem& what,
                  const cut_lengths& steps,
                  const device_traits& card)
{
    recipe how{ "tensor", what.n, {}, cluster_fields(), what.axes() };
    std::vector<tensor_cut> cuts;
    for (const std::vector<int>& lengths : steps)
        cuts.push_back({ lengths, 1 });
    for (std::size_t s = 0; s < steps.size(); ++s) {
        stockham_shape shape;
        if (!choose_shape(what, cuts, s, card, shape))
            return false;
        how.shapes.push_back(shape);
    }
    std::cout << what.to_string() << " | " << how.to_text() << "\n";
    return true;
}

void print_recipes(const problem& what, const device_traits& card)
{
    int printed = 0;
    for (int steps = 1; steps <= MOST_TENSOR_STEPS && printed <= MORE; ++steps) {
        std::vector<cut_lengths> found;
        const std::size_t last = what.lengths.size() - 1;
        cut(what.lengths, last, what.lengths[last], std::size_t(steps), { {} }, found);
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return largest_step(a) < largest_step(b);
        });
        std::size_t count = 0;
        for (std::size_t i = 0; i < found.size() && count < CUTS; ++i)
            count += print_recipe(what, found[i], card);
        printed += count > 0;
    }
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const std::size_t elements =
            argc > 1 ? std::stoul(argv[1]) : std::size_t(1) << 24;
        for (const std::string& shape : SHAPES_OF_FRAMES) {
            problem what = problem::from_string("c2c_forward_n" + shape + "_b1");
            what.batch = std::max<std::size_t>(elements / what.n, 1);
            print_recipes(what, device_traits());
        }
    } catch (const std::exception& error) {
        std::cerr << "list_tensor_recipes: " << error.what() << "\n";
        return 1;
    }
}
