// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks every algorithm for its candidates and takes the one with the lowest estimate.

#include "planner.h"
#include "cost.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// The algorithms to ask: the one that the problem names, else all that are not only for
// comparison.
std::vector<algorithm> algorithms_for(const problem& what)
{
    if (!what.algorithm.empty())
        return { find_algorithm(what.algorithm) };
    std::vector<algorithm> asked;
    for (const algorithm& each : algorithms())
        if (each.is_default)
            asked.push_back(each);
    return asked;
}

// What averaging adds to an algorithm's cost. set_average() may turn averaging on in any
// plan of powers, so all plans of powers have this cost.
double averaging_cost(const problem& what, const algorithm& each)
{
    if (!what.is_power() || sums_powers(each, what))
        return 0.0;
    const double written_and_read = 2 * sizeof(float);
    return written_and_read / double(what.input_item_bytes() + what.output_item_bytes());
}

// The algorithms to ask, each with its lower bound on cost, lowest first.
std::vector<std::pair<double, algorithm>> by_least_cost(const problem& what,
                                                        const device_traits& card)
{
    std::vector<std::pair<double, algorithm>> order;
    for (const algorithm& each : algorithms_for(what))
        order.emplace_back(least_cost_of(each, what, card) + averaging_cost(what, each),
                           each);
    keep_best(order, order.size());
    return order;
}

} // namespace

std::string planning_obstacle(const problem& what, const device_traits& card)
{
    if (what.n > MAX_FFT_SIZE)
        return "no GPU kernel for " + what.to_string() +
               ": a card computes at most 2^30 points as a whole";
    std::string reasons;
    for (const algorithm& each : algorithms_for(what)) {
        const std::string reason = obstacle_of(each, what, card);
        if (reason.empty())
            return "";
        if (takes(each, what) || what.algorithm == each.name)
            reasons +=
                (reasons.empty() ? "" : "; ") + std::string(each.name) + ": " + reason;
    }
    return "no GPU kernel for " + what.to_string() + ": " + reasons;
}

std::vector<recipe>
recipe_candidates(const problem& what, const device_traits& card, std::size_t limit)
{
    const std::string obstacle = planning_obstacle(what, card);
    if (!obstacle.empty())
        throw std::invalid_argument(obstacle);
    std::vector<std::pair<double, recipe>> all;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [least_here, each] : by_least_cost(what, card)) {
        if (least_here >= least || !obstacle_of(each, what, card).empty())
            continue;
        for (const recipe& how : each.candidates(what, card)) {
            all.emplace_back(each.cost(what, how, card) + averaging_cost(what, each),
                             how);
            least = std::min(least, all.back().first);
        }
    }
    if (all.empty())
        throw std::invalid_argument("no GPU kernel for " + what.to_string() +
                                    ": no shape of it fits the card");
    return best_recipes(std::move(all), limit);
}

recipe make_recipe(const problem& what, const device_traits& card)
{
    return recipe_candidates(what, card, 1).front();
}

} // namespace gpufft
} // namespace gr
