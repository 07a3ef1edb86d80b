// SPDX-License-Identifier: GPL-3.0-or-later
//
// As even as whole rows allow.

#include "slab_parts.h"
#include "planner/planner.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Slabs of each card in a sweep, so that filling and draining the pipeline takes little
// of it; but copies of a few MiB are as fast as long ones. Six buffers are in flight.
constexpr std::size_t SLABS = 16;
constexpr std::size_t LEAST_BUFFER = std::size_t(8) << 20;
constexpr std::size_t MOST_BUFFER = std::size_t(512) << 20;

// Part of a card's memory that a whole frame may take, where each card keeps its points
// in a matrix of all of them: it stores its own share there without a copy.
constexpr std::size_t WHOLES = 4;

std::vector<std::size_t> split_evenly(std::size_t rows, std::size_t cards)
{
    std::vector<std::size_t> parts(cards, rows / cards);
    for (std::size_t i = 0; i < rows % cards; ++i)
        ++parts[i];
    return parts;
}

// Where each part ends.
std::vector<std::size_t> ends_of(const std::vector<std::size_t>& parts, std::size_t unit)
{
    std::vector<std::size_t> ends;
    for (const std::size_t each : parts)
        ends.push_back((ends.empty() ? 0 : ends.back()) + each * unit);
    return ends;
}

// Bins along the second axis.
std::size_t second_axis(const problem& what)
{
    const std::size_t bins =
        has_bins_in_rows(what) ? what.row_items() : what.frame_samples();
    return what.axes().size() == 2 ? bins / what.axes().front() : what.axes()[1];
}

// Whether the columns of a frame of several axes take several kernels, of which the first
// one turns them to rows: the transform of the rows may as well store them so, while it
// waits for the exchange.
bool takes_turned(const problem& what, std::size_t card_bytes, const slab_cuts& cuts)
{
    const slab_layout layout = choose_slab_layout(what, card_bytes, false, cuts);
    const bool is_c2c = what.kind == transform_kind::c2c;
    if (layout.n > 0 || layout.leading_axes.size() != 1 ||
        !(is_c2c || what.kind == transform_kind::r2c) ||
        (!cuts.columns.empty() && !has_bins_in_rows(what)) ||
        layout.trailing_axes.size() != 1)
        return false;
    const std::size_t rows = layout.leading_axes.front();
    const std::size_t width =
        std::max<std::size_t>(layout.buffer_bytes / what.output_item_bytes() / rows, 1);
    problem columns =
        problem::make(transform_kind::c2c, { rows }, width, what.is_double());
    columns.input_strides = columns.output_strides = { width };
    columns.hop = columns.output_distance = 1;
    return planning_obstacle(columns, device_traits()).empty() &&
           make_recipe(columns, device_traits()).algorithm == "strided";
}

} // namespace

bool has_bins_in_rows(const problem& what)
{
    return what.kind == transform_kind::r2c ||
           (what.kind == transform_kind::c2c && what.dir == direction::forward);
}

card_parts parts_on_cards(const problem& what, std::size_t cards, bool transposed)
{
    const std::size_t samples = what.frame_samples(), bins = what.row_items();
    const bool is_line = what.axes().size() == 1;
    card_parts parts;
    parts.rows_in = is_line ? samples : what.axes().front();
    parts.rows_out = is_line ? bins : what.axes().front();
    if (transposed)
        (has_bins_in_rows(what) ? parts.rows_out : parts.rows_in) = second_axis(what);
    parts.input = split_evenly(parts.rows_in, cards);
    parts.output = split_evenly(parts.rows_out, cards);
    for (std::size_t& each : parts.input)
        each *= samples / parts.rows_in;
    for (std::size_t& each : parts.output)
        each *= bins / parts.rows_out;
    return parts;
}

slab_cuts cuts_on_cards(const problem& what,
                        std::size_t card_bytes,
                        std::size_t cards,
                        bool transposed)
{
    const std::size_t bytes = std::max(what.frame_samples() * what.input_item_bytes(),
                                       what.row_items() * what.output_item_bytes());
    const std::size_t share = (bytes + cards - 1) / cards;
    slab_cuts cuts;
    cuts.run_bytes = 0; // of no link to the host
    cuts.buffer_bytes = std::clamp(
        (share + SLABS - 1) / SLABS, std::min(share, LEAST_BUFFER), MOST_BUFFER);
    cuts.cards = cards;
    if (what.axes().size() > 1) {
        cuts.first_axis = ends_of(split_evenly(what.axes().front(), cards), 1);
        if (transposed) {
            const std::size_t second = second_axis(what);
            const std::size_t bins =
                has_bins_in_rows(what) ? what.row_items() : what.frame_samples();
            cuts.columns =
                ends_of(split_evenly(second, cards), bins / what.axes().front() / second);
        }
        cuts.turned = takes_turned(what, card_bytes, cuts);
    }
    cuts.whole =
        bytes <= card_bytes / WHOLES &&
        std::max(what.frame_samples(), what.row_items()) <= LONGEST_SPAN_ON_CARDS;
    return cuts;
}

} // namespace gpufft
} // namespace gr
