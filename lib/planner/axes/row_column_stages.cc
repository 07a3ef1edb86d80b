// SPDX-License-Identifier: GPL-3.0-or-later
//
// Walks along the axes and keeps track of the items.

#include "row_column_stages.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

std::size_t bytes_of(sample_format format)
{
    problem read;
    read.input = format;
    return read.input_item_bytes();
}

// Lists the stages of a problem.
class stage_list
{
public:
    stage_list(const problem& what, bool transposes)
        : d_what(what),
          d_format(what.input),
          d_item_bytes(what.input_item_bytes()),
          d_items(what.frame_samples()),
          d_window_is_left(what.window),
          d_lengths(what.axes())
    {
        find_axes();
        for (std::size_t axis : d_axes) {
            if (!transposes) {
                transform(axis, items_behind(axis));
            } else if (what.kind == transform_kind::r2c) {
                if (d_window_is_left)
                    transpose(1, d_items);
                transform(axis);
                transpose(d_items / d_line_bins, d_line_bins);
            } else {
                const std::size_t points = line_points(axis);
                transpose(points, d_items / points);
                transform(axis);
            }
        }
    }

    std::vector<axis_stage> take() { return std::move(d_stages); }

private:
    bool is_halved(std::size_t axis) const
    {
        return axis + 1 == d_lengths.size() &&
               (d_what.kind == transform_kind::r2c || d_what.kind == transform_kind::c2r);
    }

    // Complex lines of one point need no transform.
    void find_axes()
    {
        for (std::size_t axis = 0; axis < d_lengths.size(); ++axis)
            if (d_lengths[axis] > 1 || d_what.is_real_to_real() || is_halved(axis))
                d_axes.push_back(axis);
        if (d_axes.empty())
            d_axes.push_back(0);
        if (d_what.kind == transform_kind::r2c) // the halved axis first
            std::reverse(d_axes.begin(), d_axes.end());
    }

    std::size_t line_points(std::size_t axis) const
    {
        const bool reads_half = is_halved(axis) && d_what.kind == transform_kind::c2r;
        return reads_half ? d_lengths[axis] / 2 + 1 : d_lengths[axis];
    }

    // Items from one point of a line to the next: the product of the later axes.
    std::size_t items_behind(std::size_t axis) const
    {
        std::size_t items = 1;
        for (std::size_t i = axis + 1; i < d_lengths.size(); ++i)
            items *= is_halved(i) ? d_lengths[i] / 2 + 1 : d_lengths[i];
        return items;
    }

    void transpose(std::size_t rows, std::size_t columns)
    {
        if ((rows == 1 || columns == 1) && !d_window_is_left)
            return;
        axis_stage part;
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

    void transform(std::size_t axis, std::size_t width = 1)
    {
        const bool is_last = axis == d_axes.back();
        axis_stage part;
        part.width = width;
        part.lines = d_items / line_points(axis);
        part.is_scaled = is_last;
        problem& line = part.line;
        line.n = d_lengths[axis];
        line.batch = d_what.batch * part.lines;
        line.input = d_format;
        line.shift_input = d_what.shift_input;
        line.shift_output = d_what.shift_output;
        line.orthogonal = d_what.orthogonal;
        if (d_what.is_real_to_real() || is_halved(axis)) {
            line.kind = d_what.kind;
            line.alone = d_what.alone;
        } else
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
    sample_format d_format;    // of the items after the last stage
    std::size_t d_item_bytes;  // size of such an item
    std::size_t d_items;       // such items in each frame
    std::size_t d_line_bins{}; // bins of a line transformed last
    bool d_window_is_left;
    const std::vector<std::size_t> d_lengths;
    std::vector<std::size_t> d_axes; // axes to transform, in this order
    std::vector<axis_stage> d_stages;
};

} // namespace

std::vector<axis_stage> transposed_stages(const problem& what)
{
    return stage_list(what, true).take();
}

std::vector<axis_stage> stages_in_place(const problem& what)
{
    return stage_list(what, false).take();
}

} // namespace gpufft
} // namespace gr
