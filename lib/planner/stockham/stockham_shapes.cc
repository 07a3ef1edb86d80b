// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists all shapes worth trying and estimates them by a cost model: cost.cc.

#include "stockham_shapes.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr int TARGET_BLOCK_THREADS = 128;           // small blocks idle less at barriers
constexpr std::size_t MAX_SHARED_BYTES = 48 * 1024; // per block of several transforms

// All multisets of at most `passes` radices with product n, in falling order.
void split(int n,
           int passes,
           int largest,
           std::vector<int>& so_far,
           std::vector<std::vector<int>>& found)
{
    if (n == 1) {
        if (!so_far.empty())
            found.push_back(so_far);
        return;
    }
    if (passes == 0)
        return;
    for (int radix : RADICES) {
        if (radix <= largest && n % radix == 0) {
            so_far.push_back(radix);
            split(n / radix, passes - 1, radix, so_far, found);
            so_far.pop_back();
        }
    }
}

// All orders of the radices with all sensible numbers of threads. `like` holds the length
// and what the caller fixes.
void add_shapes(const stockham_shape& like,
                std::vector<int> radices,
                const device_traits& card,
                std::vector<stockham_shape>& shapes)
{
    const bool sums_powers = like.sums_powers;
    const int most = most_points(radices);
    std::sort(radices.begin(), radices.end());
    do {
        std::vector<int> tried;
        for (int radix : radices) {
            for (int butterflies = 1; butterflies * radix <= most; ++butterflies) {
                stockham_shape shape = like;
                shape.radices = radices;
                shape.threads =
                    (shape.elements() / radix + butterflies - 1) / butterflies;
                const int held = 2 * shape.points() + (sums_powers ? shape.results() : 0);
                if (held > 2 * most || shape.threads > MAX_BLOCK_THREADS ||
                    std::count(tried.begin(), tried.end(), shape.threads) > 0)
                    continue;
                tried.push_back(shape.threads);
                if (shape.columns == 1) {
                    shape.transforms = shape.pipelined ? 1 : transforms_of_block(shape);
                    shape.staged_load = shape.staged_store =
                        !shape.pipelined &&
                        !shape.tiled && // fewer lanes do not fill a sector
                        shape.threads < 32 / shape.point_bytes();
                }
                // no bound where it would cause spills: the compiler takes what it needs
                const bool bounded = !shape.staged_load && !sums_powers;
                shape.blocks = bounded ? resident_blocks(shape, card) : 0;
                if ((shape.pipelined || shape.is_double) &&
                    shape.threads * register_target(shape) > card.registers)
                    continue;
                shapes.push_back(shape);
            }
        }
    } while (std::next_permutation(radices.begin(), radices.end()));
}

// The shapes with the best estimates, their paddings not yet chosen.
std::vector<stockham_shape> bare_shapes(const stockham_shape& like,
                                        std::size_t limit,
                                        const device_traits& card,
                                        const shape_estimate& rank)
{
    std::vector<stockham_shape> all;
    for (const std::vector<int>& radices : radix_splits(like.n))
        add_shapes(like, radices, card, all);
    return ranked(std::move(all), limit, rank ? rank : full_estimate(card));
}

stockham_shape tile_like(int n, int columns, bool by_rows, bool is_double)
{
    stockham_shape like;
    like.n = n;
    like.columns = columns;
    like.load_by_rows = by_rows;
    like.is_double = is_double;
    return like;
}

} // namespace

std::vector<stockham_shape> ranked(std::vector<stockham_shape> shapes,
                                   std::size_t limit,
                                   const shape_estimate& rank,
                                   const shape_estimate& least)
{
    typedef std::pair<double, std::size_t> ranked_index;
    std::vector<ranked_index> bounds;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        bounds.emplace_back(least ? least(shapes[i]) : 0.0, i);
    std::sort(bounds.begin(), bounds.end());
    std::vector<ranked_index> costs; // the lowest ones
    for (const auto& [bound, i] : bounds) {
        if (least && costs.size() == limit && bound > costs.back().first)
            break;
        const ranked_index here(rank(shapes[i]), i);
        costs.insert(std::upper_bound(costs.begin(), costs.end(), here), here);
        costs.resize(std::min(costs.size(), limit));
    }
    std::vector<stockham_shape> best;
    for (const auto& [cost, i] : costs)
        best.push_back(shapes[i]);
    return best;
}

int transforms_of_block(const stockham_shape& shape)
{
    const int most = std::max(
        1,
        std::min(int(2 * TARGET_BLOCK_THREADS / shape.threads),
                 int(MAX_SHARED_BYTES / (std::size_t(shape.n) * shape.point_bytes()))));
    int best = 1;
    double best_waste = 1e9;
    for (int transforms = 1; transforms <= most; ++transforms) {
        const int threads = shape.threads * transforms;
        const double idle = double(whole_warps(threads)) / threads - 1;
        const double off_target =
            std::fabs(std::log2(double(threads) / TARGET_BLOCK_THREADS));
        stockham_shape here = shape;
        here.transforms = transforms;
        const double starts = fitted::stockham::BYTES_OF_START / bytes_of_block(here);
        const double waste = idle + 0.05 * off_target + std::max(0.0, starts - 1);
        if (waste < best_waste) {
            best_waste = waste;
            best = transforms;
        }
    }
    return best;
}

std::vector<std::vector<int>> radix_splits(int n)
{
    if (n == 1)
        return { { 1 } };
    std::vector<std::vector<int>> found;
    for (int passes = 1; passes <= 13; ++passes) {
        std::vector<int> so_far;
        split(n, passes, RADICES[0], so_far, found);
        if (!found.empty() && passes > int(found.front().size()))
            break; // the fewest passes, and one more
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Counting bank conflicts is slow, so only shapes that are good without them get
// paddings.
std::vector<stockham_shape> best_shapes(const stockham_shape& like,
                                        std::size_t limit,
                                        const device_traits& card,
                                        const shape_estimate& rank)
{
    std::vector<stockham_shape> padded = bare_shapes(like, limit, card, rank);
    for (stockham_shape& shape : padded)
        choose_paddings(shape);
    return ranked(std::move(padded), limit, rank ? rank : full_estimate(card));
}

std::vector<stockham_shape> stockham_candidates(int n,
                                                const device_traits& card,
                                                std::size_t limit,
                                                bool sums_powers,
                                                bool is_double)
{
    stockham_shape like;
    like.n = n;
    like.sums_powers = sums_powers;
    like.is_double = is_double;
    return best_shapes(like, limit, card);
}

std::vector<stockham_shape> tile_candidates(int n,
                                            int columns,
                                            bool by_rows,
                                            std::size_t limit,
                                            const device_traits& card,
                                            const shape_estimate& rank,
                                            bool is_double)
{
    return best_shapes(tile_like(n, columns, by_rows, is_double), limit, card, rank);
}

std::vector<stockham_shape> bare_tiles(int n,
                                       int columns,
                                       bool by_rows,
                                       std::size_t limit,
                                       const device_traits& card,
                                       const shape_estimate& rank,
                                       bool is_double)
{
    return bare_shapes(tile_like(n, columns, by_rows, is_double), limit, card, rank);
}

shape_estimate full_estimate(const device_traits& card)
{
    return [card](const stockham_shape& shape) { return estimated_cost(shape, card); };
}

shape_estimate tile_estimate(const problem& what, const device_traits& card, double tiles)
{
    if (!is_small_call(what))
        return full_estimate(card);
    return [=](stockham_shape& shape) {
        shape.blocks = useful_bound(shape.blocks, tiles, what, card);
        return launch_cost(
            estimated_cost(shape, card), work_of_tile(shape, tiles, card), what, card);
    };
}

} // namespace gpufft
} // namespace gr
