// SPDX-License-Identifier: GPL-3.0-or-later
//
// The recipes of lines, columns and transpositions, and their launches.

#include "row_column.h"
#include "planner/convolution/convolution_levels.h"
#include "planner/cost.h"
#include "planner/cost_constants.h"
#include "planner/levels/columns.h"
#include "planner/planner.h"
#include "row_column_stages.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t CANDIDATES = 4;
using namespace fitted::axes;

// A block that transposes: its threads, its items, and the side of its tile.
constexpr int THREADS = 256;
constexpr std::size_t ITEMS = 1024, SIDE = 32;

bool takes(const problem& what)
{
    return what.lengths.size() > 1 && what.input_strides.empty() && what.has_plain_rows();
}

std::string obstacle(const problem& what, const device_traits& card)
{
    problem plain = what;
    plain.window = false; // the first lines have the problem's input format
    for (const axis_stage& part : transposed_stages(plain)) {
        if (part.is_transposition())
            continue;
        const std::string reason = planning_obstacle(part.line, card);
        if (!reason.empty())
            return "lines of " + std::to_string(part.line.n) + " points: " + reason;
    }
    return "";
}

// The problem that a part's recipes solve.
problem problem_of(const axis_stage& part)
{
    return part.is_columns() ? problem_of_columns(part.line, part.width) : part.line;
}

// Whether no line needs a transposition. Lines alone cannot apply a window.
bool can_stay_in_place(const problem& what, const device_traits& card)
{
    if (what.window || what.is_real_to_real())
        return false;
    const std::vector<axis_stage> stages = stages_in_place(what);
    return std::all_of(stages.begin(), stages.end(), [&](const axis_stage& part) {
        return !part.is_columns() ||
               obstacle_of(columns_algorithm(), problem_of(part), card).empty();
    });
}

bool is_columns(const recipe& part) { return part.algorithm == columns_algorithm().name; }

bool has_columns(const recipe& how)
{
    const std::vector<recipe>& parts = how.of<parts_fields>().parts;
    return std::any_of(parts.begin(), parts.end(), is_columns);
}

// The parts that a recipe has.
std::vector<axis_stage> stages_of(const problem& what, const recipe& how)
{
    return has_columns(how) ? stages_in_place(what) : transposed_stages(what);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const std::vector<axis_stage> stages = stages_of(what, how);
    const std::vector<recipe>& parts = how.of<parts_fields>().parts;
    double sum = 0;
    for (std::size_t s = 0; s < std::min(stages.size(), parts.size()); ++s)
        sum += stages[s].is_transposition()
                   ? least_launch_cost(COST_TRANSPOSE, 1, what)
                   : find_algorithm(parts[s].algorithm)
                         .cost(problem_of(stages[s]), parts[s], card);
    return sum;
}

// Points of scratch between the parts.
std::size_t points_between(const problem& what, const std::vector<axis_stage>& stages)
{
    std::size_t bytes = 0;
    for (const axis_stage& part : stages)
        bytes = std::max(bytes, 2 * part.items * part.item_bytes);
    return bytes / point_bytes(what);
}

std::vector<recipe> recipes_of(const axis_stage& part, const device_traits& card)
{
    if (part.is_columns())
        return columns_algorithm().candidates(problem_of(part), card);
    if (!part.is_transposition())
        return recipe_candidates(part.line, card, CANDIDATES);
    return { recipe{
        recipe::TRANSPOSITION, part.items, {}, {}, { part.rows, part.columns } } };
}

// Recipes of the best recipes of all parts, then of the second best, ..., and the best
// one with launches so small that the items between the parts stay in the L2 cache.
std::vector<recipe> candidates_of(const problem& what,
                                  const std::vector<axis_stage>& stages,
                                  const device_traits& card)
{
    const recipe like = { "row-column", what.n, {}, parts_fields(), what.axes() };
    std::vector<recipe> found(CANDIDATES, like);
    for (const axis_stage& part : stages) {
        const std::vector<recipe> best = recipes_of(part, card);
        for (std::size_t i = 0; i < CANDIDATES; ++i)
            found[i].set<parts_fields>().parts.push_back(
                best[std::min(i, best.size() - 1)]);
    }
    const auto same = [](const recipe& a, const recipe& b) {
        return a.to_text() == b.to_text();
    };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    for (int frames : frames_for_l2(points_between(what, stages), what, card))
        if (frames > 0 && stages.size() > 1) {
            found.push_back(found.front());
            found.back().set<parts_fields>().frames_at_once = frames;
        }
    return found;
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found;
    if (can_stay_in_place(what, card))
        found = candidates_of(what, stages_in_place(what), card);
    if (!has_columns(found.empty() ? recipe() : found.front())) // or the same stages
        found = candidates_of(what, transposed_stages(what), card);
    return found;
}

// A type that holds an item, whose bits are moved unchanged.
std::string type_of_bytes(std::size_t bytes, bool is_double)
{
    switch (bytes) {
    case 1:
        return "signed char";
    case 2:
        return "short";
    case 4:
        return "float";
    case 8:
        return is_double ? "real" : "complex";
    default:
        return "complex";
    }
}

std::string load_of(const axis_stage& part, bool is_double)
{
    if (!part.is_windowed)
        return text_of("stored_item", type_of_bytes(part.item_bytes, is_double));
    return std::string(is_complex(part.input) ? "windowed_complex<format_"
                                              : "windowed_real<real_") +
           to_string(part.input) + ">";
}

std::size_t whole_sides(std::size_t length)
{
    return length < SIDE ? length : length / SIDE * SIDE;
}

kernel_instance transpose_kernel(const axis_stage& part, bool is_double)
{
    std::size_t rows = std::min(part.rows, SIDE);
    std::size_t columns = std::min(part.columns, SIDE);
    if (part.rows < SIDE)
        columns = std::min(part.columns, whole_sides(ITEMS / rows));
    else if (part.columns < SIDE)
        rows = std::min(part.rows, whole_sides(ITEMS / columns));
    const std::size_t tiles =
        (part.rows + rows - 1) / rows * ((part.columns + columns - 1) / columns);
    const std::size_t together = tiles == 1 ? ITEMS / (rows * columns) : 1;
    kernel_instance kernel;
    kernel.header = "axes/transpose.cuh";
    kernel.name = "transpose_kernel";
    kernel.load = load_of(part, is_double);
    kernel.further = list_of(
        text_of("transposition", part.rows, part.columns, rows, columns, together),
        THREADS);
    kernel.block_threads = THREADS;
    kernel.frames_per_block = int(together);
    kernel.blocks_per_frame = int(tiles);
    kernel.shared_bytes = together * columns * (rows | 1) * part.item_bytes;
    return kernel;
}

// Adds the launches that transform lines from `from` to `to`. True if these may be the
// same memory.
bool add_lines(program& made,
               const axis_stage& part,
               const recipe& how,
               place from,
               place to)
{
    const program lines = part.is_columns()
                              ? build_columns(part.line, part.width, part.lines, how)
                              : build_program(part.line, how);
    for (launch_step step : lines.steps) {
        if (part.is_columns())
            step.row_points = from == place::input ? 0 : part.items;
        else if (step.row_points == 0 && (from != place::input || part.lines > 1))
            step.row_points = part.line.frame_samples();
        step.from = step.from == place::input ? from : step.from;
        step.to = step.to == place::output ? to : step.to;
        step.lines = part.lines;
        step.is_scaled = step.is_scaled && part.is_scaled;
        made.take(step, lines.tables);
    }
    for (int i = 0; i < SCRATCH_PLACES; ++i)
        made.scratch_points[i] =
            std::max(made.scratch_points[i], lines.scratch_points[i] * part.lines);
    return lines.works_in_place;
}

program build(const problem& what, const recipe& how)
{
    const std::vector<axis_stage> stages = stages_of(what, how);
    const std::vector<recipe>& parts = how.of<parts_fields>().parts;
    const auto fits = [](const axis_stage& part, const recipe& by) {
        return part.is_transposition() == by.is_transposition() &&
               part.is_columns() == is_columns(by) &&
               (!part.is_transposition() ||
                by.lengths == std::vector<std::size_t>{ part.rows, part.columns });
    };
    if (parts.size() != stages.size() ||
        !std::equal(stages.begin(), stages.end(), parts.begin(), fits))
        throw std::invalid_argument("the recipe " + how.to_text() + " is not for " +
                                    what.to_string());
    program made;
    made.frames_at_once = how.frames_at_once();
    place from = place::input;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const axis_stage& part = stages[s];
        const bool is_last = s + 1 == stages.size();
        const place to = is_last                    ? place::output
                         : from == place::between_0 ? place::between_1
                                                    : place::between_0;
        if (part.is_transposition()) {
            launch_step step;
            step.kernel = transpose_kernel(part, what.is_double());
            step.from = from;
            step.to = to;
            step.row_points = from == place::input ? 0 : part.items;
            made.steps.push_back(step);
        } else {
            made.works_in_place =
                add_lines(made, part, parts[s], from, to) || stages.size() > 1;
        }
        if (!is_last) {
            std::size_t& points = made.scratch_points[int(to) - int(place::scratch_0)];
            points = std::max(points,
                              (part.items * part.item_bytes + point_bytes(what) - 1) /
                                  point_bytes(what));
        }
        from = to;
    }
    return made;
}

} // namespace

algorithm row_column_algorithm()
{
    algorithm made = {
        "row-column", obstacle, candidates, cost, build, true, LEAST_COST
    };
    made.takes = takes;
    made.fields = parts_fields();
    return made;
}

} // namespace gpufft
} // namespace gr
