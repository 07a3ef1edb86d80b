// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single-pass Stockham transform in one block (Govindaraju et al., SC'08, section
// IV.B): which radices, how many threads, how many transforms a block. A length that was
// measured has its shape in a table (tuned_shapes.cc). For every other one all shapes
// worth trying are listed, estimated by the cost model (cost_model.cc), and the cheapest
// taken.

#include "stockham.h"
#include "cost_model.h"
#include "exchange.h"
#include "tuned_shapes.h"

#include <algorithm>
#include <cmath>

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
constexpr std::size_t LONGEST_OF_POWERS = 8192;     // all up to here have shapes
constexpr std::size_t CANDIDATES = 6;               // whose bank conflicts are counted
constexpr std::size_t MAX_SHARED_BYTES = 48 * 1024; // per block of several transforms
constexpr double COST_TILES = 0.02; // one more way through shared memory and back
constexpr std::size_t SECTOR = 4;   // complex points of a sector of global memory
constexpr int REGISTERS = 65536;    // of a multiprocessor
constexpr int MIN_PIPELINED = 8193; // points: of fewer, several blocks are faster

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

// All orders of the radices, times all sensible numbers of threads. `like` holds the
// length and what the caller fixes.
void add_shapes(const stockham_shape& like,
                std::vector<int> radices,
                std::vector<stockham_shape>& shapes)
{
    const bool sums_powers = like.sums_powers;
    std::sort(radices.begin(), radices.end());
    do {
        std::vector<int> tried;
        for (int radix : radices) {
            for (int butterflies = 1; butterflies * radix <= MAX_POINTS; ++butterflies) {
                stockham_shape shape = like;
                shape.radices = radices;
                shape.threads =
                    (shape.elements() / radix + butterflies - 1) / butterflies;
                const bool splits_warps = // such teams wait for the whole block
                    shape.columns == 1 && shape.threads < 8 && 32 % shape.threads != 0;
                const int held = 2 * shape.points() + (sums_powers ? shape.results() : 0);
                if (held > 2 * MAX_POINTS || shape.threads > MAX_BLOCK_THREADS ||
                    splits_warps ||
                    std::count(tried.begin(), tried.end(), shape.threads) > 0)
                    continue;
                tried.push_back(shape.threads);
                if (shape.columns == 1) {
                    shape.transforms = shape.pipelined ? 1 : choose_transforms(shape);
                    shape.staged_load = shape.staged_store =
                        !shape.pipelined && shape.threads < STAGED_BELOW_THREADS;
                }
                // a bound would make these spill: the compiler takes what it needs
                const bool bounded = !shape.staged_load && !sums_powers;
                shape.blocks = bounded ? resident_blocks(shape) : 0;
                if (shape.pipelined && shape.threads * register_target(shape) > REGISTERS)
                    continue;
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

bool is_smooth(std::size_t n)
{
    if (n == 0)
        return false;
    for (std::size_t prime : { 2, 3, 5, 7, 11, 13 })
        while (n % prime == 0)
            n /= prime;
    return n == 1;
}

bool is_stockham_size(std::size_t n, const device_traits& card)
{
    return n >= 1 && n <= longest_stockham(card) && is_smooth(n);
}

std::size_t longest_stockham(const device_traits& card)
{
    // Exchange areas are a little longer than the vector: padding.
    return std::min<std::size_t>(MAX_BLOCK_THREADS * 16, card.shared_bytes / 8 * 30 / 32);
}

namespace {

// The shapes with the best estimates, their paddings not yet chosen.
std::vector<stockham_shape> bare_shapes(const stockham_shape& like, std::size_t limit)
{
    std::vector<stockham_shape> all;
    for (const std::vector<int>& radices : splits(like.n))
        add_shapes(like, radices, all);
    std::vector<estimate> estimates;
    for (std::size_t i = 0; i < all.size(); ++i)
        estimates.push_back({ estimated_cost(all[i], 1.0), i });
    std::stable_sort(estimates.begin(), estimates.end());
    std::vector<stockham_shape> best;
    for (std::size_t i = 0; i < std::min(estimates.size(), limit); ++i)
        best.push_back(all[estimates[i].index]);
    return best;
}

// Bank conflicts take long to count: only for those that are good without them.
std::vector<stockham_shape> best_shapes(const stockham_shape& like, std::size_t limit)
{
    std::vector<stockham_shape> padded = bare_shapes(like, limit);
    std::vector<estimate> estimates;
    for (std::size_t i = 0; i < padded.size(); ++i) {
        choose_paddings(padded[i]);
        estimates.push_back({ estimated_cost(padded[i], padded[i].conflicts), i });
    }
    std::stable_sort(estimates.begin(), estimates.end());
    std::vector<stockham_shape> shapes;
    for (const estimate& e : estimates)
        shapes.push_back(padded[e.index]);
    return shapes;
}

stockham_shape tile_like(int n, int columns, bool by_rows)
{
    stockham_shape like;
    like.n = n;
    like.columns = columns;
    like.load_by_rows = by_rows;
    return like;
}

} // namespace

std::vector<stockham_shape>
stockham_candidates(int n, std::size_t limit, bool sums_powers)
{
    stockham_shape like;
    like.n = n;
    like.sums_powers = sums_powers;
    return best_shapes(like, limit);
}

std::vector<stockham_shape>
tile_candidates(int n, int columns, bool by_rows, std::size_t limit)
{
    return best_shapes(tile_like(n, columns, by_rows), limit);
}

std::vector<stockham_shape>
bare_tiles(int n, int columns, bool by_rows, std::size_t limit)
{
    return bare_shapes(tile_like(n, columns, by_rows), limit);
}

namespace {

std::string obstacle(const problem& what, const device_traits& card)
{
    if (!is_smooth(what.n))
        return "FFT size " + std::to_string(what.n) +
               " has a prime factor above 13, which no radix has";
    if (what.n > longest_stockham(card))
        return "FFT size " + std::to_string(what.n) + " does not fit the " +
               std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block: at most " +
               std::to_string(longest_stockham(card));
    if (what.is_power() && what.n > LONGEST_OF_POWERS &&
        stockham_candidates(int(what.n), 1, true).empty())
        return "FFT size " + std::to_string(what.n) +
               " is too long for a block whose threads also hold the sums of powers";
    return "";
}

// Shapes for kernels/pipelined.cuh; none if the vector does not fit.
std::vector<stockham_shape>
pipelined_candidates(int n, const device_traits& card, std::size_t limit)
{
    constexpr std::size_t BYTES = 12; // of shared memory a point, at least
    if (n < MIN_PIPELINED || n * BYTES > card.shared_bytes)
        return {};
    stockham_shape like;
    like.n = n;
    like.pipelined = true;
    std::vector<stockham_shape> found;
    for (stockham_shape& shape : best_shapes(like, limit)) {
        shape.copied_by_card = n % 4 == 0 && card.architecture >= 90;
        if (shape.shared_bytes() <= card.shared_bytes)
            found.push_back(shape);
    }
    return found;
}

recipe recipe_of(const stockham_shape& shape)
{
    recipe how;
    how.algorithm = "stockham";
    how.n = shape.n;
    how.shapes = { shape };
    return how;
}

// The best of these shapes with their vectors copied by the card.
std::vector<recipe> by_tiles(const std::vector<recipe>& direct)
{
    constexpr std::size_t TRIED = 3;
    std::vector<recipe> tiled;
    for (std::size_t i = 0; i < std::min(direct.size(), TRIED); ++i) {
        stockham_shape shape = direct[i].shape();
        shape.staged_load = shape.staged_store = false;
        shape.copied_by_card = true;
        choose_paddings(shape);
        tiled.push_back(recipe_of(shape));
    }
    return tiled;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    const stockham_shape* tuned = what.is_power() ? nullptr : tuned_shape(int(what.n));
    if (tuned != nullptr) {
        found.push_back(recipe_of(*tuned));
        choose_paddings(found.back().shapes.front());
    }
    for (const stockham_shape& shape :
         stockham_candidates(int(what.n), CANDIDATES, what.is_power()))
        found.push_back(recipe_of(shape));
    if (what.n % SECTOR != 0 && !what.is_power())
        for (const recipe& how : by_tiles(found))
            found.push_back(how);
    if (!what.is_power() && what.input_item_bytes() >= 4)
        for (const stockham_shape& shape :
             pipelined_candidates(int(what.n), card, CANDIDATES))
            found.push_back(recipe_of(shape));
    return found;
}

double cost(const problem& what, const recipe& how, const device_traits&)
{
    const stockham_shape* tuned = what.is_power() ? nullptr : tuned_shape(int(what.n));
    if (tuned != nullptr && tuned->radices == how.shape().radices &&
        tuned->threads == how.shape().threads &&
        tuned->transforms == how.shape().transforms &&
        tuned->blocks == how.shape().blocks)
        return 1.0; // nothing that was measured is faster
    return estimated_cost(how.shape(), how.shape().conflicts) +
           (how.shape().copied_by_card && !how.shape().pipelined ? COST_TILES : 0);
}

program build(const problem& what, const recipe& how)
{
    program made;
    launch_step step;
    step.kernel = transform_kernel(what, how);
    step.twiddles = made.add(stockham_twiddles(how.shape()));
    made.steps.push_back(step);
    return made;
}

} // namespace

algorithm stockham_algorithm()
{
    return { "stockham", obstacle, candidates, cost, build, true, 1.0, true };
}

} // namespace gpufft
} // namespace gr
