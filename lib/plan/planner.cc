// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's decision for the single-pass Stockham kernel: which radices, how many
// threads, how many transforms a block. A length that was measured has its shape in a
// table (tuned_shapes.cc). For every other one the planner lists all shapes worth trying,
// estimates each by the cost model (cost_model.cc), and takes the cheapest.

#include "planner.h"
#include "cost_model.h"
#include "exchange.h"
#include "tuned_shapes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Radices of one pass, largest first.
constexpr int RADICES[] = { 32, 30, 28, 27, 26, 25, 24, 22, 21, 20, 18, 16, 15,
                            14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2 };
constexpr int MAX_POINTS = 32; // complex registers a thread may hold
constexpr int MAX_BLOCK_THREADS = 1024;
constexpr int TARGET_BLOCK_THREADS = 128; // smaller blocks leave less idle at barriers
constexpr int STAGED_BELOW_THREADS = 4;   // fewer lanes do not fill a 32-byte sector
constexpr std::size_t CANDIDATES = 6;     // whose bank conflicts are counted
constexpr std::size_t MAX_SHARED_BYTES = 48 * 1024; // per block of several transforms

// All multisets of radices with product n, at most `passes` of them, in falling order.
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

std::vector<std::vector<int>> splits(int n)
{
    if (n == 1)
        return { { 1 } };
    std::vector<std::vector<int>> found;
    for (int passes = 1; passes <= 13; ++passes) {
        std::vector<int> so_far;
        split(n, passes, MAX_POINTS, so_far, found);
        if (!found.empty() && passes > int(found.front().size()))
            break; // the fewest passes, and one more
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

// Transforms a block: about the target number of threads, few idle lanes in the last
// warp.
int choose_transforms(const stockham_shape& shape)
{
    const int most =
        std::max(1,
                 std::min(int(2 * TARGET_BLOCK_THREADS / shape.threads),
                          int(MAX_SHARED_BYTES / (std::size_t(shape.n) * 8))));
    int best = 1;
    double best_waste = 1e9;
    for (int transforms = 1; transforms <= most; ++transforms) {
        const int threads = shape.threads * transforms;
        const double idle = double((threads + 31) / 32 * 32) / threads - 1;
        const double off_target =
            std::fabs(std::log2(double(threads) / TARGET_BLOCK_THREADS));
        const double waste = idle + 0.05 * off_target;
        if (waste < best_waste) {
            best_waste = waste;
            best = transforms;
        }
    }
    return best;
}

// All orders of the radices, times all sensible numbers of threads.
void add_shapes(int n,
                bool sums_powers,
                std::vector<int> radices,
                std::vector<stockham_shape>& shapes)
{
    std::sort(radices.begin(), radices.end());
    do {
        std::vector<int> tried;
        for (int radix : radices) {
            for (int butterflies = 1; butterflies * radix <= MAX_POINTS; ++butterflies) {
                stockham_shape shape;
                shape.n = n;
                shape.radices = radices;
                shape.sums_powers = sums_powers;
                shape.threads = (n / radix + butterflies - 1) / butterflies;
                const bool splits_warps = // such teams wait for the whole block
                    shape.threads < 8 && 32 % shape.threads != 0;
                const int held = 2 * shape.points() + (sums_powers ? shape.results() : 0);
                if (held > 2 * MAX_POINTS || shape.threads > MAX_BLOCK_THREADS ||
                    splits_warps ||
                    std::count(tried.begin(), tried.end(), shape.threads) > 0)
                    continue;
                tried.push_back(shape.threads);
                shape.transforms = choose_transforms(shape);
                shape.staged_load = shape.staged_store =
                    shape.threads < STAGED_BELOW_THREADS;
                // a bound would make these spill: the compiler takes what it needs
                const bool bounded = !shape.staged_load && !sums_powers;
                shape.blocks = bounded ? resident_blocks(shape) : 0;
                shapes.push_back(shape);
            }
        }
    } while (std::next_permutation(radices.begin(), radices.end()));
}

struct estimate {
    double cost;
    std::size_t index;
    bool operator<(const estimate& other) const { return cost < other.cost; }
};

} // namespace

bool is_stockham_size(std::size_t n)
{
    if (n < 1 || n > MAX_STOCKHAM_SIZE)
        return false;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        while (n % prime == 0)
            n /= prime;
    return n == 1;
}

std::vector<stockham_shape>
stockham_candidates(int n, std::size_t limit, bool sums_powers)
{
    std::vector<stockham_shape> all;
    for (const std::vector<int>& radices : splits(n))
        add_shapes(n, sums_powers, radices, all);

    // Bank conflicts take long to count: only for those that are good without them.
    std::vector<estimate> estimates;
    for (std::size_t i = 0; i < all.size(); ++i)
        estimates.push_back({ estimated_cost(all[i], 1.0), i });
    std::stable_sort(estimates.begin(), estimates.end());
    estimates.resize(std::min(estimates.size(), limit));
    for (estimate& e : estimates) {
        choose_paddings(all[e.index]);
        e.cost = estimated_cost(all[e.index], conflict_ratio(all[e.index]));
    }
    std::stable_sort(estimates.begin(), estimates.end());
    std::vector<stockham_shape> shapes;
    for (const estimate& e : estimates)
        shapes.push_back(all[e.index]);
    return shapes;
}

recipe make_recipe(const problem& what)
{
    if (!is_stockham_size(what.n))
        throw std::invalid_argument(
            "FFT size is " + std::to_string(what.n) +
            ", but the GPU kernels have 2^a 3^b 5^c 7^d 11^e 13^f up to " +
            std::to_string(MAX_STOCKHAM_SIZE) + "; use engine \"cpu\" or \"auto\"");
    recipe how;
    how.algorithm = "stockham";
    how.n = what.n;
    const stockham_shape* tuned = what.is_power() ? nullptr : tuned_shape(int(what.n));
    if (tuned != nullptr) {
        how.shape = *tuned;
        choose_paddings(how.shape);
    } else {
        how.shape = stockham_candidates(int(what.n), CANDIDATES, what.is_power()).front();
    }
    return how;
}

} // namespace gpufft
} // namespace gr
