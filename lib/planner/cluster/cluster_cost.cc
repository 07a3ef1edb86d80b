// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a cluster's blocks take of a multiprocessor, and their time.

#include "cluster_cost.h"
#include "cluster.h"
#include "cluster_tiles.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"

#include <algorithm>
#include <array>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t BARRIER_BYTES = 16;
using namespace fitted::cluster;

int held(const recipe& how)
{
    return std::max(points_held(how.shapes[0]), points_held(how.shapes[1]));
}

} // namespace

bool copied_by_card(const recipe& how)
{
    return how.prefetched() && how.shapes[0].copied_by_card;
}

std::size_t shared_bytes_of(const recipe& how)
{
    const cluster_areas areas = areas_of(how);
    const int all =
        areas.first + (how.of<cluster_fields>().two_areas ? areas.incoming : 0);
    return std::size_t(all) * how.shapes[0].point_bytes() +
           (how.of<cluster_fields>().by_messages ? BARRIER_BYTES : 0) +
           (copied_by_card(how) ? BARRIER_BYTES : 0);
}

int resident_blocks_of(const recipe& how, const device_traits& card)
{
    const int threads = whole_warps(how.shapes[0].threads);
    const bool is_power_of_two = (how.n & (how.n - 1)) == 0;
    const int of_points = how.shapes[0].point_bytes() / 4 * held(how);
    const int registers = of_points + REGISTERS_BESIDE_POINTS +
                          (of_points > 32 ? REGISTERS_FOR_LONG : 0) +
                          (how.is_double() ? REGISTERS_FOR_DOUBLE : 0) +
                          (is_power_of_two ? 0 : REGISTERS_FOR_ODD);
    const int blocks =
        std::min(blocks_with_registers(divide_up(registers, 8) * 8, threads, card),
                 blocks_without_registers(threads, shared_bytes_of(how), card));
    return std::max(1, blocks);
}

double idle_factor(int first_length, int second_length, int cluster)
{
    return double(divide_up(second_length, cluster) * cluster) / second_length *
           (divide_up(first_length, cluster) * cluster) / first_length;
}

double cluster_cost(const problem& what, const recipe& how, const device_traits& card)
{
    const stockham_shape &columns = how.shapes[0], &rows = how.shapes[1];
    const double blocks = resident_blocks_of(how, card);
    const double idle = idle_factor(columns.n, rows.n, how.cluster());
    const double issue = (tile_work(columns) + tile_work(rows)) * how.cluster() *
                         whole_warps(columns.threads) / double(how.n) / SLOTS;
    const double moves = COST_MOVES + COST_BLOCK * how.cluster() + COST_ALONE / blocks +
                         COST_SEGMENT * 8 / columns.point_bytes() /
                             (columns.load_by_rows ? columns.n : columns.columns) +
                         COST_SEGMENT * 8 / rows.point_bytes() / rows.columns;
    const bool is_power_of_two = (how.n & (how.n - 1)) == 0;
    const double full =
        (moves * idle + COST_ISSUE * issue) * (is_power_of_two ? 1.0 : COST_ODD);
    return cluster_call_cost(full, what, how, card);
}

double cluster_call_cost(double full,
                         const problem& what,
                         const recipe& how,
                         const device_traits& card)
{
    if (!is_small_call(what))
        return full;
    const double blocks = resident_blocks_of(how, card);
    return launch_cost(full, work_of_cluster(how, blocks, what.batch, card), what, card);
}

cluster_areas areas_of(const recipe& how)
{
    const stockham_shape &columns = how.shapes[0], &rows = how.shapes[1];
    const int radix = columns.radices.front();
    const int samples = // including idle slots
        divide_up(columns.elements() / radix, columns.threads) * radix * columns.threads;
    int last_axis = 1;
    for (std::size_t length : how.lengths)
        last_axis = length > 1 ? int(length) : last_axis;
    const int between = // the rows of the last axis, see cluster_shape::incoming_at()
        columns.load_by_rows ? rows.columns / last_axis * columns.columns : 0;
    const int incoming =
        std::max(rows.columns * incoming_row_stride(how) + between, rows.stride);
    const int first = std::max(columns.stride,
                               how.prefetched()                     ? samples
                               : how.of<cluster_fields>().two_areas ? rows.stride
                                                                    : 0);
    return { how.of<cluster_fields>().two_areas ? first : std::max(first, incoming),
             incoming };
}

int incoming_row_stride(const recipe& how)
{
    const stockham_shape &columns = how.shapes[0], &rows = how.shapes[1];
    const int lanes = columns.lanes_together();
    // `across` lanes lie `step` elements apart, such rows of lanes `turn` elements.
    const auto cycles = [lanes](int step, int turn, int across) {
        std::array<int, 16> banks = {};
        int most = 0;
        for (int row = 0, left = lanes; left > 0; row += turn, left -= across)
            for (int lane = 0, bank = row; lane < std::min(across, left);
                 ++lane, bank += step)
                most = std::max(most, ++banks[bank & (lanes - 1)]);
        return most;
    };
    int best = rows.n, fewest = 1 << 30;
    for (int stride = rows.n; stride < rows.n + lanes; ++stride) {
        const int sum =
            cycles(1, stride, columns.columns) + cycles(stride, 1, rows.columns);
        if (sum < fewest) {
            best = stride;
            fewest = sum;
        }
        if (sum == 2) // no conflicts
            break;
    }
    return best;
}

} // namespace gpufft
} // namespace gr
