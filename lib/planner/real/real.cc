// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms by a complex one of half the length, or of two rows at once if the
// length is odd (kernels/real/real.cuh): in one kernel if the points fit a block, else
// around the best complex recipe.

#include "real.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/cluster_tiles.h"
#include "planner/convolution/bluestein.h"
#include "planner/convolution/mixed.h"
#include "planner/convolution/rader.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
#include "planner/levels/hierarchical.h"
#include "planner/number_theory.h"
#include "planner/planner.h"
#include "planner/radices.h"
#include "planner/stockham/stockham.h"
#include "planner/stockham/stockham_shapes.h"
#include "real_cost.h"
#include "real_fusion.h"
#include "real_mirrored.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {
constexpr std::size_t LONGEST = std::size_t(1) << 27; // dct4 has 8 n angles
constexpr std::size_t CANDIDATES = 24;
using namespace fitted::real;

bool takes(const problem& what)
{
    return is_real(what.kind) && what.lengths.empty() && what.input_strides.empty() &&
           what.has_plain_rows();
}

// The complex transform inside, from scratch to scratch.
problem core_of(const problem& what, const real_ends& ends)
{
    problem core;
    core.dir = ends.is_inverse ? direction::inverse : direction::forward;
    core.n = ends.points;
    core.input = working_format(true, what.is_double());
    core.batch = (what.batch + ends.rows - 1) / ends.rows;
    return core;
}

recipe around(const recipe& inside)
{
    return { "real", inside.n, {}, real_fields{ { inside } } };
}

bool takes_ends(const recipe& inside)
{
    return find_algorithm(inside.algorithm).ends != end_use::fixed;
}

real_way way_of(const recipe& inside)
{
    return is_by(inside, stockham_algorithm())  ? real_way::in_block
           : is_by(inside, cluster_algorithm()) ? real_way::in_cluster
           : is_by(inside, rader_algorithm()) && inside.shapes.size() == 1
               ? real_way::in_rader
               : real_way::around;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    if (what.n > LONGEST)
        return "length " + std::to_string(what.n) + " of a real transform is above " +
               std::to_string(LONGEST);
    return planning_obstacle(core_of(what, ends_of(what, real_way::around)), card);
}

// The shape with its ends staged as needed, and no bound that makes a thread spill: in
// the last pass a thread also holds all its results. Paddings are not chosen.
stockham_shape
with_ends(stockham_shape shape, const real_ends& ends, const device_traits& card)
{
    shape.pipelined = shape.copied_by_card = shape.tiled = false;
    shape.staged_load = ends.stages_load;
    shape.staged_store = ends.stages_store || shape.staged_store;
    const int points = std::max(shape.points(), shape.results() + shape.radices.back());
    const int registers = std::min(points * shape.point_bytes() / 4 +
                                       REGISTERS_BESIDE_POINTS * shape.point_bytes() / 8,
                                   MOST_REGISTERS);
    shape.blocks = std::min(
        shape.blocks, blocks_with_registers(registers, shape.block_threads(), card));
    return shape;
}

// The shape with half, once and twice its transforms per block.
std::vector<stockham_shape> with_neighbours(const stockham_shape& shape)
{
    constexpr int LEAST_THREADS = 62, MOST_THREADS = 512; // 62: two warps
    std::vector<stockham_shape> shapes = { shape };
    for (int transforms : { shape.transforms / 2, shape.transforms * 2 }) {
        stockham_shape other = shape;
        other.transforms = transforms;
        if (transforms < 1 || other.block_threads() < LEAST_THREADS ||
            other.block_threads() > MOST_THREADS)
            continue;
        other.blocks = shape.blocks * shape.transforms / transforms;
        shapes.push_back(other);
    }
    return shapes;
}

std::vector<recipe>
block_candidates(const problem& what, const real_ends& ends, const device_traits& card)
{
    constexpr std::size_t SHAPES = 10;
    const problem core = core_of(what, ends);
    std::vector<recipe> found;
    if (!is_stockham_size(core.n, card, what.is_double()))
        return found;
    std::vector<stockham_shape> shapes;
    for (const recipe& how : stockham_algorithm().candidates(core, card))
        shapes.push_back(how.shape());
    const auto rank = [&](const stockham_shape& shape) {
        const stockham_shape ended = with_ends(shape, ends, card);
        return estimated_cost_of_real(ended, card) +
               cost_of_ends(what, ended, ends, card);
    };
    stockham_shape like;
    like.n = int(core.n);
    like.is_double = core.is_double();
    if (!is_small_call(core))
        for (const stockham_shape& shape : best_shapes(like, SHAPES, card, rank))
            for (const stockham_shape& each : with_neighbours(shape))
                shapes.push_back(each);
    const auto add = [&](const stockham_shape& shape) {
        found.push_back(around({ stockham_algorithm().name, core.n, { shape } }));
    };
    for (const stockham_shape& shape : shapes) {
        if (shape.pipelined || shape.tiled)
            continue;
        stockham_shape ended = with_ends(shape, ends, card);
        choose_paddings(ended);
        for (bool tiled : { false, true }) {
            if (tiled && !ends.has_items)
                continue;
            ended.tiled = tiled;
            const std::size_t bytes = real_kernel(what, ends, ended).shared_bytes;
            if (bytes > card.shared_bytes)
                continue;
            ended.blocks =
                std::min(ended.blocks,
                         blocks_without_registers(ended.block_threads(), bytes, card));
            add(ended);
        }
    }
    if (!is_small_call(core) && !core.is_double() && ends.has_items)
        for (const stockham_shape& shape : mirrored_shapes(what, ends, card))
            add(shape);
    return found;
}

// Lowers the bound on a cluster's blocks so that threads make and store pairs without
// spills.
void bound_cluster(recipe& how, const problem& what, const device_traits& card)
{
    const int points = std::max(points_held(how.shapes[0]), points_held(how.shapes[1])) *
                       how.shape().point_bytes() / 4;
    const bool is_plain = !what.window && !what.shift_input && !what.shift_output &&
                          !what.is_power() && !what.is_double() &&
                          what.input_item_bytes() >= sizeof(float);
    const int beside =
        std::max(points, is_plain ? CLUSTER_BESIDE_POINTS : CLUSTER_BESIDE_OTHERS);
    const int registers = std::min(points + beside, MOST_REGISTERS);
    for (stockham_shape& tile : how.shapes)
        tile.blocks = std::max(
            1,
            std::min(tile.blocks,
                     blocks_with_registers(registers, whole_warps(tile.threads), card)));
}

// Recipes that need no kernels around the transform inside: clusters, and levels.
std::vector<recipe> in_clusters(const problem& what, const device_traits& card)
{
    const real_ends ends = ends_of(what, real_way::in_cluster);
    const problem core = core_of(what, ends);
    std::vector<recipe> found;
    if (!cluster_algorithm().obstacle(core, card).empty())
        return found;
    for (recipe inside : cluster_algorithm().candidates(core, card)) {
        if (kernels_around(inside, ends) > 0)
            continue;
        bound_cluster(inside, what, card);
        found.push_back(around(inside));
    }
    return found;
}

std::vector<recipe> in_levels(const problem& what, const device_traits& card)
{
    const real_ends ends = ends_of(what, real_way::around);
    const problem core = core_of(what, ends);
    std::vector<recipe> found;
    if (hierarchical_algorithm().obstacle(core, card).empty())
        for (const recipe& inside :
             mirrored_candidates(core, mirrored_levels_of(ends), card))
            if (kernels_around(inside, ends) == 0 && found.size() < CANDIDATES)
                found.push_back(around(inside));
    return found;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found =
        block_candidates(what, ends_of(what, real_way::in_block), card);
    const real_ends ends = ends_of(what, real_way::around);
    // Butterflies of larger primes leave few registers to the ends: Rader may be faster.
    if (!found.empty() && is_smooth_to(ends.points, LARGEST_PRIME_OF_DOUBLES))
        return found;
    for (const auto& some : { in_clusters(what, card), in_levels(what, card) })
        found.insert(found.end(), some.begin(), some.end());
    const auto is_known = [&](const recipe& inside) {
        return (has_levels(inside) && kernels_around(inside, ends) == 0) ||
               (is_cluster(inside) &&
                kernels_around(inside, ends_of(what, real_way::in_cluster)) == 0);
    };
    constexpr std::size_t ASKED = 3 * CANDIDATES; // their ends change the order
    for (const recipe& inside : recipe_candidates(core_of(what, ends), card, ASKED))
        if (takes_ends(inside) && !is_known(inside))
            found.push_back(around(inside));
    return found;
}

// What real rows at its ends add to a cluster's cost.
double cluster_ends_cost(const problem& what, const recipe& inside)
{
    const bool is_third =
        what.kind == transform_kind::dct3 || what.kind == transform_kind::dst3;
    const bool has_many = points_held(inside.shape()) >= MANY_POINTS;
    return CLUSTER_BOTH +
           (!what.is_real_to_real() ? 0.0
            : is_third              ? CLUSTER_APART_AT_BOTH
                                    : CLUSTER_APART) +
           CLUSTER_LARGEST * (inside.cluster() == 16) +
           CLUSTER_OF_LONG * (inside.n > LONG) +
           CLUSTER_FEW_THREADS * (has_many && inside.shape().threads < FEWEST_THREADS) +
           CLUSTER_MESSAGES_OF_MANY *
               (has_many && inside.of<cluster_fields>().by_messages);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const recipe& inside = how.inside();
    const real_ends ends = ends_of(what, way_of(inside));
    const problem core = core_of(what, ends);
    if (way_of(inside) == real_way::in_block) {
        const double full = estimated_cost_of_real(how.shape(), card) +
                            cost_of_ends(what, how.shape(), ends, card);
        const double blocks = std::ceil(double(core.batch) / how.shape().transforms);
        return launch_cost(full, work_of_tile(how.shape(), blocks, card), what, card);
    }
    if (is_cluster(inside) && kernels_around(inside, ends) == 0)
        return cluster_cost(core, inside, card) + cluster_ends_cost(what, inside);
    const bool by_rader = is_by(inside, rader_algorithm());
    const bool by_convolution = by_rader || is_by(inside, bluestein_algorithm()) ||
                                is_by(inside, mixed_algorithm());
    const double of_core =
        has_levels(inside) ? mirrored_cost(core, inside, mirrored_levels_of(ends), card)
                           : find_algorithm(inside.algorithm).cost(core, inside, card);
    // Complex points for two numbers of the rows: 1, but 2 in transforms of type I.
    const double points = 2.0 * double(ends.points) / double(ends.rows * what.n);
    return COST_AROUND * kernels_around(inside, ends) +
           COST_APART * (by_rader && !stores_tiles(inside, ends)) +
           points * (of_core +
                     (by_convolution ? cost_of_convolution_ends(what, inside, card) : 0));
}

// The complex transform with the real rows at its ends: in its own kernels, or in kernels
// before and after it.
program build_around(const problem& what, const recipe& inside, const real_ends& ends)
{
    const problem core = core_of(what, ends);
    if (!takes_ends(inside))
        throw std::invalid_argument(
            "the recipe " + inside.to_text() +
            " has kernels that take no other ends than their own");
    program made = build_program(core, inside);
    use_real_kernels(made, core, inside, ends);
    const bool loads = can_fuse_load(inside, ends);
    const bool stores = can_fuse_store(inside, ends);
    for (launch_step& step : made.steps) {
        if (!loads && step.from == place::input) {
            step.from = place::scratch_2;
            step.row_points = std::max(step.row_points, ends.points);
        }
        if (!stores && step.to == place::output)
            step.to = place::scratch_2;
        step.is_scaled = stores;
    }
    if (!loads) {
        launch_step first;
        first.kernel = real_pack_kernel(ends);
        first.to = place::scratch_2;
        made.steps.insert(made.steps.begin(), first);
    }
    if (!stores) {
        launch_step last;
        last.kernel = real_split_kernel(ends);
        last.from = place::scratch_2;
        made.steps.push_back(last);
    }
    made.scratch_points[2] = loads && stores ? 0 : ends.points;
    return made;
}

program build(const problem& what, const recipe& how)
{
    const real_way way = way_of(how.inside());
    const real_ends ends = ends_of(what, way);
    program made;
    if (way == real_way::in_block) {
        launch_step step;
        step.kernel = how.shape().mirrored ? mirrored_kernel(what, ends, how.shape())
                                           : real_kernel(what, ends, how.shape());
        step.twiddles = made.add(stockham_twiddles(how.shape()));
        made.steps.push_back(step);
    } else {
        made = build_around(what, how.inside(), ends);
    }
    if (way == real_way::in_block || (way == real_way::in_rader && ends.is_odd))
        made.steps.front().chirp = made.add(real_roots(what));
    for (launch_step& step : made.steps)
        step.lines_together = ends.rows;
    if (what.is_polyphase_bank()) { // a row's bits depend on its place in a vector
        made.frames_together = ends.rows;
        made.frames_at_once *= ends.rows;
    }
    return made;
}

} // namespace

algorithm real_algorithm()
{
    algorithm real = { "real", obstacle, candidates, cost, build };
    real.takes = takes;
    real.fields = real_fields();
    return real;
}

} // namespace gpufft
} // namespace gr
