// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the copies of kernels/axes/strided.cuh around the launches of the plain problem.

#include "strided.h"
#include "planner/cost_constants.h"
#include "planner/planner.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 8;
constexpr int THREADS = 256;
constexpr std::size_t SIDE = 32; // of a tile, frames and items
using namespace fitted::axes;

bool takes(const problem& what)
{
    return what.kind != transform_kind::zoom &&
           (!what.input_strides.empty() || !what.has_plain_rows());
}

problem with_plain_frames(problem what)
{
    what.input_strides.clear();
    what.hop = 0;
    return what;
}

problem core_of(problem what)
{
    if (!what.input_strides.empty())
        what = with_plain_frames(what);
    what = with_plain_rows(what);
    what.algorithm.clear();
    return what;
}

// Lengths of the input's or output's axes, and the distances of their points.
struct axes_in_memory {
    std::vector<std::size_t> lengths, strides;
    std::size_t distance; // from frame to frame
    std::size_t item_bytes;
};

std::vector<std::size_t> plain_strides(const std::vector<std::size_t>& lengths)
{
    std::vector<std::size_t> strides(lengths.size(), 1);
    for (std::size_t i = lengths.size() - 1; i-- > 0;)
        strides[i] = strides[i + 1] * lengths[i + 1];
    return strides;
}

axes_in_memory input_axes(const problem& what)
{
    std::vector<std::size_t> lengths = what.axes();
    if (what.kind == transform_kind::c2r)
        lengths.back() = lengths.back() / 2 + 1;
    return { lengths, what.input_strides, what.effective_hop(), what.input_item_bytes() };
}

axes_in_memory output_axes(const problem& what)
{
    std::vector<std::size_t> lengths = what.axes();
    if (what.kind == transform_kind::r2c)
        lengths.back() = lengths.back() / 2 + 1;
    return { lengths,
             what.output_strides.empty() ? plain_strides(lengths) : what.output_strides,
             what.effective_output_distance(),
             what.output_item_bytes() };
}

// Whether items of neighbouring frames lie closer than those of one frame.
bool lies_by_frames(const problem& what, const axes_in_memory& axes)
{
    return what.batch > 1 && axes.distance < axes.strides.back();
}

std::string number(std::size_t value) { return std::to_string(value) + "ull"; }

const char* item_text(std::size_t bytes)
{
    switch (bytes) {
    case 1:
        return "unsigned char";
    case 2:
        return "unsigned short";
    case 3:
        return "item_of_3";
    case 4:
        return "unsigned";
    case 8:
        return "unsigned long long";
    default:
        return "item_of_16";
    }
}

// The copy that gathers frames, or scatters rows.
kernel_instance copy_kernel(const problem& what, const axes_in_memory& axes, bool gathers)
{
    std::string list;
    std::size_t items = 1;
    for (std::size_t i = 0; i < axes.lengths.size(); ++i) {
        add_argument(
            list,
            text_of("strided_axis", number(axes.lengths[i]), number(axes.strides[i])));
        items *= axes.lengths[i];
    }
    kernel_instance kernel;
    kernel.header = "axes/strided.cuh";
    kernel.name = "strided_kernel";
    kernel.shape = text_of(gathers ? "gather_items" : "scatter_items",
                           item_text(axes.item_bytes),
                           text_of("strided_axes", list),
                           gathers ? "" : number(axes.distance));
    kernel.further = std::to_string(THREADS);
    kernel.block_threads = THREADS;
    if (lies_by_frames(what, axes)) {
        kernel.name = "strided_tile_kernel";
        kernel.further = list_of(gathers, THREADS);
        kernel.frames_per_block = int(SIDE);
        kernel.blocks_per_frame = int((items + SIDE - 1) / SIDE);
        kernel.shared_bytes = SIDE * (SIDE + 1) * axes.item_bytes;
        return kernel;
    }
    if (items < THREADS)
        kernel.frames_per_block = int(THREADS / items);
    else
        kernel.blocks_per_frame = int((items + THREADS - 1) / THREADS);
    return kernel;
}

std::string obstacle(const problem& what, const device_traits& card)
{
    return planning_obstacle(core_of(what), card);
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    for (const recipe& core : recipe_candidates(core_of(what), card, CANDIDATES))
        found.push_back({ "strided", what.n, {}, parts_fields{ { core } }, what.axes() });
    return found;
}

double copy_cost(const problem& what, const axes_in_memory& axes)
{
    const bool together = axes.strides.back() == 1 || lies_by_frames(what, axes);
    return COST_COPY + (together ? 0.0 : COST_APART);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const recipe& core = how.of<parts_fields>().parts.front();
    double sum = find_algorithm(core.algorithm).cost(core_of(what), core, card);
    if (!what.input_strides.empty())
        sum += copy_cost(what, input_axes(what));
    if (!what.has_plain_rows())
        sum += copy_cost(what, output_axes(what));
    return sum;
}

program build(const problem& what, const recipe& how)
{
    const problem core = core_of(what);
    program made = build_program(core, how.of<parts_fields>().parts.front());
    if (!what.input_strides.empty()) {
        for (launch_step& step : made.steps) {
            if (step.from != place::input)
                continue;
            step.from = place::gathered;
            if (step.row_points == 0)
                step.row_points = core.frame_samples();
        }
        launch_step gather;
        gather.kernel = copy_kernel(what, input_axes(what), true);
        gather.to = place::gathered;
        made.steps.insert(made.steps.begin(), gather);
        made.scratch_points[int(place::gathered) - int(place::scratch_0)] =
            core.frame_samples();
    }
    if (!what.has_plain_rows()) {
        for (launch_step& step : made.steps) {
            step.from = step.from == place::output ? place::rows : step.from;
            step.to = step.to == place::output ? place::rows : step.to;
        }
        launch_step scatter;
        scatter.kernel = copy_kernel(what, output_axes(what), false);
        scatter.from = place::rows;
        made.steps.push_back(scatter);
        made.scratch_points[int(place::rows) - int(place::scratch_0)] = core.row_bins();
    }
    return made;
}

} // namespace

problem with_plain_rows(problem what)
{
    what.output_strides.clear();
    what.output_distance = 0;
    return what;
}

std::vector<std::size_t> places_of_bins(const problem& what)
{
    const axes_in_memory axes = output_axes(what);
    std::vector<std::size_t> places = { 0 };
    for (std::size_t axis = 0; axis < axes.lengths.size(); ++axis) {
        std::vector<std::size_t> longer;
        for (std::size_t place : places)
            for (std::size_t i = 0; i < axes.lengths[axis]; ++i)
                longer.push_back(place + i * axes.strides[axis]);
        places = std::move(longer);
    }
    return places;
}

algorithm strided_algorithm()
{
    algorithm strided = { "strided", obstacle, candidates, cost, build, true, 3.0 };
    strided.takes = takes;
    strided.fields = parts_fields();
    return strided;
}

} // namespace gpufft
} // namespace gr
