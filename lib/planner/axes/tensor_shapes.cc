// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists the shapes of a tile. Passes along different axes commute; the first and the last
// pass matter, because they meet global memory, and the number of passes.

#include "tensor_shapes.h"
#include "planner/cost_model.h"
#include "planner/exchange.h"
#include "planner/stockham/stockham_shapes.h"

#include <algorithm>
#include <set>

namespace gr {
namespace gpufft {

namespace {

constexpr int MAX_POINTS = 32; // complex registers a thread may hold
constexpr int MAX_BLOCK_THREADS = 1024;
constexpr int WARP = 32;
constexpr int REGISTERS = 65536;         // of a multiprocessor
constexpr std::size_t SECTOR_BYTES = 32; // of global memory
constexpr std::size_t STAGED_BELOW = 32; // points of the last axis
constexpr std::size_t BARE_SHAPES = 12;  // whose bank conflicts are counted
constexpr double STORE_SECTORS = 0.928;  // cost of all sectors written twice
constexpr double LOAD_SECTORS = 0.3;     // ... or read twice: the L1 cache helps

// A pass: its radix, and which axis of the tile it goes along.
struct axis_pass {
    int radix, axis;
    bool operator<(const axis_pass& other) const
    {
        return radix != other.radix ? radix < other.radix : axis < other.axis;
    }
};

typedef std::vector<axis_pass> pass_order;

// All orders of all radices of a length. Lists with more passes than the fewest are kept
// apart.
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

// The passes that begin along axis `first` and end along axis `last`; empty if
// impossible.
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
                std::vector<stockham_shape>& shapes)
{
    std::set<int> tried;
    for (int radix : like.radices) {
        for (int points = radix; points <= MAX_POINTS; points += radix) {
            if (radix == 1 && points > 1)
                break;
            stockham_shape shape = like;
            shape.threads = (shape.elements() + points - 1) / points;
            if (shape.threads > MAX_BLOCK_THREADS || shape.points() > MAX_POINTS ||
                (is_frame && shape.threads < 8 && WARP % shape.threads != 0) ||
                !tried.insert(shape.threads).second)
                continue;
            shape.transforms =
                is_frame && !shape.pipelined ? transforms_of_block(shape) : 1;
            shape.blocks = resident_blocks(shape);
            if (shape.block_threads() * register_target(shape) <= REGISTERS)
                shapes.push_back(shape);
        }
    }
}

// Sectors that the first warp touches in its first access, over those that it needs.
template <class Offset>
double touched_sectors(const stockham_shape& shape, int butterflies, const Offset& offset)
{
    const int lanes = std::min({ WARP, shape.threads, butterflies });
    const std::size_t points = SECTOR_BYTES / shape.point_bytes(); // of a sector
    std::set<std::size_t> sectors;
    for (int j = 0; j < lanes; ++j)
        sectors.insert(offset(j) / points);
    return sectors.size() / std::max(1.0, double(lanes) / double(points));
}

double sectors_cost(const tensor_step& step, const stockham_shape& shape)
{
    const std::size_t last = shape.radices.size() - 1;
    const stockham_shape::pass_axis in = shape.axis_of(0), out = shape.axis_of(last);
    const int length = in.length * in.inner, count = length / shape.radices[0];
    const int span = out.span * out.inner;
    const double read =
        touched_sectors(shape, shape.elements() / shape.radices[0], [&](int j) {
            return read_at(step, j / count * length + j % count);
        });
    const double written =
        touched_sectors(shape, shape.elements() / shape.radices[last], [&](int j) {
            return written_at(step, j / span * span * shape.radices[last] + j % span);
        });
    return LOAD_SECTORS * (read - 1) + STORE_SECTORS * (written - 1);
}

// As for the levels of the hierarchical algorithm, which were measured.
double segment_cost(std::size_t bytes, bool is_read)
{
    if (bytes >= 256)
        return 0;
    if (bytes >= 128)
        return is_read ? 0.03 : 0.02;
    if (bytes >= 64)
        return is_read ? 0.1 : 0.05;
    return is_read ? 0.45 : 0.2;
}

// The `kept` shapes with the best estimates, best first.
std::vector<stockham_shape> best_of(const tensor_step& step,
                                    const std::vector<stockham_shape>& shapes,
                                    std::size_t kept)
{
    std::vector<std::pair<double, std::size_t>> costs;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        costs.emplace_back(tensor_step_cost(step, shapes[i]), i);
    std::sort(costs.begin(), costs.end());
    std::vector<stockham_shape> best;
    for (std::size_t i = 0; i < std::min(kept, costs.size()); ++i)
        best.push_back(shapes[costs[i].second]);
    return best;
}

// Shapes like this one, with all orders of passes that go along the first axis at both
// ends, or with all orders.
std::vector<stockham_shape>
shapes_like(const tensor_step& step, stockham_shape like, std::size_t limit)
{
    for (std::size_t i = 0; i < step.axes; ++i)
        like.lengths.push_back(int(step.tile[i].length));
    like.n = int(step.elements()) / like.columns;
    std::vector<stockham_shape> all;
    for (const pass_order& order : pass_orders(step)) {
        if (like.pipelined && (order.front().axis != 0 || order.back().axis != 0 ||
                               order.front().radix == 1 || order.back().radix == 1))
            continue;
        like.radices.clear();
        like.along.clear();
        for (const axis_pass& pass : order) {
            like.radices.push_back(pass.radix);
            like.along.push_back(pass.axis);
        }
        add_shapes(like, step.tiles() == 1, all);
    }
    all = best_of(step, all, std::max(limit, BARE_SHAPES));
    for (stockham_shape& shape : all)
        choose_paddings(shape);
    return best_of(step, all, limit);
}

} // namespace

double tensor_step_cost(const tensor_step& step, const stockham_shape& shape)
{
    constexpr double TILE_SHARE = 0.5; // as in the hierarchical algorithm
    const double alone = estimated_cost(shape, shape.conflicts);
    const double share = step.tiles() > 1 ? TILE_SHARE : 1.0;
    double cost = 1 + share * (alone - 1) + sectors_cost(step, shape);
    if (step.tiles() > 1)
        cost += segment_cost(run_read(step) * shape.point_bytes(), true) +
                segment_cost(run_written(step) * shape.point_bytes(), false);
    return cost;
}

std::vector<stockham_shape>
tensor_shapes(const tensor_step& step, int columns, std::size_t limit, bool is_double)
{
    stockham_shape like;
    like.is_double = is_double;
    like.columns = columns;
    return shapes_like(step, like, limit);
}

std::vector<stockham_shape> pipelined_tensor_shapes(const tensor_step& frame,
                                                    std::size_t limit)
{
    stockham_shape like;
    like.pipelined = true;
    return shapes_like(frame, like, limit);
}

} // namespace gpufft
} // namespace gr
