// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single-pass Stockham transform in one block (Govindaraju et al., SC'08, section
// IV.B): chooses radices, threads, and transforms per block. The candidates are the
// shapes of stockham_shapes.cc with the lowest estimates.

#include "stockham.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
#include "planner/filters/polyphase_bank.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t LONGEST_OF_POWERS = 8192; // all up to here have shapes
constexpr std::size_t CANDIDATES = 6;           // shapes whose bank conflicts are counted
using namespace fitted::stockham;
// Bytes of a vector; a multiprocessor holds several shorter vectors.
constexpr std::size_t MIN_PIPELINED = 64 * 1024;

} // namespace

bool is_stockham_size(std::size_t n, const device_traits& card, bool is_double)
{
    return n >= 1 && n <= longest_stockham(card, is_double) && is_smooth(n, is_double);
}

std::size_t longest_stockham(const device_traits& card, bool is_double)
{
    // Exchange areas are a little longer than the vector: padding.
    return std::min(MAX_TILE_BYTES, card.shared_bytes / 32 * 30) / (is_double ? 16 : 8);
}

namespace {

// Costs of a tile besides those of its transforms.
double cost_of_tiles(const stockham_shape& shape, const device_traits& card)
{
    constexpr int SMALL = 8000; // bytes
    constexpr int MANY = 10;    // loads of a thread, 16 bytes each
    const int bytes = shape.elements() * shape.transforms * shape.point_bytes();
    if (shape.copied_by_card)
        return bytes % SECTOR_BYTES == 0 || bytes < SMALL ? COST_TILES_ON_SECTORS
                                                          : COST_TILES_BY_CARD;
    const bool is_long =
        shape.threads > WARP && bytes > 16 * MANY * shape.block_threads();
    const bool is_lonely = resident_blocks(shape, card) < BLOCKS_FOR_TILES;
    const bool ends_with_prime = shape.is_double &&
                                 largest_prime({ shape.radices.back() }) >= LEAST_PRIME &&
                                 largest_prime({ shape.radices.back() }) >
                                     largest_prime({ shape.radices.front() });
    return COST_TILES + (is_lonely ? COST_FEW_BLOCKS : 0) +
           (ends_with_prime ? COST_PRIME_LAST : 0) +
           (is_long ? COST_LONG_TILES * std::max(0, BLOCKS_FOR_LONG_TILES - shape.blocks)
                    : 0);
}

} // namespace

bool is_for_tiles(const problem& what)
{
    constexpr std::size_t SHORT = 128;
    return !what.is_power() &&
           (what.n * point_bytes(what) % SECTOR_BYTES != 0 || what.n < SHORT);
}

double cost_in_tiles(const stockham_shape& shape, const device_traits& card)
{
    return std::max(1.0, estimated_cost(shape, card) + cost_of_tiles(shape, card));
}

namespace {

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string size = "FFT size " + std::to_string(what.n);
    const std::string reason = radix_obstacle(size, what.n, what.is_double());
    if (!reason.empty())
        return reason;
    if (what.n > longest_stockham(card, what.is_double()))
        return size + " does not fit the " + std::to_string(card.shared_bytes) +
               " bytes of shared memory of a block: at most " +
               std::to_string(longest_stockham(card, what.is_double()));
    if (what.is_power() && what.n > LONGEST_OF_POWERS &&
        stockham_candidates(int(what.n), card, 1, true).empty())
        return size +
               " is too long for a block whose threads also hold the sums of powers";
    return "";
}

// Shapes for kernels/stockham/pipelined.cuh; none if the vector does not fit.
std::vector<stockham_shape>
pipelined_candidates(const problem& what, const device_traits& card, std::size_t limit)
{
    stockham_shape like;
    like.n = int(what.n);
    like.pipelined = true;
    like.is_double = what.is_double();
    const std::size_t bytes = what.n * like.point_bytes();
    if (bytes <= MIN_PIPELINED || bytes * 3 / 2 > card.shared_bytes)
        return {};
    std::vector<stockham_shape> found;
    for (stockham_shape& shape : best_shapes(like, limit, card)) {
        shape.copied_by_card = what.n % 4 == 0 && card.has_copy_engine();
        if (shape.shared_bytes() <= card.shared_bytes)
            found.push_back(shape);
    }
    return found;
}

recipe recipe_of(const stockham_shape& shape)
{
    return { "stockham", std::size_t(shape.n), { shape } };
}

// What a polyphase bank adds to the cost, see bank_cost(); 0 for other problems.
double
cost_of_bank(const problem& what, const stockham_shape& shape, int frames, int cluster)
{
    return bank_cost(what, shape.block_threads(), frames, cluster) +
           (what.taps > 1 ? COST_BANK_PASS * double(shape.radices.size()) : 0);
}

// For polyphase banks: enough frames in a block, or a cluster, to share samples well.
std::vector<recipe> bank_candidates(const problem& what, const device_traits& card)
{
    constexpr int MOST_BYTES = 64 * 1024, MOST_FRAMES = 16, MOST_THREADS = 128;
    stockham_shape like;
    like.n = int(what.n);
    like.is_double = what.is_double();
    const auto estimate = [&](stockham_shape& shape) {
        const int fitting = MOST_BYTES / (shape.n * shape.point_bytes());
        shape.transforms =
            std::clamp(std::min(fitting, MOST_THREADS / shape.threads), 1, MOST_FRAMES);
        shape.staged_load = true;
        shape.staged_store = false;
        shape.blocks = 0;
        return estimated_cost(shape, card) + cost_of_bank(what, shape, MOST_FRAMES, 1);
    };
    std::vector<recipe> found;
    for (const stockham_shape& shape : best_shapes(like, CANDIDATES, card, estimate)) {
        for (int frames :
             { shape.transforms / 2, shape.transforms, shape.transforms * 4 }) {
            recipe how = recipe_of(shape);
            how.shapes.front().transforms = frames;
            if (frames < 1 || frames > MOST_FRAMES ||
                how.shape().block_threads() > 4 * MOST_THREADS)
                continue;
            how.shapes.front().blocks = bank_blocks(
                what, how.shape().block_threads(), how.shape().points(), 0, card);
            choose_paddings(how.shapes.front());
            if (how.shape().shared_bytes() > card.shared_bytes)
                continue;
            if (how.shape().transforms > 1)
                found.push_back(how);
            for (const recipe& shared : in_clusters(how, what, card))
                found.push_back(shared);
        }
    }
    return found;
}

double launch_cost_of(double full,
                      const stockham_shape& shape,
                      const problem& what,
                      const device_traits& card)
{
    const double blocks = std::ceil(double(what.batch) / shape.transforms);
    return launch_cost(full, work_of_tile(shape, blocks, card), what, card);
}

// Gives a shape the transforms per block that suit a full card, or one if a small call is
// faster with it. The bound on its blocks leaves a place for those of the next call, if
// all have one, see kernel::shared_bytes_of(): then 12000 transforms of 64 points
// take 3.6 us on an H100, else 4.4.
shape_estimate small_estimate(const problem& what, const device_traits& card)
{
    return [=](stockham_shape& shape) {
        double costs[2] = {};
        stockham_shape shapes[2] = { shape, shape };
        shapes[1].transforms = 1;
        for (int i : { 0, 1 }) {
            const double blocks = double(what.batch) / shapes[i].transforms;
            const int own = useful_bound(shape.blocks, blocks, what, card);
            shapes[i].blocks = shape.blocks < 2 * own ? own : 2 * own;
            costs[i] =
                launch_cost_of(estimated_cost(shapes[i], card), shapes[i], what, card);
        }
        const int better = costs[1] < costs[0];
        shape = shapes[better];
        return costs[better];
    };
}

// Whether the L2 cache may hold a call's data. The copy engine moves tiles from there
// more slowly than threads do: an H100 takes 16.2 and 14.6 us for 12738 vectors of 195
// points, 6.1 and 4.3 us for 13600 of 50 (bench_recipes).
bool fits_cache(const problem& what, const device_traits& card)
{
    return what.batch * what.n * (what.input_item_bytes() + what.output_item_bytes()) <
           card.l2_bytes;
}

// Shapes that move a block's vectors as one tile; `rank` as in best_shapes().
std::vector<recipe> tiled_candidates(const problem& what,
                                     const device_traits& card,
                                     const shape_estimate& rank)
{
    std::vector<recipe> found;
    if (!is_for_tiles(what))
        return found;
    stockham_shape like;
    like.n = int(what.n);
    like.is_double = what.is_double();
    like.tiled = true;
    for (bool by_card : { false, true }) {
        like.copied_by_card = by_card;
        if (!by_card || (card.has_copy_engine() && !fits_cache(what, card)))
            for (const stockham_shape& shape : best_shapes(like, CANDIDATES, card, rank))
                found.push_back(recipe_of(shape));
    }
    return found;
}

// For calls that do not fill the card: the lowest latency.
std::vector<recipe> small_candidates(const problem& what, const device_traits& card)
{
    stockham_shape like;
    like.n = int(what.n);
    like.is_double = what.is_double();
    const shape_estimate rank = small_estimate(what, card);
    std::vector<recipe> found = tiled_candidates(what, card, rank);
    for (const stockham_shape& shape : best_shapes(like, CANDIDATES, card, rank))
        found.push_back(recipe_of(shape));
    return found;
}

std::vector<recipe> full_candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const stockham_shape& shape : stockham_candidates(
             int(what.n), card, CANDIDATES, what.is_power(), what.is_double()))
        found.push_back(recipe_of(shape));
    if (what.taps > 1 && !what.is_power())
        for (const recipe& how : bank_candidates(what, card))
            found.push_back(how);
    for (const recipe& how : tiled_candidates(what, card, nullptr))
        found.push_back(how);
    if (!what.is_power() && !what.is_polyphase_bank() && what.input_item_bytes() >= 4)
        for (const stockham_shape& shape : pipelined_candidates(what, card, CANDIDATES))
            found.push_back(recipe_of(shape));
    return found;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    const bool is_small = is_small_call(what);
    std::vector<recipe> found;
    if (is_small)
        found = small_candidates(what, card);
    if (!is_small || what.batch > std::size_t(card.multiprocessors))
        for (const recipe& how : full_candidates(what, card))
            found.push_back(how);
    return found;
}

double full_cost(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape& shape = how.shape();
    if (shape.tiled)
        return std::max(shape.copied_by_card ? LEAST_BY_CARD : 1.0,
                        cost_in_tiles(shape, card));
    const double ends =
        COST_PIPELINED * shape.pipelined +
        (shape.staged_load && !what.is_polyphase_bank() ? COST_STAGED : 0);
    return std::max(1.0, estimated_cost(shape, card) + ends);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape& shape = how.shape();
    const bool has_tiles = shape.staged_load || shape.tiled;
    return launch_cost_of(full_cost(what, how, card), shape, what, card) +
           cost_of_bank(what,
                        shape,
                        has_tiles && !what.is_power() ? shape.transforms : 1,
                        how.cluster());
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
    algorithm stockham = {
        "stockham", obstacle, candidates, cost, build, true, 1.0, true
    };
    stockham.takes = is_c2c_or_bank;
    return stockham;
}

} // namespace gpufft
} // namespace gr
