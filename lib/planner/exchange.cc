// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluates the index maps of kernels/stockham/stockham.cuh for the block's first warps
// and counts the cycles that shared memory needs for each access.

#include "exchange.h"

#include <algorithm>
#include <array>

namespace gr {
namespace gpufft {

namespace {

constexpr int BANKS = 32;
constexpr int SAMPLED_THREADS = 64;

// Lanes served together: those that access 128 bytes of complex points, or of real or
// imaginary parts. Each lane accesses one, two or four banks.
int lanes_of(const stockham_shape& shape)
{
    return shape.lanes_together() * (shape.pipelined ? 2 : 1);
}

int padded(int i, const padding& pad)
{
    return pad.every == 0 ? i : i + i / pad.every * pad.by;
}

struct count {
    long cycles = 0;
    long ideal = 0;
    void operator+=(const count& other)
    {
        cycles += other.cycles;
        ideal += other.ideal;
    }
};

// One access by `lanes` lanes, each with its own banks if there are no conflicts;
// negative addresses are idle lanes.
count cycles_of(const std::array<int, BANKS>& addresses, int lanes)
{
    std::array<int, BANKS> banks = {};
    bool busy = false;
    for (int i = 0; i < lanes; ++i) {
        if (addresses[i] >= 0) {
            ++banks[addresses[i] % lanes];
            busy = true;
        }
    }
    return { *std::max_element(banks.begin(), banks.end()), busy ? 1 : 0 };
}

// Counts `points` accesses of every thread: element(lane, point) is the element or -1.
template <class Element>
count sweep(const stockham_shape& shape,
            int points,
            const padding& pad,
            const Element& element)
{
    count total;
    const int lanes = lanes_of(shape);
    const int threads = std::min(shape.block_threads(), SAMPLED_THREADS);
    for (int first = 0; first < threads; first += lanes) {
        for (int point = 0; point < points; ++point) {
            std::array<int, BANKS> addresses;
            for (int i = 0; i < lanes; ++i) {
                const int thread = first + i;
                const int e = thread < shape.block_threads()
                                  ? element(thread % shape.threads, point)
                                  : -1;
                addresses[i] =
                    e < 0 ? -1 : padded(e, pad) + thread / shape.threads * shape.stride;
            }
            total += cycles_of(addresses, lanes);
        }
    }
    return total;
}

// Elements from one output of a butterfly of a pass to the next.
int span_of(const stockham_shape& shape, std::size_t pass)
{
    const stockham_shape::pass_axis axis = shape.axis_of(pass);
    return axis.span * axis.inner;
}

int rounds(const stockham_shape& shape, int radix)
{
    return (shape.elements() / radix + shape.threads - 1) / shape.threads;
}

// Counts the writes of pass p's outputs.
count writes(const stockham_shape& shape, std::size_t p, const padding& pad)
{
    const int radix = shape.radices[p], span = span_of(shape, p);
    return sweep(shape, rounds(shape, radix) * radix, pad, [&](int lane, int point) {
        const int j = lane + point / radix * shape.threads, k = point % radix;
        const int count = shape.n / radix; // butterflies of a column
        if (p == 0 && shape.load_by_rows)
            return j < count * shape.columns
                       ? (j % count * radix + k) * shape.columns + j / count
                       : -1;
        return j < shape.elements() / radix
                   ? j / span * span * radix + j % span + k * span
                   : -1;
    });
}

// Counts the reads of pass p's inputs.
count reads(const stockham_shape& shape, std::size_t p, const padding& pad)
{
    const int radix = shape.radices[p], butterflies = shape.elements() / radix;
    const stockham_shape::pass_axis axis = shape.axis_of(p);
    const int length = axis.length * axis.inner, step = length / radix;
    return sweep(shape, rounds(shape, radix) * radix, pad, [&](int lane, int point) {
        const int j = lane + point / radix * shape.threads, k = point % radix;
        return j < butterflies ? j / step * length + j % step + k * step : -1;
    });
}

count exchange_count(const stockham_shape& shape, std::size_t p, const padding& pad)
{
    count total = writes(shape, p, pad);
    total += reads(shape, p + 1, pad);
    return total;
}

// Whether points go through shared memory at an end; mirrored shapes move rows.
bool stages(const stockham_shape& shape, bool staged)
{
    return staged && !shape.mirrored;
}

count total_count(const stockham_shape& shape)
{
    count total;
    for (std::size_t p = 0; p + 1 < shape.radices.size(); ++p)
        total += exchange_count(shape, p, shape.paddings[p]);
    if (stages(shape, shape.staged_load))
        total += reads(shape, 0, shape.load_padding);
    if (stages(shape, shape.staged_store))
        total += writes(shape, shape.radices.size() - 1, shape.store_padding);
    return total;
}

// The best of the paddings worth trying, no padding first.
template <class Cost>
padding best_padding(const stockham_shape& shape,
                     std::initializer_list<int> rows,
                     const Cost& cost)
{
    padding best;
    count best_count = cost(best);
    for (int every : rows) {
        for (int by : { 1, 2, 4, 8, 16, 3, 5 }) {
            if (best_count.cycles == best_count.ideal)
                return best;
            if (every < 2 || every >= shape.elements() || by > every)
                continue;
            const padding candidate = { every, by };
            const count c = cost(candidate);
            if (c.cycles < best_count.cycles) {
                best = candidate;
                best_count = c;
            }
        }
    }
    return best;
}

int padded_size(const stockham_shape& shape)
{
    int size = 0;
    auto take = [&](const padding& pad) {
        size = std::max(size, padded(shape.elements() - 1, pad) + 1);
    };
    for (const padding& pad : shape.paddings)
        take(pad);
    if (stages(shape, shape.staged_load))
        take(shape.load_padding);
    if (stages(shape, shape.staged_store))
        take(shape.store_padding);
    return size;
}

void choose_stride(stockham_shape& shape)
{
    const int smallest = padded_size(shape);
    shape.stride = smallest;
    if (smallest == 0 || shape.threads >= shape.lanes_together() || shape.transforms == 1)
        return; // nearly all lanes served together work on one transform
    int best = smallest;
    count best_count = total_count(shape);
    for (int extra = 1;
         extra < shape.lanes_together() && best_count.cycles > best_count.ideal;
         ++extra) {
        shape.stride = smallest + extra;
        const count c = total_count(shape);
        if (c.cycles < best_count.cycles) {
            best = shape.stride;
            best_count = c;
        }
    }
    shape.stride = best;
}

} // namespace

double conflict_ratio(const stockham_shape& shape)
{
    const count total = total_count(shape);
    return total.ideal == 0 ? 1.0 : double(total.cycles) / double(total.ideal);
}

void choose_paddings(stockham_shape& shape)
{
    const int lanes = shape.lanes_together();
    shape.paddings.assign(shape.radices.size() - 1, padding());
    shape.stride = shape.elements();
    for (std::size_t p = 0; p + 1 < shape.radices.size(); ++p) {
        const int span = span_of(shape, p), row = span * shape.radices[p];
        shape.paddings[p] = best_padding(
            shape, { row, lanes, 2 * lanes, span, 2 * row }, [&](const padding& pad) {
                return exchange_count(shape, p, pad);
            });
    }
    if (stages(shape, shape.staged_load))
        shape.load_padding =
            best_padding(shape,
                         { lanes, shape.elements() / shape.radices[0] },
                         [&](const padding& pad) { return reads(shape, 0, pad); });
    if (stages(shape, shape.staged_store))
        shape.store_padding = best_padding(shape, { lanes }, [&](const padding& pad) {
            return writes(shape, shape.radices.size() - 1, pad);
        });
    choose_stride(shape);
    shape.conflicts = conflict_ratio(shape);
}

} // namespace gpufft
} // namespace gr
