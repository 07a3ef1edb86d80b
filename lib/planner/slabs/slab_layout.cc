// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses splits and factors whose slabs are small and whose runs of memory are long.

#include "slab_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

// Three slabs in flight have two buffers each, and each level's plan has scratch of at
// most twice a buffer.
constexpr std::size_t BUFFERS = 16;

// In place the runs are shorter, so the slabs are larger.
constexpr std::size_t BUFFER_IN_PLACE = std::size_t(1) << 30;

std::size_t product_of(const std::vector<std::size_t>& lengths)
{
    return std::accumulate(
        lengths.begin(), lengths.end(), std::size_t(1), std::multiplies<>());
}

// The largest factor of n that is at most its square root.
std::size_t balanced_factor(std::size_t n)
{
    std::size_t a = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    while (a > 1 && (n % a != 0 || a > n / a))
        --a;
    return std::max<std::size_t>(a, 1);
}

// The largest `a` with n = a * middle * a and at most `most` points in a * a; 1 if there
// is none.
std::size_t double_factor(std::size_t n, std::size_t most)
{
    std::size_t a = static_cast<std::size_t>(std::sqrt(static_cast<double>(most)));
    while (a > 1 && (a * a > most || n % (a * a) != 0))
        --a;
    return std::max<std::size_t>(a, 1);
}

// Bytes of the longest line of the trailing axes, as frame or as row.
std::size_t line_bytes(const problem& what, std::size_t points)
{
    const std::size_t last = what.axes().back(), half = last / 2 + 1;
    const std::size_t item = std::max(what.input_item_bytes(), what.output_item_bytes());
    const bool halved =
        what.kind == transform_kind::r2c || what.kind == transform_kind::c2r;
    const std::size_t bytes = points * item;
    return halved ? std::max(points / last * half * item,
                             bytes / 2) // reals have half of a bin's bytes
                  : bytes;
}

// Bytes of a slab whose columns have `rows` rows. More than an eighth of the frame would
// leave the link idle while the first one goes up and the last one down.
std::size_t slab_bytes(const slab_cuts& cuts,
                       const problem& what,
                       std::size_t rows,
                       std::size_t needed,
                       std::size_t most)
{
    const std::size_t item = std::max(what.input_item_bytes(), what.output_item_bytes());
    const std::size_t runs =
        std::min(rows * cuts.run_bytes, product_of(what.axes()) * item / 8);
    return std::max(needed, std::min(most, std::max(cuts.buffer_bytes, runs)));
}

// Divides the one axis, or the last one.
bool divide(slab_layout& layout, const problem& what, std::size_t most, bool in_place)
{
    const bool is_real = what.kind == transform_kind::r2c;
    const bool is_pairs = is_real || what.kind == transform_kind::c2r;
    std::size_t n = what.axes().back();
    if (is_pairs && (n % 2 != 0 || what.input != working_format(is_real ? false : true,
                                                                what.is_double())))
        return false;
    n = is_pairs ? n / 2 : n;
    const std::size_t item = what.is_double() ? 16 : 8;
    const bool is_working = what.input == working_format(true, what.is_double());
    if (in_place && !is_pairs && is_working) {
        const std::size_t usual = std::min(most, BUFFER_IN_PLACE);
        const std::size_t a = double_factor(n, usual / item);
        if (a > 1 && n / a <= most / item && n > a * a) {
            layout.n = n;
            layout.first = a;
            layout.middle = n / a / a;
            layout.buffer_bytes = std::max(usual, n / a * item);
            return true;
        }
    }
    const std::size_t a = balanced_factor(n), b = n / a;
    const std::size_t needed = (is_pairs ? 2 * b + 1 : b) * item;
    if (needed > most)
        return false;
    layout.n = n;
    layout.first = b;
    layout.second = a;
    layout.buffer_bytes = slab_bytes(layout.cuts, what, b, needed, most);
    return true;
}

} // namespace

int card_of_column(const slab_cuts& cuts, std::size_t column)
{
    const auto end = std::upper_bound(cuts.columns.begin(), cuts.columns.end(), column);
    return static_cast<int>(end - cuts.columns.begin());
}

slab_layout choose_slab_layout(const problem& what,
                               std::size_t card_bytes,
                               bool in_place,
                               const slab_cuts& cuts)
{
    const std::vector<std::size_t> axes = what.axes();
    const std::size_t most = card_bytes / BUFFERS;
    const std::size_t bin = std::max(
        what.output_item_bytes(),
        what.kind == transform_kind::c2r ? what.input_item_bytes() : std::size_t(1));
    slab_layout layout;
    layout.cuts = cuts;
    std::size_t best = most + 1;
    const std::size_t splits = cuts.columns.empty() ? axes.size() : 2;
    for (std::size_t s = 1; s < splits; ++s) {
        const std::vector<std::size_t> leading(axes.begin(), axes.begin() + s);
        const std::vector<std::size_t> trailing(axes.begin() + s, axes.end());
        const std::size_t needed =
            std::max(product_of(leading) * bin, line_bytes(what, product_of(trailing)));
        if (needed < best) {
            best = needed;
            layout.leading_axes = leading;
            layout.trailing_axes = trailing;
            layout.buffer_bytes =
                slab_bytes(cuts, what, product_of(leading), needed, most);
        }
    }
    if (best <= most || what.is_real_to_real())
        return layout;
    if (axes.size() == 1) {
        divide(layout, what, most, in_place);
        return layout;
    }
    const std::size_t leading = product_of({ axes.begin(), axes.end() - 1 });
    if (what.kind != transform_kind::c2r && leading * bin <= most &&
        divide(layout, what, most, in_place)) {
        layout.leading_axes.assign(axes.begin(), axes.end() - 1);
        layout.buffer_bytes = std::max(layout.buffer_bytes, leading * bin);
    }
    return layout;
}

} // namespace gpufft
} // namespace gr
