// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one sweep stores and the next one reads is a matrix. Each card keeps those of its
// rectangles that its slabs of the second sweep read.

#include "slab_sharing.h"
#include "slab_layout.h"
#include "slab_writer.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// Columns in bytes.
struct rectangle {
    std::size_t row, rows, column, bytes;

    std::size_t size() const { return rows * bytes; }
};

// What a card keeps of one of the copies of its slabs, and where.
struct kept_block {
    rectangle what;
    std::size_t offset;
};

// The rectangle of a matrix whose rows are `pitch` bytes apart. A run of memory has whole
// rows.
rectangle rectangle_of(const slab_copy& copy, std::size_t pitch)
{
    if (copy.rows == 1 && copy.row_bytes % pitch == 0)
        return { copy.offset / pitch, copy.row_bytes / pitch, 0, pitch };
    return { copy.offset / pitch, copy.rows, copy.offset % pitch, copy.row_bytes };
}

rectangle both(const rectangle& a, const rectangle& b)
{
    const std::size_t row = std::min(a.row, b.row), column = std::min(a.column, b.column);
    return { row,
             std::max(a.row + a.rows, b.row + b.rows) - row,
             column,
             std::max(a.column + a.bytes, b.column + b.bytes) - column };
}

// Empty: no rows or no bytes.
rectangle common(const rectangle& a, const rectangle& b)
{
    const std::size_t row = std::max(a.row, b.row), column = std::max(a.column, b.column);
    const std::size_t last = std::min(a.row + a.rows, b.row + b.rows);
    const std::size_t end = std::min(a.column + a.bytes, b.column + b.bytes);
    return { row, last > row ? last - row : 0, column, end > column ? end - column : 0 };
}

// Each card takes neighbouring slabs: the n-th copies of them all are one rectangle.
std::vector<std::vector<kept_block>>
share_slabs(slab_program& program, std::size_t cards, std::size_t pitch)
{
    std::vector<slab>& slabs = program.sweeps[1].slabs;
    std::vector<std::vector<kept_block>> kept(cards);
    for (std::size_t i = 0; i < slabs.size(); ++i) {
        slabs[i].card = static_cast<int>(i * cards / slabs.size());
        std::vector<kept_block>& blocks = kept[slabs[i].card];
        for (std::size_t k = 0; k < slabs[i].uploads.size(); ++k) {
            const rectangle now = rectangle_of(slabs[i].uploads[k], pitch);
            if (k < blocks.size())
                blocks[k].what = both(blocks[k].what, now);
            else
                blocks.push_back({ now, 0 });
        }
    }
    program.kept_bytes.assign(cards, 0);
    for (std::size_t card = 0; card < cards; ++card)
        for (kept_block& block : kept[card]) {
            block.offset = program.kept_bytes[card];
            program.kept_bytes[card] += block.what.size();
        }
    return kept;
}

// The part of a copy that lies in a block.
slab_copy copy_with(const slab_copy& copy,
                    const rectangle& all,
                    const rectangle& part,
                    const kept_block& block,
                    int card)
{
    const std::size_t card_pitch =
        all.rows == copy.rows ? copy.card_pitch : all.bytes; // a run has no gaps
    slab_copy made = copy;
    made.at = slab_memory::cards;
    made.card = card;
    made.pitch = block.what.bytes;
    made.offset = block.offset + (part.row - block.what.row) * block.what.bytes +
                  part.column - block.what.column;
    made.card_offset =
        copy.card_offset + (part.row - all.row) * card_pitch + part.column - all.column;
    made.card_pitch = card_pitch;
    made.row_bytes = part.bytes;
    made.rows = part.rows;
    return made;
}

// Bytes from row to row of the matrix between both sweeps; 0 if there are others.
std::size_t pitch_between(const problem& what, const slab_layout& layout)
{
    const std::size_t item = what.is_double() ? 16 : 8;
    if (layout.n > 0)
        return layout.leading_axes.empty() ? layout.first * item : 0;
    if (layout.cuts.turned)
        return product_of(layout.leading_axes) * item;
    if (what.is_real_to_real())
        return product_of(layout.trailing_axes) * what.output_item_bytes();
    return (what.kind == transform_kind::c2c ? product_of(layout.trailing_axes)
                                             : bins_of(layout.trailing_axes)) *
           item;
}

// In place, rows of another length than their frames overwrite what is not yet read
// unless one card takes slab after slab.
slab_program taken_in_turns(const problem& what, std::size_t card_bytes, bool in_place)
{
    slab_program program = make_slab_program(what, card_bytes, in_place);
    const bool moves = what.kind == transform_kind::r2c ||
                       what.kind == transform_kind::c2r ||
                       what.input_item_bytes() != what.output_item_bytes();
    if (in_place && moves)
        for (sweep& each : program.sweeps)
            for (slab& one : each.slabs)
                one.card = 0;
    return program;
}

} // namespace

slab_program make_shared_program(const problem& what,
                                 std::size_t card_bytes,
                                 std::size_t cards,
                                 bool in_place,
                                 bool keeps,
                                 const slab_cuts& cuts)
{
    if (!keeps)
        return taken_in_turns(what, card_bytes, in_place);

    // The matrix lies in the output without gaps. It never does there in the end, so the
    // output may be the input.
    const bool keeps_pitch = what.kind == transform_kind::c2r && what.axes().size() > 1;
    slab_program program = make_slab_program(what, card_bytes, keeps_pitch, cuts);
    const std::size_t pitch =
        pitch_between(what, choose_slab_layout(what, card_bytes, keeps_pitch, cuts));
    if (pitch == 0 || program.scratch_bytes > 0)
        return taken_in_turns(what, card_bytes, in_place);
    const std::vector<std::vector<kept_block>> kept = share_slabs(program, cards, pitch);
    // half of a card is for the slabs in flight and for scratch
    if (cuts.cards == 0 && *std::max_element(program.kept_bytes.begin(),
                                             program.kept_bytes.end()) > card_bytes / 2)
        return taken_in_turns(what, card_bytes, in_place);

    kept_block whole{ { 0, 0, 0, pitch }, 0 };
    if (cuts.whole) {
        for (const auto& blocks : kept)
            for (const kept_block& block : blocks)
                whole.what = both(whole.what, block.what);
        program.kept_bytes.assign(cards, whole.what.size());
    }
    const auto place_of = [&](const kept_block& block) {
        return cuts.whole ? whole : block;
    };
    for (slab& each : program.sweeps[0].slabs) {
        std::vector<slab_copy> parts;
        for (const slab_copy& copy : each.downloads) {
            const rectangle all = rectangle_of(copy, pitch);
            for (std::size_t card = 0; card < cards; ++card)
                for (const kept_block& block : kept[card]) {
                    const rectangle part = common(all, block.what);
                    if (part.size() > 0)
                        parts.push_back(
                            copy_with(copy, all, part, place_of(block), int(card)));
                }
        }
        each.downloads = parts;
    }
    for (slab& each : program.sweeps[1].slabs)
        for (std::size_t k = 0; k < each.uploads.size(); ++k) {
            const rectangle all = rectangle_of(each.uploads[k], pitch);
            each.uploads[k] = copy_with(
                each.uploads[k], all, all, place_of(kept[each.card][k]), each.card);
        }
    return program;
}

} // namespace gpufft
} // namespace gr
