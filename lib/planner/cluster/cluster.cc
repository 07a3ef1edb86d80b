// SPDX-License-Identifier: GPL-3.0-or-later
//
// The transform of kernels/cluster/cluster.cuh: the two lengths, the blocks of a cluster
// and their threads, the radices of the two tiles, and the launch.

#include "cluster.h"
#include "cluster_cost.h"
#include "cluster_tiles.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
#include "planner/roots_of_unity.h"
#include "planner/stockham/stockham.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int CLUSTERS[] = { 2, 4, 8, 16 };
constexpr std::size_t MIN_SIZE = 64, MAX_SIZE = std::size_t(1) << 19;
constexpr int MIN_WIDTH = 4;          // columns or rows: a sector of global memory
constexpr int MAX_SHORTER = 32;       // ratio of the two lengths
constexpr double MAX_IDLE = 1.15;     // slots of columns and rows, divided by those used
constexpr std::size_t GEOMETRIES = 3; // kept for each number of blocks

// The recipe of one geometry, with paddings not yet chosen; none if a thread would have
// to hold too many points.
std::optional<recipe> geometry(const cluster_fields& way,
                               int first_length,
                               int second_length,
                               int threads,
                               bool is_double)
{
    recipe how = { "cluster", std::size_t(first_length) * second_length, {}, way };
    for (const auto& [length, other] : { std::pair(first_length, second_length),
                                         std::pair(second_length, first_length) }) {
        const std::optional<stockham_shape> tile =
            cluster_tile(length, divide_up(other, way.cluster), threads, is_double);
        if (!tile)
            return {};
        how.shapes.push_back(*tile);
        how.shapes.back().stride = tile->elements() / 16 * 17; // roughly
    }
    return how;
}

bool has_geometry(const problem& what, const device_traits& card);

std::string obstacle(const problem& what, const device_traits& card)
{
    const std::string size = "FFT size " + std::to_string(what.n);
    if (!card.has_clusters())
        return "thread block clusters need compute capability 9.0, the card has " +
               std::to_string(card.architecture / 10) + "." +
               std::to_string(card.architecture % 10);
    const std::string reason = radix_obstacle(size, what.n, what.is_double());
    if (!reason.empty())
        return reason;
    if (what.n < MIN_SIZE || what.n > MAX_SIZE)
        return size + " is not one of " + std::to_string(MIN_SIZE) + " ... " +
               std::to_string(MAX_SIZE) + ", which the blocks of a cluster share";
    if (!has_geometry(what, card))
        return size + " cannot be shared evenly by the blocks of a cluster, or does not "
                      "fit their shared memory";
    return "";
}

// True if no cluster takes a second frame.
bool has_few_clusters(const recipe& how, const problem& what, const device_traits& card)
{
    return how.cluster() * what.batch <= std::size_t(card.multiprocessors);
}

// For a small call: one area, and stores instead of messages, which bring nothing to a
// cluster with only one frame.
recipe small_way(recipe how, const problem& what, const device_traits& card)
{
    const double blocks = double(how.cluster()) * double(what.batch);
    how.fields = cluster_fields{ how.cluster(), false, false, false, true };
    how.shapes[0].blocks = how.shapes[1].blocks =
        useful_bound(resident_blocks_of(how, card), blocks, what, card);
    return how;
}

// Calls use(first, second, cluster) for the lengths and numbers of blocks worth trying.
template <class Use>
void for_each_split(const problem& what, const device_traits& card, const Use& use)
{
    const int n = int(what.n);
    for (int first = 2; first <= n / 2; ++first) {
        const int second = n / first;
        if (n % first != 0 ||
            std::max(first, second) > MAX_SHORTER * std::min(first, second))
            continue;
        for (int cluster : CLUSTERS) {
            const int width = divide_up(second, cluster);
            const bool narrow = std::min(width, divide_up(first, cluster)) < MIN_WIDTH;
            if (idle_factor(first, second, cluster) <= MAX_IDLE &&
                std::size_t(first) * width * point_bytes(what) <= card.shared_bytes &&
                (!narrow || n < 1024))
                use(first, second, cluster);
        }
    }
}

// The recipes of a split that fit the card.
std::vector<recipe> geometries_of(int first,
                                  int second,
                                  int cluster,
                                  const problem& what,
                                  const device_traits& card)
{
    std::vector<recipe> found;
    for (int threads : cluster_thread_counts(first * divide_up(second, cluster), first)) {
        auto how = geometry({ cluster }, first, second, threads, what.is_double());
        if (how && fits_cluster(*how, card))
            found.push_back(*how);
    }
    return found;
}

bool has_geometry(const problem& what, const device_traits& card)
{
    bool found = false;
    for_each_split(what, card, [&](int first, int second, int cluster) {
        found = found || !geometries_of(first, second, cluster, what, card).empty();
    });
    return found;
}

std::vector<recipe> geometries(const problem& what, const device_traits& card)
{
    std::vector<std::pair<double, recipe>> all;
    for_each_split(what, card, [&](int first, int second, int cluster) {
        std::vector<std::pair<double, recipe>> found;
        for (recipe& how : geometries_of(first, second, cluster, what, card))
            found.emplace_back(cluster_cost(what, how, card), std::move(how));
        keep_best(found, 2);
        all.insert(all.end(), found.begin(), found.end());
    });
    std::map<int, std::size_t> kept; // by the blocks of a cluster
    std::vector<recipe> best;
    for (const recipe& how : best_recipes(std::move(all)))
        if (kept[how.cluster()]++ < GEOMETRIES)
            best.push_back(how);
    return best;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const recipe& geometry : geometries(what, card))
        for (const recipe& how : cluster_ways(with_paddings(geometry, card), what, card))
            found.push_back(how);
    return found;
}

program build(const problem& what, const recipe& how)
{
    return cluster_program(how,
                           { "cluster/cluster.cuh",
                             shape_text(how.shapes[0]),
                             load_text(what),
                             store_text(what),
                             cluster_twiddles(how) });
}

} // namespace

recipe cluster_recipe(const cluster_fields& way,
                      int first_length,
                      int second_length,
                      int threads,
                      const device_traits& card,
                      bool is_double)
{
    const std::optional<recipe> found =
        geometry(way, first_length, second_length, threads, is_double);
    if (!found)
        throw std::invalid_argument(
            std::to_string(threads) + " threads are too few for " +
            std::to_string(first_length) + " x " + std::to_string(second_length) +
            " points over " + std::to_string(way.cluster) + " blocks: each may hold " +
            std::to_string(MAX_CLUSTER_POINTS));
    return with_paddings(*found, card);
}

recipe with_paddings(recipe how, const device_traits& card)
{
    for (stockham_shape& tile : how.shapes)
        choose_paddings(tile);
    how.shapes[0].blocks = how.shapes[1].blocks = resident_blocks_of(how, card);
    return how;
}

bool fits_cluster(const recipe& how, const device_traits& card)
{
    return shared_bytes_of(how) <= card.shared_bytes;
}

std::vector<recipe>
cluster_ways(const recipe& like, const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    if (is_small_call(what))
        found.push_back(small_way(like, what, card));
    if (is_small_call(what) && has_few_clusters(like, what, card))
        return found;
    for (int way = 0; way < 5; ++way) {
        recipe how = like;
        const bool prefetched = way == 2 || way == 3;
        how.fields = cluster_fields{
            like.cluster(), way > 0 && way < 4, prefetched, way < 4, true
        };
        how.shapes[0].copied_by_card = way == 3;
        how.shapes[0].blocks = how.shapes[1].blocks = resident_blocks_of(how, card);
        // the card cannot copy items of fewer than 4 bytes
        if (fits_cluster(how, card) && (!prefetched || what.input_item_bytes() >= 4))
            found.push_back(how);
    }
    return found;
}

program cluster_program(const recipe& how, const cluster_parts& parts)
{
    const cluster_fields& way = how.of<cluster_fields>();
    launch_step step;
    step.kernel.header = parts.header;
    step.kernel.name = "cluster_kernel";
    step.kernel.shape =
        text_of("cluster_shape",
                how.n,
                way.cluster,
                incoming_row_stride(how),
                way.two_areas,
                !way.prefetched       ? "no_prefetch"
                : copied_by_card(how) ? "by_card"
                                      : "by_threads",
                way.by_messages ? "exchange_by_messages" : "exchange_by_stores",
                parts.columns,
                shape_text(how.shapes[1]));
    step.kernel.load = parts.load;
    step.kernel.store = parts.store;
    step.kernel.block_threads = how.shapes[0].threads;
    step.kernel.blocks_per_frame = step.kernel.cluster = way.cluster;
    step.kernel.persistent = way.persistent;
    step.kernel.shared_bytes = shared_bytes_of(how);
    program made;
    step.twiddles = made.add(parts.twiddles);
    step.more_twiddles = made.add(stockham_twiddles(how.shapes[1]));
    made.steps.push_back(step);
    return made;
}

std::vector<std::complex<long double>> cluster_twiddles(const recipe& how)
{
    const stockham_shape& columns = how.shapes[0];
    std::vector<std::complex<long double>> tables = stockham_twiddles(columns);
    const long m = how.shapes[1].n, radix = columns.radices.back();
    const roots_of_unity<long double> root(how.n), last(radix * m);
    for (long q = 0; q < columns.n / radix; ++q)
        for (long b = 0; b < m; ++b)
            tables.push_back(root(q * b));
    for (long k = 0; k < radix; ++k)
        for (long b = 0; b < m; ++b)
            tables.push_back(last(k * b));
    return tables;
}

algorithm cluster_algorithm()
{
    algorithm cluster = { "cluster",
                          obstacle,
                          candidates,
                          cluster_cost,
                          build,
                          true,
                          fitted::cluster::LEAST_COST };
    cluster.ends = end_use::of_direction;
    cluster.fields = cluster_fields();
    return cluster;
}

} // namespace gpufft
} // namespace gr
