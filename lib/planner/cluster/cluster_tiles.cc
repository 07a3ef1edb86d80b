// SPDX-License-Identifier: GPL-3.0-or-later
//
// Radices and threads of a cluster's tiles, for the least work of a thread.

#include "cluster_tiles.h"
#include "planner/cost.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <iterator>

namespace gr {
namespace gpufft {

namespace {

constexpr int MIN_THREADS = 64;

// Extends the falling list of radices, all from `among`, to the product n in every way,
// and keeps the tile with the least work.
void search_radices(int n,
                    const std::vector<int>& among,
                    stockham_shape& tile,
                    std::optional<stockham_shape>& best)
{
    if (n == 1) {
        if (points_held(tile) <= MAX_CLUSTER_POINTS &&
            (!best || tile_work(tile) < tile_work(*best)))
            best = tile;
        return;
    }
    if (tile.radices.size() == 4)
        return;
    for (int radix : among) {
        if (n % radix == 0 && (tile.radices.empty() || radix <= tile.radices.back())) {
            tile.radices.push_back(radix);
            search_radices(n / radix, among, tile, best);
            tile.radices.pop_back();
        }
    }
}

} // namespace

int points_held(const stockham_shape& tile)
{
    int most = 0;
    for (int radix : tile.radices)
        most = std::max(most, divide_up(tile.elements() / radix, tile.threads) * radix);
    return most;
}

double tile_work(const stockham_shape& tile)
{
    double sum = 0;
    for (std::size_t p = 0; p < tile.radices.size(); ++p) {
        const int radix = tile.radices[p];
        const double operations = (p == 0 ? 4 : 16) + butterfly_operations(radix);
        sum += operations * divide_up(tile.elements() / radix, tile.threads) * radix;
    }
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
    std::copy_if(std::begin(RADICES),
                 std::end(RADICES),
                 std::back_inserter(divisors),
                 [n](int radix) { return n % radix == 0; });
    std::optional<stockham_shape> best;
    search_radices(n, divisors, tile, best);
    return best;
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
