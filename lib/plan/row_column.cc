// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order of lines and transpositions, and the launches. A transposition makes the
// axis that was the first one of a frame the last, whose points lie side by side: before
// every axis, so that the last axis ends in its place. For r2c, whose last axis is
// halved before the others are transformed, it is the other way round: after every axis,
// the last axis first.

#include "row_column.h"
#include "convolution_levels.h"
#include "planner.h"
#include "small_calls.h"

#include <algorithm>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* TRANSPOSE = "transpose";
constexpr std::size_t CANDIDATES = 4;
constexpr double COST_TRANSPOSE = 1.1;
constexpr double LEAST_COST = 4; // two axes, where the tensor algorithm takes two steps

// Of a block that transposes.
constexpr int THREADS = 256;
constexpr std::size_t ITEMS = 1024, SIDE = 32;

// One part: a transposition of rows x columns items, or lines by their own problem.
struct stage {
    std::size_t rows = 0, columns = 0; // 0: lines
    bool is_windowed = false;          // transposes samples times the window
    sample_format input = sample_format::cf32;
    problem line;
    std::size_t lines = 1;
    std::size_t item_bytes = 0; // of what it writes
    std::size_t items = 0;      // ... for each frame
    bool is_scaled = false;

    bool is_transposition() const { return rows > 0; }
};

std::size_t bytes_of(sample_format format)
{
    problem read;
    read.input = format;
    return read.input_item_bytes();
}

// Lists the parts of a problem.
class stage_list
{
public:
    explicit stage_list(const problem& what)
        : d_what(what),
          d_format(what.input),
          d_item_bytes(what.input_item_bytes()),
          d_items(what.frame_samples()),
          d_window_is_left(what.window),
          d_lengths(what.axes())
    {
        find_axes();
        if (what.kind == transform_kind::r2c) {
            if (what.window)
                transpose(1, d_items);
            std::for_each(d_axes.rbegin(), d_axes.rend(), [this](std::size_t axis) {
                transform(axis);
                transpose(d_items / d_line_bins, d_line_bins);
            });
        } else {
            for (std::size_t axis : d_axes) {
                const std::size_t points = line_points(axis);
                transpose(points, d_items / points);
                transform(axis);
            }
        }
    }

    std::vector<stage> take() { return std::move(d_stages); }

private:
    bool is_halved(std::size_t axis) const
    {
        return axis + 1 == d_lengths.size() &&
               (d_what.kind == transform_kind::r2c || d_what.kind == transform_kind::c2r);
    }

    // Complex lines of one point need nothing.
    void find_axes()
    {
        for (std::size_t axis = 0; axis < d_lengths.size(); ++axis)
            if (d_lengths[axis] > 1 || d_what.is_real_to_real() || is_halved(axis))
                d_axes.push_back(axis);
        if (d_axes.empty())
            d_axes.push_back(0);
    }

    std::size_t line_points(std::size_t axis) const
    {
        const bool reads_half = is_halved(axis) && d_what.kind == transform_kind::c2r;
        return reads_half ? d_lengths[axis] / 2 + 1 : d_lengths[axis];
    }

    void transpose(std::size_t rows, std::size_t columns)
    {
        if ((rows == 1 || columns == 1) && !d_window_is_left)
            return;
        stage part;
        part.rows = rows;
        part.columns = columns;
        part.is_windowed = d_window_is_left;
        part.input = d_format;
        if (part.is_windowed) {
            d_format = working_format(is_complex(d_format), d_what.is_double());
            d_item_bytes = bytes_of(d_format);
        }
        d_window_is_left = false;
        part.item_bytes = d_item_bytes;
        part.items = d_items;
        d_stages.push_back(part);
    }

    void transform(std::size_t axis)
    {
        const bool is_last =
            axis == (d_what.kind == transform_kind::r2c ? d_axes.front() : d_axes.back());
        stage part;
        part.lines = d_items / line_points(axis);
        part.is_scaled = is_last;
        problem& line = part.line;
        line.n = d_lengths[axis];
        line.batch = d_what.batch * part.lines;
        line.input = d_format;
        line.shift_input = d_what.shift_input;
        line.shift_output = d_what.shift_output;
        line.orthogonal = d_what.orthogonal;
        if (d_what.is_real_to_real() || is_halved(axis))
            line.kind = d_what.kind;
        else
            line.dir =
                d_what.kind == transform_kind::c2r ? direction::inverse : d_what.dir;
        if (line.is_real_to_real())
            line.output = output_kind::real;
        if (is_last) {
            line.output = d_what.output;
            line.stored = d_what.stored;
        }
        d_line_bins = line.row_bins();
        d_items = part.lines * d_line_bins;
        d_item_bytes = line.output_item_bytes();
        d_format = working_format(line.output != output_kind::real, d_what.is_double());
        part.items = d_items;
        part.item_bytes = d_item_bytes;
        d_stages.push_back(part);
    }

    const problem& d_what;
    sample_format d_format;    // of the items so far
    std::size_t d_item_bytes;  // ... in bytes
    std::size_t d_items;       // ... of each frame
    std::size_t d_line_bins{}; // of the last lines
    bool d_window_is_left;
    const std::vector<std::size_t> d_lengths;
    std::vector<std::size_t> d_axes; // that are transformed
    std::vector<stage> d_stages;
};

std::vector<stage> stages_of(const problem& what) { return stage_list(what).take(); }

bool takes(const problem& what)
{
    return what.lengths.size() > 1 && what.input_strides.empty() && what.has_plain_rows();
}

std::string obstacle(const problem& what, const device_traits& card)
{
    problem plain = what;
    plain.window = false; // its first lines are of the problem's input format
    for (const stage& part : stages_of(plain)) {
        if (part.is_transposition())
            continue;
        const std::string reason = planning_obstacle(part.line, card);
        if (!reason.empty())
            return "lines of " + std::to_string(part.line.n) + " points: " + reason;
    }
    return "";
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    const std::vector<stage> stages = stages_of(what);
    double sum = 0;
    for (std::size_t s = 0; s < std::min(stages.size(), how.parts.size()); ++s)
        sum += stages[s].is_transposition()
                   ? least_launch_cost(COST_TRANSPOSE, 1, what)
                   : find_algorithm(how.parts[s].algorithm)
                         .cost(stages[s].line, how.parts[s], card);
    return sum;
}

// Points of what lies between the parts.
std::size_t points_between(const problem& what, const std::vector<stage>& stages)
{
    std::size_t bytes = 0;
    for (const stage& part : stages)
        bytes = std::max(bytes, 2 * part.items * part.item_bytes);
    return bytes / point_bytes(what);
}

// The best recipes of all lines, then the second best, ..., and the best one with so few
// frames a launch that what lies between the parts stays in the L2 cache.
std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    std::vector<recipe> found(CANDIDATES);
    for (recipe& how : found) {
        how.algorithm = "row-column";
        how.n = what.n;
        how.lengths = what.axes();
    }
    const std::vector<stage> stages = stages_of(what);
    for (const stage& part : stages) {
        recipe transposition;
        transposition.algorithm = TRANSPOSE;
        transposition.n = part.items;
        transposition.lengths = { part.rows, part.columns };
        const std::vector<recipe> best =
            part.is_transposition() ? std::vector<recipe>{ transposition }
                                    : recipe_candidates(part.line, card, CANDIDATES);
        for (std::size_t i = 0; i < CANDIDATES; ++i)
            found[i].parts.push_back(best[std::min(i, best.size() - 1)]);
    }
    const auto same = [](const recipe& a, const recipe& b) {
        return a.to_text() == b.to_text();
    };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    for (int frames : frames_for_l2(points_between(what, stages), what, card))
        if (frames > 0 && stages.size() > 1) {
            found.push_back(found.front());
            found.back().frames_ahead = frames;
        }
    return found;
}

// A type that holds an item; its bits are moved as they are.
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

std::string load_of(const stage& part, bool is_double)
{
    if (!part.is_windowed)
        return "stored_item<" + type_of_bytes(part.item_bytes, is_double) + ">";
    return std::string(is_complex(part.input) ? "windowed_complex<format_"
                                              : "windowed_real<real_") +
           to_string(part.input) + ">";
}

std::size_t whole_sides(std::size_t length)
{
    return length < SIDE ? length : length / SIDE * SIDE;
}

kernel_instance transpose_kernel(const stage& part, bool is_double)
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
    std::string shape;
    for (std::size_t number : { part.rows, part.columns, rows, columns, together })
        shape += (shape.empty() ? "" : ", ") + std::to_string(number);
    kernel_instance kernel;
    kernel.header = "transpose.cuh";
    kernel.expression = "transpose_kernel<" + load_of(part, is_double) +
                        ", transposition<" + shape + ">, " + std::to_string(THREADS) +
                        ">";
    kernel.block_threads = THREADS;
    kernel.frames_per_block = int(together);
    kernel.blocks_per_frame = int(tiles);
    kernel.shared_bytes = together * columns * (rows | 1) * part.item_bytes;
    return kernel;
}

// The lines' launches, which read and write `from` and `to`. Returns whether these may be
// one place.
bool add_lines(program& made, const stage& part, const recipe& how, place from, place to)
{
    const program lines = build_program(part.line, how);
    const auto moved = [&](int table) {
        return table < 0 ? -1 : made.add(lines.tables[table]);
    };
    for (launch_step step : lines.steps) {
        if (step.row_points == 0 && (from != place::input || part.lines > 1))
            step.row_points = part.line.frame_samples();
        step.from = step.from == place::input ? from : step.from;
        step.to = step.to == place::output ? to : step.to;
        step.lines = part.lines;
        step.is_scaled = step.is_scaled && part.is_scaled;
        for (int launch_step::*table : { &launch_step::twiddles,
                                         &launch_step::more_twiddles,
                                         &launch_step::chirp,
                                         &launch_step::spectrum,
                                         &launch_step::order })
            step.*table = moved(step.*table);
        made.steps.push_back(step);
    }
    for (int i = 0; i < SCRATCH_PLACES; ++i)
        made.scratch_points[i] =
            std::max(made.scratch_points[i], lines.scratch_points[i] * part.lines);
    made.ring_points = std::max(made.ring_points, lines.ring_points);
    made.counters = std::max(made.counters, lines.counters * part.lines);
    made.more_counters = std::max(made.more_counters, lines.more_counters);
    return lines.works_in_place;
}

program build(const problem& what, const recipe& how)
{
    const std::vector<stage> stages = stages_of(what);
    const auto fits = [](const stage& part, const recipe& by) {
        return part.is_transposition() == is_transposition(by) &&
               (!part.is_transposition() ||
                by.lengths == std::vector<std::size_t>{ part.rows, part.columns });
    };
    if (how.parts.size() != stages.size() ||
        !std::equal(stages.begin(), stages.end(), how.parts.begin(), fits))
        throw std::invalid_argument("the recipe " + how.to_text() + " is not for " +
                                    what.to_string());
    program made;
    made.frames_at_once = how.frames_ahead;
    place from = place::input;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const stage& part = stages[s];
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
                add_lines(made, part, how.parts[s], from, to) || stages.size() > 1;
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

bool is_transposition(const recipe& part) { return part.algorithm == TRANSPOSE; }

algorithm row_column_algorithm()
{
    algorithm made = {
        "row-column", obstacle, candidates, cost, build, true, LEAST_COST
    };
    made.takes = takes;
    return made;
}

} // namespace gpufft
} // namespace gr
