// SPDX-License-Identifier: GPL-3.0-or-later
//
// Radices and threads of a cluster's tiles, for the least work of a thread.

#include "cluster_tiles.h"
#include "planner/cost.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

constexpr int MIN_THREADS = 64;

// Points that a thread holds in a pass.
int points_of_pass(const stockham_shape& tile, int radix)
{
    return divide_up(tile.elements() / radix, tile.threads) * radix;
}

// What a thread does and holds in a pass of a tile.
double pass_work(const stockham_shape& tile, int radix, bool is_first)
{
    const double operations = (is_first ? 4 : 16) + butterfly_operations(radix);
    return operations * points_of_pass(tile, radix);
}

// Extends the falling list of radices, all from `among`, to the product n in every way
// that may have less work than the best one, and keeps the tile with the least.
void search_radices(int n,
                    double work,
                    const std::vector<int>& among,
                    stockham_shape& tile,
                    std::pair<double, stockham_shape>& best)
{
    if (work >= best.first)
        return;
    if (n == 1) {
        best = { work, tile };
        return;
    }
    if (tile.radices.size() == 4)
        return;
    for (int radix : among) {
        if (n % radix == 0 && (tile.radices.empty() || radix <= tile.radices.back())) {
            const double more = pass_work(tile, radix, tile.radices.empty());
            tile.radices.push_back(radix);
            search_radices(n / radix, work + more, among, tile, best);
            tile.radices.pop_back();
        }
    }
}

} // namespace

int points_held(const stockham_shape& tile)
{
    int most = 0;
    for (int radix : tile.radices)
        most = std::max(most, points_of_pass(tile, radix));
    return most;
}

double tile_work(const stockham_shape& tile)
{
    double sum = 0;
    for (std::size_t p = 0; p < tile.radices.size(); ++p)
        sum += pass_work(tile, tile.radices[p], p == 0);
    return sum;
}

std::optional<stockham_shape>
cluster_tile(int n, int columns, int threads, bool is_double)
{
    stockham_shape tile;
    tile.is_double = is_double;
    tile.n = n;
    tile.columns = columns;
    tile.threads = threads;
    std::vector<int> divisors;
    for (int radix : RADICES)
        if (n % radix == 0 && points_of_pass(tile, radix) <= MAX_CLUSTER_POINTS)
            divisors.push_back(radix);
    constexpr double none = std::numeric_limits<double>::infinity();
    std::pair<double, stockham_shape> best(none, {});
    search_radices(n, 0, divisors, tile, best);
    return best.first < none ? std::optional(best.second) : std::nullopt;
}

std::vector<int> cluster_thread_counts(int elements, int length)
{
    std::vector<int> counts;
    for (int radix : RADICES)
        for (int rounds = 1; length % radix == 0 && rounds * radix <= MAX_CLUSTER_POINTS;
             ++rounds)
            for (bool fills_warps : { false, true }) {
                const int exact = divide_up(elements / radix, rounds);
                const int threads = fills_warps ? whole_warps(exact) : exact;
                if (threads >= MIN_THREADS && threads <= MAX_BLOCK_THREADS &&
                    (fills_warps || exact * rounds * radix == elements))
                    counts.push_back(threads);
            }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

} // namespace gpufft
} // namespace gr
