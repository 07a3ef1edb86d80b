// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which sweeps a problem takes, and what they move.

#include "slab_program.h"
#include "slab_layout.h"
#include "slab_writer.h"

#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

template <class Bytes>
std::size_t sum_of(const std::vector<sweep>& sweeps, const Bytes& bytes)
{
    std::size_t sum = 0;
    for (const sweep& each : sweeps)
        for (const slab& one : each.slabs)
            sum += bytes(one);
    return sum;
}

std::size_t bytes_of(const std::vector<slab_copy>& copies)
{
    std::size_t sum = 0;
    for (const slab_copy& each : copies)
        sum += each.at == slab_memory::cards ? 0 : each.bytes();
    return sum;
}

} // namespace

std::size_t slab_program::slabs() const
{
    return sum_of(sweeps, [](const slab&) { return std::size_t(1); });
}

std::size_t slab_program::uploaded_bytes() const
{
    return sum_of(sweeps, [](const slab& each) { return bytes_of(each.uploads); });
}

std::size_t slab_program::downloaded_bytes() const
{
    return sum_of(sweeps, [](const slab& each) { return bytes_of(each.downloads); });
}

std::string slab_obstacle(const problem& what, std::size_t card_bytes)
{
    const bool is_halved =
        what.kind == transform_kind::r2c || what.kind == transform_kind::c2r;
    if (what.kind != transform_kind::c2c && !is_halved && !what.is_real_to_real())
        return std::string("kind is ") + to_string(what.kind) +
               ", but must be c2c, r2c, c2r, a DCT or a DST";
    if (what.window || what.shift_input || what.shift_output || what.taps > 1 ||
        what.running || what.is_power() || what.stored != number_format::working)
        return "only transforms without window, shifts, powers and stored formats go "
               "through a card in slabs";
    if (!what.input_strides.empty() || !what.output_strides.empty())
        return "frames and rows have strides, but must be without gaps";
    if (what.kind == transform_kind::c2r &&
        what.input != working_format(true, what.is_double()))
        return std::string("input of c2r is ") + to_string(what.input) +
               ", but must be in the working precision";
    if (!what.algorithm.empty())
        return "the algorithm is named, " + what.algorithm;
    if (choose_slab_layout(what, card_bytes, false).buffer_bytes > 0)
        return "";
    if (is_halved && what.axes().size() == 1 && what.n % 2 != 0)
        return "a real transform of one axis needs an even length, but n is " +
               std::to_string(what.n);
    if (what.is_real_to_real() && what.axes().size() == 1)
        return "a DCT or DST of one axis does not go through a card in slabs";
    return "a length has no two factors that are short enough for slabs of " +
           std::to_string(card_bytes / 16) + " bytes, a sixteenth of the card's memory";
}

slab_program make_slab_program(const problem& what,
                               std::size_t card_bytes,
                               bool in_place,
                               const slab_cuts& cuts)
{
    const std::string obstacle = slab_obstacle(what, card_bytes);
    if (!obstacle.empty())
        throw std::invalid_argument(what.to_string() + " in slabs: " + obstacle);
    const slab_layout layout = choose_slab_layout(what, card_bytes, in_place, cuts);
    slab_writer writer(what, layout, in_place);
    if (layout.n > 0)
        writer.write_divided_lines();
    else if (what.kind == transform_kind::c2r)
        writer.write_columns_and_real_rows();
    else
        writer.write_rows_and_columns();
    return writer.take();
}

} // namespace gpufft
} // namespace gr
