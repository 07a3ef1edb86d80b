// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of several axes: the trailing axes as rows, then the leading ones as columns; or
// the other way round to real rows.

#include "slab_writer.h"

#include <algorithm>

namespace gr {
namespace gpufft {

// Rows may be longer than frames: in place the last ones go first.
void slab_writer::write_rows_and_columns()
{
    const std::size_t in_points = product_of(d_layout.trailing_axes);
    const std::size_t bins =
        d_what.kind == transform_kind::r2c ? bins_of(d_layout.trailing_axes) : in_points;
    const std::size_t in_bytes = in_points * d_what.input_item_bytes();
    const std::size_t out_bytes = bins * d_what.output_item_bytes();
    const std::size_t rows = product_of(d_layout.leading_axes);
    const std::size_t height =
        std::min(rows, d_layout.buffer_bytes / std::max(in_bytes, out_bytes));
    const std::size_t transform = add_transform(d_what.kind, d_layout.trailing_axes);
    d_program.transforms[transform].input = d_what.input;
    d_program.transforms[transform].batch = height;
    const bool is_turned = d_layout.cuts.turned;
    if (is_turned)
        store_columns(transform, height);
    sweep now;
    for (std::size_t first = 0, count; first < rows; first += count) {
        count = rows_together(first, height);
        slab each;
        each.uploads = { run_copy(
            slab_memory::input, first * in_bytes, count * in_bytes) };
        each.steps = { transform_step(transform, count) };
        each.downloads = { is_turned ? column_copy(slab_memory::output,
                                                   0,
                                                   rows,
                                                   bins,
                                                   first,
                                                   count,
                                                   d_what.output_item_bytes(),
                                                   height)
                                     : run_copy(slab_memory::output,
                                                first * out_bytes,
                                                count * out_bytes) };
        now.slabs.push_back(each);
    }
    std::reverse(now.slabs.begin(), now.slabs.end());
    d_program.sweeps.push_back(std::move(now));
    add_columns(d_layout.leading_axes, bins, d_what.output_item_bytes());
    d_program.transforms.back().scale = d_what.scale;
}

// Between both sweeps the bins of a row take more memory than its reals: what does
// not fit the output is in scratch. In place the bins stay where they were.
void slab_writer::write_columns_and_real_rows()
{
    const std::vector<std::size_t>& axes = d_layout.leading_axes;
    const std::size_t rows = product_of(axes);
    const std::size_t bins = bins_of(d_layout.trailing_axes);
    const std::size_t row_bytes =
        product_of(d_layout.trailing_axes) * d_what.output_item_bytes();
    const std::size_t kept = d_in_place ? bins : row_bytes / d_item;
    const std::size_t kept_pitch = d_in_place ? bins * d_item : row_bytes;
    const std::size_t rest = bins - kept;
    d_program.scratch_bytes = rows * rest * d_item;

    // Columns first ... first + count - 1 of the bins, from card_column on.
    const auto between = [&](std::size_t row,
                             std::size_t height,
                             std::size_t first,
                             std::size_t count,
                             std::size_t card_width) {
        std::vector<slab_copy> copies;
        const std::size_t in_output = first < kept ? std::min(count, kept - first) : 0;
        if (in_output > 0)
            copies.push_back({ slab_memory::output,
                               row * kept_pitch + first * d_item,
                               kept_pitch,
                               0,
                               card_width * d_item,
                               in_output * d_item,
                               height });
        if (in_output < count)
            copies.push_back({ slab_memory::scratch,
                               (row * rest + std::max(first, kept) - kept) * d_item,
                               rest * d_item,
                               in_output * d_item,
                               card_width * d_item,
                               (count - in_output) * d_item,
                               height });
        return copies;
    };

    const std::size_t width =
        shared_width(std::min(bins, d_layout.buffer_bytes / d_item / rows), bins);
    const std::size_t along = add_transform(transform_kind::c2c, axes);
    read_columns(along, width, width);
    store_columns(along, width);
    d_program.transforms[along].input = d_what.input;
    sweep columns;
    for (std::size_t first = 0; first < bins; first += width) {
        const std::size_t count = std::min(width, bins - first);
        slab each;
        each.uploads = { column_copy(slab_memory::input,
                                     0,
                                     bins,
                                     rows,
                                     first,
                                     count,
                                     d_what.input_item_bytes(),
                                     width) };
        each.steps = { transform_step(along, count) };
        each.downloads = between(0, rows, first, count, width);
        columns.slabs.push_back(each);
    }
    d_program.sweeps.push_back(std::move(columns));

    const std::size_t height =
        std::min(rows, d_layout.buffer_bytes / std::max(bins * d_item, row_bytes));
    const std::size_t last = add_transform(transform_kind::c2r, d_layout.trailing_axes);
    d_program.transforms[last].batch = height;
    d_program.transforms[last].scale = d_what.scale;
    sweep real_rows;
    for (std::size_t first = 0, count; first < rows; first += count) {
        count = rows_together(first, height);
        slab each;
        each.uploads = between(first, count, 0, bins, bins);
        each.steps = { transform_step(last, count) };
        each.downloads = { run_copy(
            slab_memory::output, first * row_bytes, count * row_bytes) };
        real_rows.slabs.push_back(each);
    }
    d_program.sweeps.push_back(std::move(real_rows));
}

} // namespace gpufft
} // namespace gr
