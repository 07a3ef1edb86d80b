// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts the copies of a program where the parts of cards end, and leaves out copies within
// a card that its transforms can do without.

#include "slab_cards.h"
#include "planner/planner.h"
#include "slab_sharing.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// Where each part begins, and the end.
std::vector<std::size_t> bounds_of(const std::vector<std::size_t>& parts,
                                   std::size_t bytes)
{
    std::vector<std::size_t> bounds{ 0 };
    for (const std::size_t each : parts)
        bounds.push_back(bounds.back() + each * bytes);
    return bounds;
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

// Copies of columns as they lie on the card that has these columns alone.
std::vector<slab_copy> placed_columns(std::vector<slab_copy> copies,
                                      const slab_cuts& cuts)
{
    for (slab_copy& copy : copies) {
        if (copy.at == slab_memory::cards)
            continue;
        const std::size_t item = copy.pitch / cuts.columns.back();
        copy.card = card_of_column(cuts, copy.offset / item);
        const std::size_t begin = copy.card > 0 ? cuts.columns[copy.card - 1] : 0;
        copy.offset -= begin * item;
        copy.pitch = (cuts.columns[copy.card] - begin) * item;
    }
    return copies;
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
    return what.input_span() <= LONGEST_SPAN_ON_CARDS &&
           what.output_span() <= LONGEST_SPAN_ON_CARDS &&
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

// The step stores its rows `to` bytes apart, where it stored them `from` bytes apart.
// False if it cannot.
bool spread_rows(slab_program& program, slab_step& step, std::size_t from, std::size_t to)
{
    if (from == to)
        return true;
    if (step.what != slab_step::kind::transform)
        return false;
    problem wide = program.transforms[step.transform];
    const std::size_t item = wide.output_item_bytes();
    if (wide.output_strides.empty() || wide.output_distance != 1 || to % item != 0 ||
        from % item != 0)
        return false;
    for (std::size_t& stride : wide.output_strides)
        stride = stride / (from / item) * (to / item);
    if (!is_computed(wide))
        return false;
    step.transform = index_of(program, wide);
    return true;
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
        if (!spread_rows(program, step, buffer_pitch, pitch))
            return;
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
void write_in_place(slab_program& program, slab& each)
{
    if (each.downloads.size() != 1 || each.downloads.front().card != each.card)
        return;
    const slab_copy to = each.downloads.front();
    slab_step& last = each.steps.back();
    if (last.what != slab_step::kind::transform || last.to != each.result ||
        last.to_bytes != to.card_offset ||
        (!is_run(to) && !spread_rows(program, last, to.card_pitch, to.pitch)))
        return;
    last.target = to;
    each.downloads.clear();
}

// Drops the transforms that were replaced.
void drop_unused(slab_program& program)
{
    std::vector<problem> used;
    std::map<std::size_t, std::size_t> places;
    for (sweep& now : program.sweeps)
        for (slab& each : now.slabs)
            for (slab_step& step : each.steps) {
                if (step.what != slab_step::kind::transform)
                    continue;
                const auto place = places.emplace(step.transform, used.size());
                if (place.second)
                    used.push_back(program.transforms[step.transform]);
                step.transform = place.first->second;
            }
    program.transforms = used;
}

} // namespace

std::string card_data_obstacle(const problem& what,
                               std::size_t card_bytes,
                               std::size_t cards,
                               bool transposed)
{
    const std::string in_slabs = slab_obstacle(what, card_bytes);
    if (!in_slabs.empty())
        return in_slabs;
    const card_parts parts = parts_on_cards(what, cards, transposed);
    if (std::min(parts.rows_in, parts.rows_out) < cards)
        return "an axis that is split has " +
               std::to_string(std::min(parts.rows_in, parts.rows_out)) +
               " rows, but must have at least one for each of " + std::to_string(cards) +
               " cards";
    if (make_shared_program(what,
                            card_bytes,
                            cards,
                            false,
                            true,
                            cuts_on_cards(what, card_bytes, cards, transposed))
            .kept_bytes.empty())
        return "the last axis is longer than a slab of " +
               std::to_string(card_bytes / 16) + " bytes, a sixteenth of a card's memory";
    return "";
}

slab_program make_card_program(const problem& what,
                               std::size_t card_bytes,
                               std::size_t cards,
                               bool transposed,
                               bool whole)
{
    const std::string obstacle = card_data_obstacle(what, card_bytes, cards, transposed);
    if (!obstacle.empty())
        throw std::invalid_argument(what.to_string() + " on " + std::to_string(cards) +
                                    " cards: " + obstacle);
    slab_cuts cuts = cuts_on_cards(what, card_bytes, cards, transposed);
    cuts.whole = cuts.whole && whole;
    slab_program program =
        make_shared_program(what, card_bytes, cards, false, true, cuts);
    const card_parts parts = parts_on_cards(what, cards, transposed);
    const std::vector<std::size_t> in = bounds_of(parts.input, what.input_item_bytes());
    const std::vector<std::size_t> out =
        bounds_of(parts.output, what.output_item_bytes());
    std::size_t next = 0;
    for (sweep& now : program.sweeps)
        for (slab& each : now.slabs) {
            each.uploads = transposed && !has_bins_in_rows(what)
                               ? placed_columns(each.uploads, cuts)
                               : placed(each.uploads, in);
            each.downloads = transposed && has_bins_in_rows(what)
                                 ? placed_columns(each.downloads, cuts)
                                 : placed(each.downloads, out);
            if (each.card < 0 && each.uploads.size() == 1)
                each.card = each.uploads.front().card; // whose rows these are
            else if (each.card < 0)
                each.card = static_cast<int>(next++ % cards);
            begin_at(each.uploads, each.card, cards);
            begin_at(each.downloads, each.card, cards);
            read_in_place(program, each);
            if (cuts.whole && &now == &program.sweeps.front())
                keep_whole(program, each);
            write_in_place(program, each);
        }
    drop_unused(program);
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
