// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tensor algorithm of kernels/axes/tensor.cuh: cuts the axes into steps, with as few
// passes over memory as possible, and makes the launches.

#include "tensor.h"
#include "planner/cost.h"
#include "planner/roots_of_unity.h"
#include "planner/stockham/stockham.h"
#include "tensor_cluster.h"
#include "tensor_cuts.h"
#include "tensor_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MIN_TILE = 8 * 1024; // bytes; smaller tiles are a fallback
constexpr std::size_t MAX_COLUMNS = 64;

bool takes(const problem& what)
{
    problem plain = what;
    plain.lengths.clear();
    return what.lengths.size() > 1 && is_plain_c2c(plain);
}

std::string obstacle(const problem& what, const device_traits& card)
{
    for (std::size_t length : what.axes()) {
        const std::string reason =
            radix_obstacle("length " + std::to_string(length), length, what.is_double());
        if (!reason.empty())
            return reason;
    }
    const std::vector<std::size_t> lengths = long_axes(what);
    if (!lengths.empty() && lengths.back() > longest_tile(point_bytes(what), card))
        return "length " + std::to_string(lengths.back()) +
               " of the last axis does not fit a block: at most " +
               std::to_string(longest_tile(point_bytes(what), card));
    if (fewest_tensor_steps(what, card).empty())
        return "the lengths need more than " + std::to_string(MOST_TENSOR_STEPS) +
               " steps of tiles of " +
               std::to_string(longest_tile(point_bytes(what), card)) + " points";
    return "";
}

double step_cost(const problem& what,
                 const tensor_step& step,
                 const stockham_shape& shape,
                 const device_traits& card)
{
    const double tiles = double(what.batch) * double(step.tiles());
    return launch_cost(tensor_step_cost(step, shape, card),
                       work_of_tile(shape, std::ceil(tiles / shape.transforms), card),
                       what,
                       card);
}

typedef std::pair<double, stockham_shape> estimated_shape;

// Numbers of columns that a step may have: whole sectors if possible.
std::vector<int> column_counts(const problem& what,
                               const tensor_step& bare,
                               bool is_first,
                               const device_traits& card)
{
    const std::size_t longest = longest_tile(point_bytes(what), card);
    const std::size_t least = MIN_TILE / point_bytes(what);
    if (is_first)
        return { 1 };
    std::vector<int> whole, parts;
    for (std::size_t columns = 1; columns <= MAX_COLUMNS; ++columns)
        if (has_columns(bare, columns) && bare.elements() * columns <= longest)
            (columns % fewest_columns(what) == 0 ? whole : parts).push_back(int(columns));
    if (whole.empty() && !parts.empty())
        return { parts.back() };
    std::vector<int> large;
    for (int columns : whole)
        if (bare.elements() * columns >= least || columns == whole.back())
            large.push_back(columns);
    return large;
}

// Shapes for kernels/stockham/pipelined.cuh: frames so long that a multiprocessor holds
// only one.
std::vector<stockham_shape>
pipelined_shapes(const problem& what, const tensor_step& frame, const device_traits& card)
{
    constexpr std::size_t LIMIT = 6, MIN_POINTS = 8193;
    std::vector<stockham_shape> found;
    if (frame.tiles() > 1 || frame.elements() < MIN_POINTS || is_small_call(what) ||
        what.is_double())
        return found;
    stockham_shape like;
    like.pipelined = true;
    for (stockham_shape& shape : tensor_shapes(frame, like, LIMIT, card)) {
        shape.copied_by_card = shape.n % 4 == 0 && card.has_copy_engine();
        if (shape.shared_bytes() <= card.shared_bytes)
            found.push_back(shape);
    }
    return found;
}

// Shapes for kernels/axes/tensor_tiles.cuh: a block moves its frames together.
std::vector<stockham_shape>
tiled_shapes(const problem& what, const tensor_step& frame, const device_traits& card)
{
    constexpr std::size_t LIMIT = 6;
    std::vector<stockham_shape> found;
    if (frame.tiles() > 1 || !is_for_tiles(what))
        return found;
    stockham_shape like;
    like.is_double = what.is_double();
    like.tiled = true;
    for (bool by_card : { false, true }) {
        like.copied_by_card = by_card;
        if (by_card && !card.has_copy_engine())
            continue;
        for (const stockham_shape& shape : tensor_shapes(frame, like, LIMIT, card))
            if (shape.shared_bytes() <= card.shared_bytes)
                found.push_back(shape);
    }
    return found;
}

// The shapes of a step, with any number of columns.
std::vector<estimated_shape> step_shapes(const problem& what,
                                         const std::vector<std::size_t>& lengths,
                                         const std::vector<std::vector<int>>& cuts,
                                         std::size_t s,
                                         const device_traits& card)
{
    constexpr std::size_t KEPT = 4, OF_EACH = 2, OF_FRAMES = 8;
    std::vector<tensor_cut> all;
    for (const std::vector<int>& cut : cuts)
        all.push_back({ cut, 1 });
    const tensor_step bare = tensor_steps(lengths, all)[s];
    std::vector<estimated_shape> found;
    for (int columns : column_counts(what, bare, s == 0, card)) {
        all[s].columns = columns;
        const tensor_step step = tensor_steps(lengths, all)[s];
        stockham_shape like;
        like.is_double = what.is_double();
        like.columns = columns;
        for (const std::vector<stockham_shape>& shapes :
             { tensor_shapes(step, like, step.tiles() == 1 ? OF_FRAMES : OF_EACH, card),
               pipelined_shapes(what, step, card),
               tiled_shapes(what, step, card) })
            for (const stockham_shape& shape : shapes)
                found.emplace_back(step_cost(what, step, shape, card), shape);
    }
    keep_best(found, cuts.size() == 1 ? OF_FRAMES : KEPT);
    return found;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    constexpr std::size_t CUTS = 10, KEPT = 200;
    std::vector<std::size_t> lengths = long_axes(what);
    if (lengths.empty())
        lengths = { 1 };
    std::vector<std::pair<double, recipe>> all;
    const std::vector<std::vector<std::vector<int>>> found =
        fewest_tensor_steps(what, card);
    for (std::size_t i = 0; i < std::min(found.size(), CUTS); ++i) {
        std::vector<std::pair<double, recipe>> recipes = {
            { 0.0, recipe{ "tensor", what.n, {}, cluster_fields(), what.axes() } }
        };
        for (std::size_t s = 0; s < found[i].size(); ++s) {
            const std::vector<estimated_shape> shapes =
                step_shapes(what, lengths, found[i], s, card);
            std::vector<std::pair<double, recipe>> longer;
            for (const auto& [cost, before] : recipes)
                for (const auto& [more, shape] : shapes) {
                    longer.emplace_back(cost + more, before);
                    longer.back().second.shapes.push_back(shape);
                }
            recipes = longer;
        }
        all.insert(all.end(), recipes.begin(), recipes.end());
    }
    for (const recipe& how : tensor_cluster_candidates(what, card))
        all.emplace_back(tensor_cluster_cost(what, how, card), how);
    return best_recipes(std::move(all), KEPT);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.cluster() > 1)
        return tensor_cluster_cost(what, how, card);
    const std::vector<tensor_step> steps = tensor_steps(how);
    double sum = 0;
    for (std::size_t s = 0; s < steps.size(); ++s)
        sum += step_cost(what, steps[s], how.shapes[s], card);
    return sum;
}

// "layout<digit<64, 1024>, digit<256, 1>>": neighbouring digits that continue each other
// are merged.
std::string layout_text(const std::vector<frame_digit>& digits,
                        std::size_t frame_digit::*stride)
{
    std::vector<std::pair<std::size_t, std::size_t>> merged; // length, stride
    for (const frame_digit& digit : digits) {
        if (digit.length == 1)
            continue;
        if (!merged.empty() && merged.back().second == digit.length * (digit.*stride))
            merged.back() = { merged.back().first * digit.length, digit.*stride };
        else
            merged.emplace_back(digit.length, digit.*stride);
    }
    std::string text;
    for (const auto& [length, points] : merged)
        add_argument(text, text_of("digit", length, points));
    return text_of("layout", text);
}

step_text first_load(const problem& what, bool whole_lines)
{
    if (!what.shift_input)
        return load_text(what, whole_lines);
    problem in_order = what;
    in_order.shift_input = false;
    return { load_text(in_order, whole_lines), "load_shifted", list_of(what.axes()) };
}

step_text last_store(const problem& what)
{
    if (!what.shift_output)
        return store_text(what);
    problem in_order = what;
    in_order.shift_output = false;
    return { store_text(in_order), "store_shifted", list_of(what.axes()) };
}

std::string tensor_shape_text(const stockham_shape& shape, const std::vector<int>& at)
{
    std::string passes;
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const stockham_shape::pass_axis axis = shape.axis_of(p);
        const padding pad = p < shape.paddings.size() ? shape.paddings[p] : padding();
        add_argument(passes,
                     text_of("axis_pass",
                             shape.radices[p],
                             axis.length,
                             axis.inner,
                             axis.span,
                             at[p],
                             pad.every,
                             pad.by));
    }
    return text_of("tensor_shape",
                   shape.elements(),
                   shape.threads,
                   shape.transforms,
                   shape.blocks,
                   shape.stride,
                   passes);
}

// The kernel of step s.
kernel_instance step_kernel(const problem& what,
                            const recipe& how,
                            const std::vector<tensor_step>& steps,
                            std::size_t s,
                            const std::vector<int>& twiddles_at)
{
    const tensor_step& step = steps[s];
    const bool is_first = s == 0, is_last = s + 1 == steps.size();
    const bool whole_lines =
        run_read(step) * point_bytes(what) < LINE_BYTES && step.tiles() > 1;
    stockham_shape shape = how.shapes[s];
    if ((is_first && what.shift_input) || (is_last && what.shift_output))
        shape.blocks = 0; // positions take registers that a bound would deny
    kernel_instance kernel;
    kernel.shape = tensor_shape_text(shape, twiddles_at);
    kernel.block_threads = shape.block_threads();
    kernel.frames_per_block = shape.transforms;
    kernel.blocks_per_frame = int(step.tiles());
    if (shape.pipelined && what.input_item_bytes() >= 4 && !what.shift_input &&
        !what.shift_output) {
        kernel.header = "axes/tensor_frames.cuh";
        kernel.name = "pipelined_kernel";
        kernel.load = load_text(what);
        kernel.store = store_text(what);
        kernel.further = shape.copied_by_card ? "copies_by_card" : "copies_by_threads";
        kernel.persistent = true;
        kernel.shared_bytes = shape.shared_bytes();
        return kernel;
    }
    if (shape.tiled) {
        kernel.header = "axes/tensor_tiles.cuh";
        kernel.name = "stockham_tiles_kernel";
        kernel.load = first_load(what, false);
        kernel.store = last_store(what);
        kernel.further = list_of(shape.copied_by_card);
        kernel.shared_bytes = shape.shared_bytes();
        return kernel;
    }
    shape.pipelined = shape.copied_by_card = false;
    kernel.shared_bytes = shape.shared_bytes();
    kernel.header = "axes/tensor.cuh";
    kernel.name = "tensor_kernel";
    kernel.inner = "tensor_step";
    kernel.inner_shape = std::to_string(how.n);
    kernel.load = is_first      ? first_load(what, whole_lines)
                  : whole_lines ? step_text("load_scratch_of<true>")
                                : step_text("load_scratch");
    kernel.store = is_last ? last_store(what) : step_text("store_scratch");
    kernel.further = list_of(
        layout_text(step.tile, &frame_digit::in_stride),
        layout_text(step.grid, &frame_digit::in_stride),
        layout_text(step.tile, &frame_digit::out_stride),
        layout_text(step.grid, &frame_digit::out_stride),
        step.m == 1 ? "no_roots" : text_of("roots_between", step.r, step.m, step.stride));
    return kernel;
}

program build(const problem& what, const recipe& how)
{
    if (how.cluster() > 1)
        return tensor_cluster_program(
            what, how, first_load(what, false), last_store(what));
    const std::vector<tensor_step> steps = tensor_steps(how);
    program made;
    made.scratch_points[0] = steps.size() > 1 ? how.n : 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        std::vector<int> twiddles_at;
        launch_step step;
        step.twiddles = made.add(tensor_twiddles(how.shapes[s], twiddles_at));
        step.from = s == 0 ? place::input : place::scratch_0;
        step.to = s + 1 == steps.size() ? place::output : place::scratch_0;
        step.kernel = step_kernel(what, how, steps, s, twiddles_at);
        made.steps.push_back(step);
    }
    return made;
}

} // namespace

std::vector<std::complex<long double>> tensor_twiddles(const stockham_shape& shape,
                                                       std::vector<int>& at)
{
    std::vector<std::complex<long double>> twiddles;
    std::map<std::pair<long, long>, int> known; // radix and span
    at.clear();
    for (std::size_t p = 0; p < shape.radices.size(); ++p) {
        const long radix = shape.radices[p], span = shape.axis_of(p).span;
        const bool is_needed = span > 1 && radix > 1;
        const auto [same, is_new] =
            known.emplace(std::pair(radix, span), int(twiddles.size()));
        at.push_back(is_needed ? same->second : 0);
        if (!is_needed || !is_new)
            continue;
        const roots_of_unity<long double> root(span * radix);
        for (long k = 1; k < radix; ++k)
            for (long j = 0; j < span; ++j)
                twiddles.push_back(root(j * k));
    }
    return twiddles;
}

algorithm tensor_algorithm()
{
    algorithm tensor = { "tensor", obstacle, candidates, cost, build };
    tensor.takes = takes;
    tensor.fields = cluster_fields();
    tensor.text_of = tensor_expression;
    return tensor;
}

} // namespace gpufft
} // namespace gr
