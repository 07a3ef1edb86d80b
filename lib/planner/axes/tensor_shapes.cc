// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists the shapes of a tile. Passes along different axes commute, so only the first and
// the last pass, which access global memory, and the number of passes matter.

#include "tensor_shapes.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/exchange.h"
#include "planner/stockham/stockham.h"

#include <algorithm>
#include <array>
#include <set>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t STAGED_BELOW = 32; // points of the last axis
constexpr std::size_t BARE_SHAPES = 12;  // shapes whose bank conflicts are counted
using namespace fitted::tensor;

// A pass: its radix, and the axis of the tile along which it transforms.
struct axis_pass {
    int radix, axis;
    bool operator<(const axis_pass& other) const
    {
        return radix != other.radix ? radix < other.radix : axis < other.axis;
    }
};

typedef std::vector<axis_pass> pass_order;

// All orders of all radices of a length: lists with the fewest passes, and lists with
// more.
struct axis_orders {
    std::vector<std::vector<int>> fewest, more;
};

axis_orders orders_of(int length)
{
    axis_orders orders;
    const std::vector<std::vector<int>> splits = radix_splits(length);
    std::size_t least = splits.front().size();
    for (const std::vector<int>& split : splits)
        least = std::min(least, split.size());
    for (std::vector<int> radices : splits) {
        std::sort(radices.begin(), radices.end());
        do {
            (radices.size() == least ? orders.fewest : orders.more).push_back(radices);
        } while (std::next_permutation(radices.begin(), radices.end()));
    }
    return orders;
}

// One list of radices for each axis; at most one axis has more passes than it needs.
void combine(const std::vector<axis_orders>& axes,
             bool has_more,
             std::vector<std::vector<int>>& so_far,
             std::vector<std::vector<std::vector<int>>>& found)
{
    if (so_far.size() == axes.size()) {
        found.push_back(so_far);
        return;
    }
    const axis_orders& next = axes[so_far.size()];
    for (bool more : { false, true }) {
        if (more && has_more)
            continue;
        for (const std::vector<int>& radices : more ? next.more : next.fewest) {
            so_far.push_back(radices);
            combine(axes, has_more || more, so_far, found);
            so_far.pop_back();
        }
    }
}

// Passes of which the first is along axis `first` and the last along axis `last`; empty
// if impossible.
pass_order order_of(const std::vector<std::vector<int>>& radices,
                    std::size_t first,
                    std::size_t last)
{
    pass_order order;
    if (first == last && radices.size() > 1 && radices[first].size() < 2)
        return order;
    const auto add = [&](std::size_t axis, std::size_t from, std::size_t to) {
        for (std::size_t p = from; p < to; ++p)
            order.push_back({ radices[axis][p], int(axis) });
    };
    const std::size_t at_end = first == last && radices.size() > 1;
    add(first, 0, radices[first].size() - at_end);
    for (std::size_t axis = 0; axis < radices.size(); ++axis)
        if (axis != first && axis != last)
            add(axis, 0, radices[axis].size());
    if (first != last)
        add(last, 0, radices[last].size());
    else if (at_end)
        add(first, radices[first].size() - 1, radices[first].size());
    return order;
}

std::set<pass_order> pass_orders(const tensor_step& step)
{
    std::vector<axis_orders> axes;
    for (std::size_t i = 0; i < step.axes; ++i)
        axes.push_back(orders_of(int(step.tile[i].length)));
    std::vector<std::vector<int>> so_far;
    std::vector<std::vector<std::vector<int>>> combined;
    combine(axes, false, so_far, combined);
    std::set<pass_order> orders;
    for (const auto& radices : combined)
        for (std::size_t first = 0; first < axes.size(); ++first)
            for (std::size_t last = 0; last < axes.size(); ++last) {
                const pass_order order = order_of(radices, first, last);
                if (order.empty())
                    continue;
                orders.insert(order);
                if (step.tile.back().length > STAGED_BELOW ||
                    step.tile.size() > step.axes)
                    continue;
                pass_order staged = order; // passes of radix 1 only move points
                staged.push_back({ 1, 0 });
                orders.insert(staged);
                staged.pop_back();
                staged.insert(staged.begin(), { 1, 0 });
                orders.insert(staged);
            }
    return orders;
}

void add_shapes(const stockham_shape& like,
                bool is_frame,
                const device_traits& card,
                std::vector<stockham_shape>& shapes)
{
    const int most = most_points(like.radices);
    std::set<int> tried;
    for (int radix : like.radices) {
        for (int points = radix; points <= most; points += radix) {
            if (radix == 1 && points > 1)
                break;
            stockham_shape shape = like;
            shape.threads = (shape.elements() + points - 1) / points;
            if (shape.threads > MAX_BLOCK_THREADS || shape.points() > most ||
                !tried.insert(shape.threads).second)
                continue;
            shape.transforms =
                is_frame && !shape.pipelined ? transforms_of_block(shape) : 1;
            shape.blocks = resident_blocks(shape, card);
            if (shape.block_threads() * register_target(shape) <= card.registers)
                shapes.push_back(shape);
        }
    }
}

// Sectors that the first warp touches in its first accesses, in one tile or in several
// frames, divided by those it needs. position(j, k): where point k of butterfly j lies.
template <class Position>
double touched_sectors(const stockham_shape& shape, int radix, const Position& position)
{
    constexpr int SAMPLED = 3; // butterflies of a thread, and their points
    const int butterflies = shape.elements() / radix;
    const int of_sector = SECTOR_BYTES / shape.point_bytes();
    double touched = 0, needed = 0;
    for (int round = 0; round < SAMPLED; ++round)
        for (int k = 0; k < std::min(SAMPLED, radix); ++k) {
            std::array<std::size_t, WARP> sectors;
            int lanes = 0;
            for (int lane = 0; lane < std::min(WARP, shape.block_threads()); ++lane) {
                const int j = round * shape.threads + lane % shape.threads;
                if (j >= butterflies)
                    continue;
                const int frame = lane / shape.threads;
                sectors[lanes++] =
                    (frame * shape.elements() + position(j, k)) / of_sector;
            }
            std::sort(sectors.begin(), sectors.begin() + lanes);
            touched += double(std::unique(sectors.begin(), sectors.begin() + lanes) -
                              sectors.begin());
            needed += double(lanes) / of_sector;
        }
    return std::max(1.0, touched / needed);
}

double sectors_cost(const tensor_step& step, const stockham_shape& shape)
{
    const std::size_t last = shape.radices.size() - 1;
    const stockham_shape::pass_axis in = shape.axis_of(0), out = shape.axis_of(last);
    const int length = in.length * in.inner, count = length / shape.radices[0];
    const int span = out.span * out.inner;
    const int row = span * shape.radices[last];
    const double read = touched_sectors(shape, shape.radices[0], [&](int j, int k) {
        return read_at(step, j / count * length + j % count + k * count);
    });
    const double written = touched_sectors(shape, shape.radices[last], [&](int j, int k) {
        return written_at(step, j / span * row + j % span + k * span);
    });
    return LOAD_SECTORS * (read - 1) +
           (shape.staged_store ? 0 : STORE_SECTORS * (written - 1));
}

// The cost of a step in a shape with this cost of sectors.
double cost_with(double sectors,
                 const tensor_step& step,
                 const stockham_shape& shape,
                 const device_traits& card)
{
    if (shape.tiled)
        return cost_in_tiles(shape, card);
    const double alone = estimated_cost(shape, card);
    const double share = step.tiles() > 1 ? fitted::levels::TILE_SHARE : 1.0;
    double cost = 1 + share * (alone - 1) + sectors;
    if (step.tiles() > 1)
        cost += segment_cost(run_read(step) * shape.point_bytes(), true) +
                segment_cost(run_written(step) * shape.point_bytes(), false);
    return cost;
}

} // namespace

double tensor_step_cost(const tensor_step& step,
                        const stockham_shape& shape,
                        const device_traits& card)
{
    return cost_with(shape.tiled ? 0 : sectors_cost(step, shape), step, shape, card);
}

std::vector<stockham_shape> tensor_shapes(const tensor_step& step,
                                          stockham_shape like,
                                          std::size_t limit,
                                          const device_traits& card)
{
    for (std::size_t i = 0; i < step.axes; ++i)
        like.lengths.push_back(int(step.tile[i].length));
    like.n = int(step.elements()) / like.columns;
    std::vector<stockham_shape> all;
    for (const pass_order& order : pass_orders(step)) {
        if (like.pipelined && (order.front().axis != 0 || order.back().axis != 0 ||
                               order.front().radix == 1 || order.back().radix == 1))
            continue;
        if (like.staged_store && order.size() > 1 && order.back().radix == 1)
            continue;
        if (like.tiled && order.size() > 1 &&
            (order.front().radix == 1 || order.back().radix == 1))
            continue; // tiles have the order of memory
        like.radices.clear();
        like.along.clear();
        for (const axis_pass& pass : order) {
            like.radices.push_back(pass.radix);
            like.along.push_back(pass.axis);
        }
        add_shapes(like, step.tiles() == 1, card, all);
    }
    const shape_estimate cost = [&](const stockham_shape& shape) {
        return tensor_step_cost(step, shape, card);
    };
    const shape_estimate least = [&](const stockham_shape& shape) {
        return cost_with(0, step, shape, card);
    };
    all = ranked(std::move(all), std::max(limit, BARE_SHAPES), cost, least);
    for (stockham_shape& shape : all) {
        choose_paddings(shape);
        shape.blocks = std::min(
            shape.blocks,
            blocks_without_registers(shape.block_threads(), shape.shared_bytes(), card));
    }
    const auto is_too_large = [&](const stockham_shape& shape) {
        return shape.shared_bytes() > card.shared_bytes;
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_too_large), all.end());
    return ranked(std::move(all), limit, cost);
}

} // namespace gpufft
} // namespace gr
