// SPDX-License-Identifier: GPL-3.0-or-later
//
// One axis of n = first * second points in two sweeps: with m = second i + j and k =
// first l + h,
//
//   X[k] = sum_j exp(-2 pi j l / second) [ exp(-2 pi j h / n) sum_i x[m] exp(-2 pi i h /
//          first) ],
//
// where the first sweep takes columns j and stores them as rows, so that the second one
// takes columns h and stores each where it was (Bailey, "FFTs in external or hierarchical
// memory", 1990). In place n is first * middle * first, and the first sweep exchanges
// both outer digits; where n has no such factors, host scratch takes what is between.

#include "slab_writer.h"

#include <algorithm>

namespace gr {
namespace gpufft {

void slab_writer::write_divided_lines()
{
    const bool to_bins = d_what.kind == transform_kind::r2c;
    const std::size_t lines = product_of(d_layout.leading_axes), n = d_layout.n;
    const std::size_t in_bytes = d_what.kind == transform_kind::c2r ? (n + 1) * d_item
                                 : to_bins                          ? n * d_item
                                           : n * d_what.input_item_bytes();
    const std::size_t out_bytes = (to_bins ? n + 1 : n) * d_item;
    d_program.sweeps.resize(2);
    if (d_layout.middle > 0) {
        for (std::size_t line = 0; line < lines; ++line)
            write_outer_digits(line * in_bytes, line == 0);
        for (std::size_t line = 0; line < lines; ++line)
            write_inner_digits(line * in_bytes, line == 0);
    } else {
        const slab_memory between =
            d_in_place ? slab_memory::scratch : slab_memory::output;
        const std::size_t between_bytes = d_in_place ? n * d_item : out_bytes;
        if (d_in_place)
            d_program.scratch_bytes = lines * between_bytes;
        for (std::size_t line = 0; line < lines; ++line)
            write_first_factor(line * in_bytes, between, line * between_bytes, line == 0);
        for (std::size_t line = 0; line < lines; ++line)
            write_second_factor(
                between, line * between_bytes, line * out_bytes, line == 0);
    }
    if (!d_layout.leading_axes.empty())
        add_columns(d_layout.leading_axes, last_bins(), d_what.output_item_bytes());
    d_program.transforms.back().scale = d_what.scale;
}

// All columns of a matrix in groups; with `mirrors` each group has its mirror image.
std::vector<slab_writer::column_group>
slab_writer::groups_of(std::size_t columns, std::size_t width, bool mirrors) const
{
    std::vector<column_group> groups;
    const std::size_t end = mirrors ? columns / 2 + 1 : columns;
    for (std::size_t first = 0; first < end; first += width) {
        column_group each{ first, std::min(width, end - first) };
        if (mirrors) {
            const std::size_t last = std::min(columns - first + 1, columns);
            each.mirrors = std::max(columns - first + 1 - each.count, first + each.count);
            each.mirrored = last > each.mirrors ? last - each.mirrors : 0;
        }
        groups.push_back(each);
    }
    return groups;
}

// Most columns of a group. A point more follows those of a group with a mirror image.
std::size_t slab_writer::width_for(std::size_t rows,
                                   std::size_t columns,
                                   std::size_t item,
                                   bool mirrors) const
{
    const std::size_t items = d_layout.buffer_bytes / item;
    const std::size_t all = mirrors ? columns / 2 + 1 : columns;
    const std::size_t most = mirrors ? (items - 1) / rows / 2 : items / rows;
    return shared_width(std::min(all, most), all);
}

slab_step slab_writer::twiddle_step(int buffer,
                                    std::size_t to_bytes,
                                    std::size_t rows,
                                    std::size_t first) const
{
    slab_step step;
    step.what = slab_step::kind::twiddles;
    step.to = buffer;
    step.to_bytes = to_bytes;
    step.twiddles.rows = rows;
    step.twiddles.row_points = d_layout.first;
    step.twiddles.n = d_layout.n;
    step.twiddles.first = first;
    step.twiddles.inverse = d_inverse;
    return step;
}

slab_step slab_writer::pair_step(const column_group& group,
                                 std::size_t rows,
                                 std::size_t columns,
                                 std::size_t width,
                                 int from) const
{
    slab_step step;
    step.what = slab_step::kind::pairs;
    step.from = from;
    step.to = 1 - from;
    step.pairs = { rows,          2 * width,      columns, group.first, group.count,
                   group.mirrors, group.mirrored, width,   !d_inverse };
    return step;
}

// Along i. Inverse transforms to reals first make the points of half the length.
void slab_writer::write_first_factor(std::size_t input,
                                     slab_memory between,
                                     std::size_t output,
                                     bool adds)
{
    const bool is_c2c = d_what.kind == transform_kind::c2c;
    const bool from_bins = d_what.kind == transform_kind::c2r;
    const std::size_t rows = d_layout.first, columns = d_layout.second;
    // reals are pairs, each a complex point
    const std::size_t item = is_c2c ? d_what.input_item_bytes() : d_item;
    const std::size_t width = width_for(rows, columns, std::max(item, d_item), from_bins);
    const std::size_t pitch = from_bins ? 2 * width : width;
    if (adds) {
        d_first = add_transform(transform_kind::c2c, { rows });
        read_columns(d_first, pitch, width);
        if (is_c2c)
            d_program.transforms[d_first].input = d_what.input;
    }
    const int from = from_bins ? 1 : 0;
    const std::size_t row_bytes = rows * d_item;
    for (const column_group& group : groups_of(columns, width, from_bins)) {
        slab each;
        each.result = 1 - from;
        if (from_bins)
            each.steps.push_back(pair_step(group, rows, columns, width, 0));
        const auto add = [&](std::size_t first, std::size_t count, std::size_t at) {
            each.uploads.push_back(column_copy(
                slab_memory::input, input, columns, rows, first, count, item, pitch, at));
            each.steps.push_back(
                transform_step(d_first, count, from, at * item, at * row_bytes));
            each.steps.push_back(twiddle_step(1 - from, at * row_bytes, count, first));
            each.downloads.push_back(run_copy(
                between, output + first * row_bytes, count * row_bytes, at * row_bytes));
        };
        add(group.first, group.count, 0);
        if (group.mirrored > 0)
            add(group.mirrors, group.mirrored, width);
        if (from_bins && group.first == 0)
            each.uploads.push_back(run_copy(slab_memory::input,
                                            input + d_layout.n * d_item,
                                            d_item,
                                            rows * pitch * d_item));
        d_program.sweeps[0].slabs.push_back(each);
    }
}

// Along j. Transforms of reals at last make the bins of twice the length.
void slab_writer::write_second_factor(slab_memory between,
                                      std::size_t input,
                                      std::size_t output,
                                      bool adds)
{
    const bool to_bins = d_what.kind == transform_kind::r2c;
    const std::size_t rows = d_layout.second, columns = d_layout.first;
    const std::size_t width = width_for(rows, columns, d_item, to_bins);
    const std::size_t pitch = to_bins ? 2 * width : width;
    if (adds) {
        d_second = add_transform(transform_kind::c2c, { rows });
        read_columns(d_second, pitch, width);
        store_columns(d_second, pitch);
    }
    for (const column_group& group : groups_of(columns, width, to_bins)) {
        slab each;
        const auto add = [&](std::size_t first, std::size_t count, std::size_t at) {
            const auto copy = [&](slab_memory where, std::size_t offset) {
                return column_copy(
                    where, offset, columns, rows, first, count, d_item, pitch, at);
            };
            each.uploads.push_back(copy(between, input));
            each.downloads.push_back(copy(slab_memory::output, output));
            each.steps.push_back(
                transform_step(d_second, count, 0, at * d_item, at * d_item));
        };
        add(group.first, group.count, 0);
        if (group.mirrored > 0)
            add(group.mirrors, group.mirrored, width);
        if (to_bins) {
            each.steps.push_back(pair_step(group, rows, columns, width, 1));
            each.result = 0;
        }
        if (to_bins && group.first == 0)
            each.downloads.push_back(run_copy(slab_memory::output,
                                              output + d_layout.n * d_item,
                                              d_item,
                                              rows * pitch * d_item));
        d_program.sweeps[1].slabs.push_back(each);
    }
}

// In place, digits (i, j, l) of m = (middle i + j) first + l: transforms along i, and
// stores (l, j, h).
void slab_writer::write_outer_digits(std::size_t offset, bool adds)
{
    const std::size_t a = d_layout.first, middle = d_layout.middle;
    const std::size_t most = std::min(middle, d_layout.buffer_bytes / d_item / a / a);
    if (adds) {
        d_first = add_transform(transform_kind::c2c, { a });
        read_columns(d_first, most * a, a);
        if (most > 1)
            d_program.transforms[d_first].output_distance = most * a;
    }
    for (std::size_t first = 0; first < middle; first += most) {
        const std::size_t count = std::min(most, middle - first);
        slab each;
        each.uploads = { { slab_memory::input,
                           offset + first * a * d_item,
                           middle * a * d_item,
                           0,
                           most * a * d_item,
                           count * a * d_item,
                           a } };
        each.downloads = each.uploads;
        each.downloads.front().at = slab_memory::output;
        for (std::size_t j = 0; j < count; ++j)
            each.steps.push_back(
                transform_step(d_first, a, 0, j * a * d_item, j * a * d_item));
        slab_step turn = twiddle_step(1, 0, a * most, first * a);
        turn.twiddles.inner = most;
        turn.twiddles.inner_step = a;
        each.steps.push_back(turn);
        d_program.sweeps[0].slabs.push_back(each);
    }
}

// Then along (j, l), of columns h: stored (l, j), uploaded in their order.
void slab_writer::write_inner_digits(std::size_t offset, bool adds)
{
    const std::size_t a = d_layout.first, middle = d_layout.middle;
    const std::size_t rows = a * middle;
    const std::size_t width = std::min(a, d_layout.buffer_bytes / d_item / rows);
    if (adds) {
        d_second = add_transform(transform_kind::c2c, { rows });
        read_columns(d_second, width, width);
        store_columns(d_second, width);
    }
    for (std::size_t first = 0; first < a; first += width) {
        const std::size_t count = std::min(width, a - first);
        slab each;
        for (std::size_t j = 0; j < middle; ++j)
            each.uploads.push_back({ slab_memory::output,
                                     offset + (j * a + first) * d_item,
                                     rows * d_item,
                                     j * a * width * d_item,
                                     width * d_item,
                                     count * d_item,
                                     a });
        each.steps = { transform_step(d_second, count) };
        each.downloads = { column_copy(
            slab_memory::output, offset, a, rows, first, count, d_item, width) };
        d_program.sweeps[1].slabs.push_back(each);
    }
}

} // namespace gpufft
} // namespace gr
