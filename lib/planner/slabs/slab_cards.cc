// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the copies of a program where the parts of cards end, and leaves out copies within
// a card that its transforms can do without.

#include "slab_cards.h"
#include "planner/planner.h"
#include "slab_sharing.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

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

constexpr std::size_t LONGEST_SPAN = MAX_FFT_SIZE; // kernels count in 32 bits

std::vector<std::size_t> split_evenly(std::size_t rows, std::size_t cards)
{
    std::vector<std::size_t> parts(cards, rows / cards);
    for (std::size_t i = 0; i < rows % cards; ++i)
        ++parts[i];
    return parts;
}

// Where each part begins, and the end.
std::vector<std::size_t> bounds_of(const std::vector<std::size_t>& parts,
                                   std::size_t bytes)
{
    std::vector<std::size_t> bounds{ 0 };
    for (const std::size_t each : parts)
        bounds.push_back(bounds.back() + each * bytes);
    return bounds;
}

// Whether the columns of a frame of several axes take several kernels, of which the first
// one turns them to rows: the transform of the rows may as well store them so, while it
// waits for the exchange.
bool takes_turned(const problem& what, std::size_t card_bytes, const slab_cuts& cuts)
{
    const slab_layout layout = choose_slab_layout(what, card_bytes, false, cuts);
    const bool is_c2c = what.kind == transform_kind::c2c;
    if (layout.n > 0 || layout.leading_axes.size() != 1 ||
        !(is_c2c || what.kind == transform_kind::r2c) || layout.trailing_axes.size() != 1)
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

slab_cuts cuts_of(const problem& what, std::size_t card_bytes, std::size_t cards)
{
    const std::size_t bytes = std::max(what.frame_samples() * what.input_item_bytes(),
                                       what.row_items() * what.output_item_bytes());
    const std::size_t share = (bytes + cards - 1) / cards;
    slab_cuts cuts;
    cuts.run_bytes = 0; // of no link
    cuts.buffer_bytes = std::clamp(
        (share + SLABS - 1) / SLABS, std::min(share, LEAST_BUFFER), MOST_BUFFER);
    cuts.cards = cards;
    if (what.axes().size() > 1) {
        cuts.first_axis = split_evenly(what.axes().front(), cards);
        std::partial_sum(
            cuts.first_axis.begin(), cuts.first_axis.end(), cuts.first_axis.begin());
        cuts.turned = takes_turned(what, card_bytes, cuts);
    }
    cuts.whole = bytes <= card_bytes / WHOLES &&
                 std::max(what.frame_samples(), what.row_items()) <= LONGEST_SPAN;
    return cuts;
}

// `count` rows of a copy from `row` on, `bytes` of each from `skipped` on.
slab_copy piece_of(const slab_copy& copy,
                   std::size_t row,
                   std::size_t count,
                   std::size_t skipped,
                   std::size_t bytes)
{
    slab_copy piece = copy;
    piece.offset += row * copy.pitch + skipped;
    piece.card_offset += row * copy.card_pitch + skipped;
    piece.rows = count;
    piece.row_bytes = bytes;
    return piece;
}

// The copies as pieces that each lie on one card.
std::vector<slab_copy> placed(const std::vector<slab_copy>& copies,
                              const std::vector<std::size_t>& bounds)
{
    std::vector<slab_copy> made;
    const auto add = [&](slab_copy piece, std::size_t card) {
        piece.card = static_cast<int>(card);
        piece.offset -= bounds[card];
        made.push_back(piece);
    };
    const auto card_at = [&](std::size_t byte) {
        return std::size_t(std::upper_bound(bounds.begin(), bounds.end(), byte) -
                           bounds.begin() - 1);
    };
    for (const slab_copy& copy : copies) {
        if (copy.at == slab_memory::cards) {
            made.push_back(copy);
            continue;
        }
        for (std::size_t row = 0; row < copy.rows;) {
            const std::size_t begin = copy.offset + row * copy.pitch;
            const std::size_t end = begin + copy.row_bytes;
            std::size_t card = card_at(begin);
            if (end <= bounds[card + 1]) {
                const std::size_t whole =
                    copy.pitch > 0 ? 1 + (bounds[card + 1] - end) / copy.pitch : 1;
                const std::size_t count = std::min(copy.rows - row, whole);
                add(piece_of(copy, row, count, 0, copy.row_bytes), card);
                row += count;
                continue;
            }
            for (std::size_t at = begin; at < end; card = card_at(at)) {
                const std::size_t bytes = std::min(end, bounds[card + 1]) - at;
                add(piece_of(copy, row, 1, at - begin, bytes), card);
                at += bytes;
            }
            ++row;
        }
    }
    return made;
}

// Each card begins with its neighbour, so that not all copy from or to the same one.
void begin_at(std::vector<slab_copy>& copies, std::size_t card, std::size_t cards)
{
    const auto distance = [&](const slab_copy& copy) {
        return (std::size_t(copy.card) + cards - card) % cards;
    };
    std::stable_sort(
        copies.begin(), copies.end(), [&](const slab_copy& a, const slab_copy& b) {
            return distance(a) < distance(b);
        });
}

bool is_run(const slab_copy& copy)
{
    return copy.rows == 1 ||
           (copy.pitch == copy.row_bytes && copy.card_pitch == copy.row_bytes);
}

// The lines of a strided problem with other gaps between neighbouring points.
problem with_pitch(problem what, std::size_t from, std::size_t to)
{
    for (std::size_t& stride : what.input_strides)
        stride = stride / from * to;
    return what;
}

bool is_computed(const problem& what)
{
    return what.input_span() <= LONGEST_SPAN && what.output_span() <= LONGEST_SPAN &&
           planning_obstacle(what, device_traits()).empty();
}

std::size_t index_of(slab_program& program, const problem& what)
{
    std::vector<problem>& all = program.transforms;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].to_string() == what.to_string())
            return i;
    all.push_back(what);
    return all.size() - 1;
}

// A transform of all that is uploaded reads it where it lies, if that is on its card.
void read_in_place(slab_program& program, slab& each)
{
    if (each.uploads.size() != 1 || each.uploads.front().card != each.card)
        return;
    const slab_copy from = each.uploads.front();
    const auto uses_upload = [](const slab_step& step) {
        return step.what == slab_step::kind::twiddles ? step.to == 0 : step.from == 0;
    };
    slab_step& first = each.steps.front();
    if (first.what != slab_step::kind::transform || first.from != 0 ||
        first.from_bytes != from.card_offset ||
        std::any_of(each.steps.begin() + 1, each.steps.end(), uses_upload))
        return;
    const problem& what = program.transforms[first.transform];
    if (!is_run(from) && from.pitch != from.card_pitch) {
        const std::size_t item = what.input_item_bytes();
        if (what.input_strides.empty() || from.pitch % item != 0)
            return;
        const problem wide = with_pitch(what, from.card_pitch / item, from.pitch / item);
        if (!is_computed(wide))
            return;
        first.transform = index_of(program, wide);
    }
    first.source = from;
    each.uploads.clear();
}

// The steps of the first sweep that write what the other cards and its own one get write
// it to the whole matrix that the card keeps, from which the others get theirs.
void keep_whole(slab_program& program, slab& each)
{
    std::vector<slab_copy>& parts = each.downloads;
    const auto own = std::find_if(parts.begin(), parts.end(), [&](const slab_copy& part) {
        return part.card == each.card;
    });
    const auto writes_result = [&](const slab_step& step) {
        return step.to == each.result && step.what != slab_step::kind::pairs;
    };
    if (own == parts.end() ||
        !std::all_of(each.steps.begin(), each.steps.end(), writes_result))
        return;
    const std::size_t pitch = own->pitch, buffer_pitch = own->card_pitch;
    const auto place_of = [&](std::size_t at) { // of what is there in the buffer
        return at / buffer_pitch * pitch + at % buffer_pitch;
    };
    const std::size_t base = own->offset - place_of(own->card_offset);
    std::vector<slab_step> steps = each.steps;
    for (slab_step& step : steps) {
        if (pitch != buffer_pitch) {
            if (step.what != slab_step::kind::transform)
                return;
            problem wide = program.transforms[step.transform];
            const std::size_t item = wide.output_item_bytes();
            if (wide.output_strides.empty() || wide.output_distance != 1 ||
                pitch % item != 0 || buffer_pitch % item != 0)
                return;
            for (std::size_t& stride : wide.output_strides)
                stride = stride / (buffer_pitch / item) * (pitch / item);
            if (!is_computed(wide))
                return;
            step.transform = index_of(program, wide);
        }
        step.target = *own;
        step.target->offset = base + place_of(step.to_bytes);
    }
    each.steps = steps;
    const auto is_own = [&](const slab_copy& part) { return part.card == each.card; };
    parts.erase(std::remove_if(parts.begin(), parts.end(), is_own), parts.end());
    for (slab_copy& part : parts) {
        part.card_offset = base + place_of(part.card_offset);
        part.card_pitch = pitch;
    }
    each.result = slab::KEPT;
}

// The same of a transform whose rows are downloaded to its own card.
void write_in_place(slab& each)
{
    if (each.downloads.size() != 1 || each.downloads.front().card != each.card ||
        !is_run(each.downloads.front()))
        return;
    slab_step& last = each.steps.back();
    if (last.what != slab_step::kind::transform || last.to != each.result ||
        last.to_bytes != each.downloads.front().card_offset)
        return;
    last.target = each.downloads.front();
    each.downloads.clear();
}

} // namespace

card_parts parts_on_cards(const problem& what, std::size_t cards)
{
    const std::size_t samples = what.frame_samples(), bins = what.row_items();
    const bool is_line = what.axes().size() == 1;
    card_parts parts;
    parts.rows_in = is_line ? samples : what.axes().front();
    parts.rows_out = is_line ? bins : what.axes().front();
    parts.input = split_evenly(parts.rows_in, cards);
    parts.output = split_evenly(parts.rows_out, cards);
    for (std::size_t& each : parts.input)
        each *= samples / parts.rows_in;
    for (std::size_t& each : parts.output)
        each *= bins / parts.rows_out;
    return parts;
}

std::string
card_data_obstacle(const problem& what, std::size_t card_bytes, std::size_t cards)
{
    const std::string in_slabs = slab_obstacle(what, card_bytes);
    if (!in_slabs.empty())
        return in_slabs;
    const card_parts parts = parts_on_cards(what, cards);
    if (std::min(parts.rows_in, parts.rows_out) < cards)
        return "the first axis has " +
               std::to_string(std::min(parts.rows_in, parts.rows_out)) +
               " rows, but must have at least one for each of " + std::to_string(cards) +
               " cards";
    if (make_shared_program(
            what, card_bytes, cards, false, true, cuts_of(what, card_bytes, cards))
            .kept_bytes.empty())
        return "the last axis is longer than a slab of " +
               std::to_string(card_bytes / 16) + " bytes, a sixteenth of a card's memory";
    return "";
}

slab_program
make_card_program(const problem& what, std::size_t card_bytes, std::size_t cards)
{
    const std::string obstacle = card_data_obstacle(what, card_bytes, cards);
    if (!obstacle.empty())
        throw std::invalid_argument(what.to_string() + " on " + std::to_string(cards) +
                                    " cards: " + obstacle);
    const slab_cuts cuts = cuts_of(what, card_bytes, cards);
    slab_program program =
        make_shared_program(what, card_bytes, cards, false, true, cuts);
    const card_parts parts = parts_on_cards(what, cards);
    const std::vector<std::size_t> in = bounds_of(parts.input, what.input_item_bytes());
    const std::vector<std::size_t> out =
        bounds_of(parts.output, what.output_item_bytes());
    std::size_t next = 0;
    for (sweep& now : program.sweeps)
        for (slab& each : now.slabs) {
            each.uploads = placed(each.uploads, in);
            each.downloads = placed(each.downloads, out);
            if (each.card < 0 && each.uploads.size() == 1)
                each.card = each.uploads.front().card; // whose rows these are
            else if (each.card < 0)
                each.card = static_cast<int>(next++ % cards);
            begin_at(each.uploads, each.card, cards);
            begin_at(each.downloads, each.card, cards);
            read_in_place(program, each);
            if (cuts.whole && &now == &program.sweeps.front())
                keep_whole(program, each);
            write_in_place(each);
        }
    return program;
}

std::size_t exchanged_bytes(const slab_program& program)
{
    std::size_t bytes = 0;
    for (const sweep& now : program.sweeps)
        for (const slab& each : now.slabs)
            for (const auto* copies : { &each.uploads, &each.downloads })
                for (const slab_copy& copy : *copies)
                    bytes += copy.card == each.card ? 0 : copy.bytes();
    return bytes;
}

} // namespace gpufft
} // namespace gr
