// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of programs.

#include "slab_writer.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gr {
namespace gpufft {

std::size_t product_of(const std::vector<std::size_t>& lengths)
{
    return std::accumulate(
        lengths.begin(), lengths.end(), std::size_t(1), std::multiplies<>());
}

std::size_t bins_of(const std::vector<std::size_t>& lengths)
{
    return product_of(lengths) / lengths.back() * (lengths.back() / 2 + 1);
}

slab_writer::slab_writer(const problem& what, const slab_layout& layout, bool in_place)
    : d_what(what),
      d_layout(layout),
      d_in_place(in_place),
      d_item(what.is_double() ? 16 : 8),
      d_inverse(what.kind == transform_kind::c2r || what.dir == direction::inverse)
{
    d_program.buffer_bytes = layout.buffer_bytes;
}

std::size_t slab_writer::rows_together(std::size_t first, std::size_t height) const
{
    const std::size_t rows = product_of(d_layout.leading_axes);
    const std::size_t unit = rows / d_layout.leading_axes.front();
    for (const std::size_t end : d_layout.cuts.first_axis)
        if (end * unit > first)
            return std::min(height, end * unit - first);
    return std::min(height, rows - first);
}

std::size_t slab_writer::shared_width(std::size_t width, std::size_t columns) const
{
    const std::size_t cards = d_layout.cuts.cards;
    if (cards == 0)
        return width;
    const std::size_t slabs = (columns + width * cards - 1) / (width * cards) * cards;
    return (columns + slabs - 1) / slabs;
}

std::size_t slab_writer::last_bins() const
{
    const std::size_t n = d_what.axes().back();
    return d_what.kind == transform_kind::r2c ? n / 2 + 1 : n;
}

std::size_t slab_writer::add_transform(transform_kind kind,
                                       const std::vector<std::size_t>& axes)
{
    problem made = problem::make(kind, axes, 1, d_what.is_double());
    if (kind == transform_kind::c2c)
        made.dir = d_inverse ? direction::inverse : direction::forward;
    made.orthogonal = d_what.orthogonal;
    d_program.transforms.push_back(made);
    return d_program.transforms.size() - 1;
}

// The strides of lines that lie side by side.

static std::vector<std::size_t> column_strides(const std::vector<std::size_t>& axes,
                                               std::size_t width)
{
    std::vector<std::size_t> strides(axes.size(), width);
    for (std::size_t i = axes.size() - 1; i-- > 0;)
        strides[i] = strides[i + 1] * axes[i + 1];
    return strides;
}

void slab_writer::read_columns(std::size_t transform,
                               std::size_t width,
                               std::size_t batch)
{
    problem& made = d_program.transforms[transform];
    made.input_strides = column_strides(made.axes(), width);
    made.hop = 1;
    made.batch = batch;
}

void slab_writer::store_columns(std::size_t transform, std::size_t width)
{
    problem& made = d_program.transforms[transform];
    made.output_strides = column_strides(made.axes(), width);
    made.output_distance = 1;
}


slab_step transform_step(std::size_t transform,
                         std::size_t frames,
                         int from,
                         std::size_t from_bytes,
                         std::size_t to_bytes)
{
    slab_step step;
    step.transform = transform;
    step.frames = frames;
    step.from = from;
    step.to = 1 - from;
    step.from_bytes = from_bytes;
    step.to_bytes = to_bytes;
    return step;
}


slab_copy column_copy(slab_memory at,
                      std::size_t offset,
                      std::size_t width,
                      std::size_t rows,
                      std::size_t first,
                      std::size_t count,
                      std::size_t item,
                      std::size_t card_width,
                      std::size_t card_column)
{
    return { at,
             offset + first * item,
             width * item,
             card_column * item,
             card_width * item,
             count * item,
             rows };
}

slab_copy
run_copy(slab_memory at, std::size_t offset, std::size_t bytes, std::size_t card_offset)
{
    return { at, offset, bytes, card_offset, bytes, bytes, 1 };
}

void slab_writer::add_columns(const std::vector<std::size_t>& axes,
                              std::size_t columns,
                              std::size_t item)
{
    const transform_kind kind =
        d_what.is_real_to_real() ? d_what.kind : transform_kind::c2c;
    const std::size_t rows = product_of(axes);
    const std::size_t width =
        shared_width(std::min(columns, d_layout.buffer_bytes / item / rows), columns);
    const std::size_t transform = add_transform(kind, axes);
    const bool is_turned = d_layout.cuts.turned;
    if (is_turned)
        d_program.transforms[transform].batch = width;
    else
        read_columns(transform, width, width);
    store_columns(transform, width);
    sweep now;
    for (std::size_t first = 0; first < columns; first += width) {
        const std::size_t count = std::min(width, columns - first);
        slab each;
        each.downloads = { column_copy(
            slab_memory::output, 0, columns, rows, first, count, item, width) };
        each.steps = { transform_step(transform, count) };
        each.uploads = each.downloads;
        if (is_turned)
            each.uploads = { run_copy(
                slab_memory::output, first * rows * item, count * rows * item) };
        now.slabs.push_back(each);
    }
    d_program.sweeps.push_back(std::move(now));
}

} // namespace gpufft
} // namespace gr
