// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the template arguments of the real ends, and the kernels of
// kernels/real/real.cuh.

#include "real_kernels.h"
#include "planner/roots_of_unity.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

constexpr int THREADS = 256; // of the kernels around another transform

// True for a DST that the kernels of a DCT compute.
bool is_reordered(transform_kind kind)
{
    return properties_of(kind).is_sine && kind != transform_kind::dst1;
}

// The DCT whose kernels compute a DST; any other kind itself.
transform_kind cosine_of(transform_kind kind)
{
    return is_reordered(kind) ? real_to_real_kind(false, properties_of(kind).type) : kind;
}

// The orders in which a DST's row is read and written by the kernels of a DCT.
const char* order_of_input(transform_kind kind)
{
    if (!is_reordered(kind))
        return "row_order::plain";
    return kind == transform_kind::dst2 ? "row_order::alternating"
                                        : "row_order::reversed";
}

const char* order_of_output(transform_kind kind)
{
    if (!is_reordered(kind))
        return "row_order::plain";
    return kind == transform_kind::dst2 ? "row_order::reversed"
                                        : "row_order::alternating";
}

// The numbers that an orthogonal transform weights.
const char* ends_text(const problem& what, transform_kind weighed)
{
    if (!what.orthogonal)
        return "row_ends::plain";
    if (what.kind == transform_kind::dct1)
        return "row_ends::both";
    return cosine_of(what.kind) == weighed ? "row_ends::first" : "row_ends::plain";
}

// The format of a stored row.
const char* row_format(const problem& what)
{
    if (what.stored != number_format::working)
        return to_string(what.stored);
    return what.is_double() ? "f64" : "f32";
}

// The number of further roots for the same k that follow each root in the table.
int roots_beside(transform_kind kind)
{
    const bool has_one = kind == transform_kind::r2c || kind == transform_kind::c2r ||
                         kind == transform_kind::dct1 || kind == transform_kind::dst1;
    return has_one ? 0 : 1;
}

std::string roots_text(const problem& what, bool has_table)
{
    return has_table ? text_of("roots_of_table", roots_beside(what.kind))
                     : "computed_roots";
}

void set_pair(real_ends& ends, const std::string& pair)
{
    ends.pair = pair;
    ends.split = text_of("split_pair", ends.pair);
}

// Whether each number of a row lies in memory by itself.
bool has_items(const problem& what)
{
    return !what.is_polyphase_bank() && what.samples_in_item() == 1;
}

real_ends even_ends(const problem& what, real_way way)
{
    constexpr std::size_t LEAST_COPIED = 4; // bytes that can be copied without waiting
    const std::string roots = roots_text(what, way == real_way::in_block);
    const std::size_t n = what.n;
    real_ends ends;
    ends.points = n / 2;
    ends.items = (ends.points + 1) / 2;
    ends.has_items = has_items(what);
    switch (cosine_of(what.kind)) {
    case transform_kind::r2c:
        ends.pack = text_of("pack_pairs", row_input(what));
        if (what.is_polyphase_bank()) {
            set_pair(ends, text_of("bins_of_bank", half_output(what), roots));
            break;
        }
        if (ends.has_items && !what.shift_input &&
            2 * what.input_item_bytes() >= LEAST_COPIED)
            ends.row = row_input(what);
        set_pair(ends, text_of("half_of_bins", half_output(what), roots));
        ends.has_runs = true;
        break;
    case transform_kind::c2r:
        ends.pack = text_of("pack_bins", text_of("stored_bins", half_input(what)), roots);
        ends.split = text_of("split_pairs", row_output(what));
        ends.is_inverse = ends.stages_load = true;
        ends.stages_store = false;
        ends.items = ends.points;
        break;
    case transform_kind::dct2:
        ends.pack = text_of("pack_cosine", row_input(what));
        set_pair(ends, text_of("cosines_of_pair", row_output(what), roots));
        ends.has_runs = true;
        ends.stages_load = n % 4 == 0;
        break;
    case transform_kind::dct3:
        ends.pack = text_of("pack_bins", text_of("cosine_bins", row_input(what)), roots);
        ends.is_inverse = ends.stages_load = true;
        ends.stages_store =
            (way == real_way::in_block || way == real_way::in_cluster) && n % 4 == 0;
        if (n % 4 == 0)
            set_pair(ends, text_of("cosine_inverse_of_pair", row_output(what)));
        if (!ends.stages_store) {
            ends.split = text_of("split_cosine_inverse", row_output(what));
            ends.items = ends.points;
        }
        break;
    case transform_kind::dct4:
        ends.pack = text_of("pack_turned", row_input(what), roots);
        set_pair(ends, text_of("turned_of_pair", row_output(what), roots));
        ends.stages_load = true;
        break;
    default:
        throw std::logic_error(std::string(to_string(what.kind)) + " has no ends");
    }
    return ends;
}

// Odd lengths: two rows per vector, or one.
real_ends odd_ends(const problem& what, real_way way)
{
    const bool has_table = way == real_way::in_block || way == real_way::in_rader;
    const std::string roots = has_table ? "roots_of_table<0>" : "computed_roots";
    real_ends ends;
    ends.points = what.n;
    ends.is_odd = true;
    ends.rows = what.alone ? 1 : 2;
    const std::string rows = what.alone ? "1" : "";
    ends.items = what.n / 2 + 1;
    ends.has_items = has_items(what);
    ends.fills_tiles =
        ends.has_items && what.stored == number_format::working && !what.is_power();
    ends.has_half = what.kind == transform_kind::r2c || what.kind == transform_kind::c2r;
    const auto pack = [&](const char* name, const std::string& row) {
        return text_of("pack_two", text_of(name, row), ends.is_inverse, rows);
    };
    switch (cosine_of(what.kind)) {
    case transform_kind::r2c:
        ends.pack = pack("plain_row", row_input(what));
        ends.split = text_of("split_two", half_output(what), rows);
        break;
    case transform_kind::c2r:
        ends.is_inverse = true;
        ends.pack = pack("mirrored_bins", half_input(what));
        ends.split = text_of("split_two_rows", row_output(what), false, rows);
        break;
    case transform_kind::dct2:
        ends.pack = pack("cosine_row", row_input(what));
        ends.split = text_of(
            "split_two", text_of("cosines_of_bins", row_output(what), roots), rows);
        break;
    case transform_kind::dct3:
        ends.is_inverse = true;
        ends.pack = pack("cosine_spectrum", row_input(what));
        ends.split = text_of("split_two_rows", row_output(what), true, rows);
        break;
    case transform_kind::dct4:
        ends.pack = pack("turned_row", row_input(what));
        ends.split = text_of("split_two_turned", row_output(what), rows);
        ends.items = what.n;
        break;
    default:
        throw std::logic_error(std::string(to_string(what.kind)) + " has no ends");
    }
    if (ends.is_inverse) {
        ends.stages_store = false;
        ends.items = what.n;
    }
    return ends;
}

// A kernel whose threads compute the `items` items of every vector, see for_own_item().
kernel_instance
kernel_of_items(const char* name, const std::string& step, std::size_t items)
{
    kernel_instance kernel = { "real/real.cuh", name };
    kernel.load = step;
    kernel.further = std::to_string(THREADS);
    kernel.block_threads = THREADS;
    if (items < THREADS)
        kernel.frames_per_block = int(THREADS / items);
    else
        kernel.blocks_per_frame = int((items + THREADS - 1) / THREADS);
    return kernel;
}

} // namespace

std::string row_input(const problem& what)
{
    const std::string row =
        what.samples_in_item() > 1
            ? text_of("packed_input",
                      what.n,
                      8 * what.input_item_bytes() / what.samples_in_item(),
                      what.window,
                      what.shift_input)
            : text_of("real_input",
                      what.n,
                      std::string("real_") + to_string(what.input),
                      what.window,
                      what.shift_input,
                      order_of_input(what.kind),
                      ends_text(what, transform_kind::dct3));
    return what.is_polyphase_bank()
               ? text_of("polyphase_row", row, what.taps, what.running)
               : row;
}

std::string row_output(const problem& what)
{
    return text_of("real_output",
                   what.n,
                   std::string("real_") + row_format(what),
                   what.shift_output,
                   order_of_output(what.kind),
                   ends_text(what, transform_kind::dct2));
}

std::string half_input(const problem& what)
{
    return text_of("half_input",
                   what.n,
                   std::string("format_") + to_string(what.input),
                   what.window);
}

std::string half_output(const problem& what)
{
    return what.is_polyphase_bank()
               ? text_of("bank_output", what.n, kind_text(what), what.bins)
               : text_of("half_output", what.n, kind_text(what));
}

real_ends ends_of(const problem& what, real_way way)
{
    if (what.kind == transform_kind::dct1 || what.kind == transform_kind::dst1) {
        const bool is_odd = what.kind == transform_kind::dst1;
        const std::string roots = roots_text(what, way == real_way::in_block);
        real_ends ends;
        ends.points = is_odd ? what.n + 1 : what.n - 1;
        ends.items = (ends.points + 1) / 2;
        ends.pack = text_of("pack_extended", row_input(what), is_odd);
        set_pair(ends, text_of("extended_of_pair", row_output(what), is_odd, roots));
        return ends;
    }
    return what.n % 2 == 0 ? even_ends(what, way) : odd_ends(what, way);
}

std::vector<std::complex<long double>> real_roots(const problem& what)
{
    typedef roots_of_unity<long double> exact_roots;
    const real_ends ends = ends_of(what, real_way::in_block);
    const long n = long(what.n);
    std::vector<std::complex<long double>> roots;
    if (ends.is_odd) {
        const exact_roots root(4 * n);
        if (cosine_of(what.kind) == transform_kind::dct2)
            for (long k = 0; 2 * k < n; ++k)
                roots.push_back(root(k));
        return roots;
    }
    const bool is_fourth =
        what.kind == transform_kind::dct4 || what.kind == transform_kind::dst4;
    const long count = long(is_fourth ? ends.points : ends.points / 2 + 1);
    const exact_roots root(is_fourth ? 8 * n : 2 * long(ends.points));
    const exact_roots beside(is_fourth ? 2 * n : 4 * n);
    for (long k = 0; k < count; ++k) {
        roots.push_back(root(is_fourth ? 4 * k + 1 : k));
        if (roots_beside(what.kind) > 0)
            roots.push_back(beside(k));
    }
    return roots;
}

// Bytes of a block's rows in shared memory, see kernels/real/row_tiles.cuh.
static std::size_t
tile_bytes(const problem& what, const real_ends& ends, const stockham_shape& shape)
{
    const std::size_t rows = std::size_t(ends.rows) * shape.transforms;
    const std::size_t read = what.frame_samples() * what.input_item_bytes();
    const std::size_t space = rows > 1 && read % 32 == 0 ? 16 : 0;
    const std::size_t most =
        std::max(read + space, what.row_bins() * what.output_item_bytes());
    return (rows * most + 31) / 16 * 16;
}

kernel_instance
real_kernel(const problem& what, const real_ends& ends, const stockham_shape& shape)
{
    stockham_shape exchanged = shape;
    exchanged.tiled = false;
    kernel_instance kernel = block_kernel(
        shape,
        shape_text(shape),
        exchanged.shared_bytes() + (shape.tiled ? tile_bytes(what, ends, shape) : 0),
        "real/real.cuh",
        "real_kernel",
        ends.pack,
        ends.split);
    kernel.further = list_of(shape.tiled);
    return kernel;
}

kernel_instance real_pack_kernel(const real_ends& ends)
{
    return kernel_of_items("real_pack_kernel", ends.pack, ends.points);
}

kernel_instance real_split_kernel(const real_ends& ends)
{
    return kernel_of_items("real_split_kernel", ends.split, ends.items);
}

} // namespace gpufft
} // namespace gr
