// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluates the index maps of kernels/stockham/stockham.cuh for the block's first warps
// and counts the cycles that shared memory needs for each access.

#include "exchange.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr int BANKS = 32;
constexpr int SAMPLED_THREADS = 64;
constexpr std::size_t SAMPLED_GROUPS = 96; // of lanes, for each padding to choose

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

// What a lane accesses; idle lanes have negative elements.
struct access {
    int element, transform;
};

// The accesses of lanes that are served together follow one another.
typedef std::vector<access> accesses;

// Cycles of all accesses; it may stop at `enough` cycles.
count cycles_of(const accesses& all,
                const padding& pad,
                int stride,
                int lanes,
                long enough = std::numeric_limits<long>::max())
{
    count total;
    for (auto first = all.begin(); first != all.end() && total.cycles < enough;
         first += lanes) {
        std::array<int, BANKS> banks = {};
        int most = 0;
        for (auto each = first; each != first + lanes; ++each)
            if (each->element >= 0) {
                const int address = padded(each->element, pad) + each->transform * stride;
                most = std::max(most, ++banks[address & (lanes - 1)]);
            }
        total += { most, most > 0 ? 1 : 0 };
    }
    return total;
}

// Adds `points` accesses of every thread: element(lane, point) is the element or -1.
template <class Element>
void add_accesses(accesses& all,
                  const stockham_shape& shape,
                  int points,
                  const Element& element)
{
    const int lanes = lanes_of(shape);
    // Later threads do the same in other transforms.
    const int different = std::lcm(shape.threads, lanes);
    const int threads = std::min({ shape.block_threads(), SAMPLED_THREADS, different });
    for (int first = 0; first < threads; first += lanes)
        for (int point = 0; point < points; ++point)
            for (int thread = first; thread < first + lanes; ++thread)
                all.push_back({ thread < shape.block_threads()
                                    ? element(thread % shape.threads, point)
                                    : -1,
                                thread / shape.threads });
}

// Some of the accesses, evenly spread: those of other points and rounds are shifted, but
// conflict alike.
accesses sample_of(const accesses& all, int lanes)
{
    const std::size_t groups = all.size() / lanes;
    const std::size_t every = groups / SAMPLED_GROUPS | 1; // not in step with radices
    accesses sample;
    for (std::size_t group = 0; group < groups; group += every)
        sample.insert(
            sample.end(), all.begin() + group * lanes, all.begin() + (group + 1) * lanes);
    return sample;
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

// Adds the writes of pass p's outputs.
void add_writes(accesses& all, const stockham_shape& shape, std::size_t p)
{
    const int radix = shape.radices[p], span = span_of(shape, p);
    add_accesses(all, shape, rounds(shape, radix) * radix, [&](int lane, int point) {
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

// Adds the reads of pass p's inputs.
void add_reads(accesses& all, const stockham_shape& shape, std::size_t p)
{
    const int radix = shape.radices[p], butterflies = shape.elements() / radix;
    const stockham_shape::pass_axis axis = shape.axis_of(p);
    const int length = axis.length * axis.inner, step = length / radix;
    add_accesses(all, shape, rounds(shape, radix) * radix, [&](int lane, int point) {
        const int j = lane + point / radix * shape.threads, k = point % radix;
        return j < butterflies ? j / step * length + j % step + k * step : -1;
    });
}

// Whether points go through shared memory at an end; mirrored shapes move rows.
bool stages(const stockham_shape& shape, bool staged)
{
    return staged && !shape.mirrored;
}

// All accesses that share a padding.
struct padded_accesses {
    accesses all;
    padding pad;
};

// The accesses at the shape's exchanges and staged ends, with its paddings.
std::vector<padded_accesses> all_accesses(const stockham_shape& shape)
{
    std::vector<padded_accesses> found;
    for (std::size_t p = 0; p + 1 < shape.radices.size(); ++p) {
        found.push_back({ {}, shape.paddings[p] });
        add_writes(found.back().all, shape, p);
        add_reads(found.back().all, shape, p + 1);
    }
    if (stages(shape, shape.staged_load)) {
        found.push_back({ {}, shape.load_padding });
        add_reads(found.back().all, shape, 0);
    }
    if (stages(shape, shape.staged_store)) {
        found.push_back({ {}, shape.store_padding });
        add_writes(found.back().all, shape, shape.radices.size() - 1);
    }
    return found;
}

count total_count(const std::vector<padded_accesses>& found, int stride, int lanes)
{
    count total;
    for (const padded_accesses& each : found)
        total += cycles_of(each.all, each.pad, stride, lanes);
    return total;
}

// The best of the paddings worth trying, no padding first.
padding best_padding(const stockham_shape& shape,
                     std::initializer_list<int> rows,
                     const accesses& all)
{
    padding best;
    count best_count = cycles_of(all, best, shape.stride, lanes_of(shape));
    for (int every : rows) {
        for (int by : { 1, 2, 4, 8, 16, 3, 5 }) {
            if (best_count.cycles == best_count.ideal)
                return best;
            if (every < 2 || every >= shape.elements() || by > every)
                continue;
            const padding candidate = { every, by };
            const count c = cycles_of(
                all, candidate, shape.stride, lanes_of(shape), best_count.cycles);
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

void choose_stride(stockham_shape& shape, const std::vector<padded_accesses>& found)
{
    const int smallest = padded_size(shape);
    shape.stride = smallest;
    if (smallest == 0 || shape.threads >= shape.lanes_together() || shape.transforms == 1)
        return; // nearly all lanes served together work on one transform
    int best = smallest;
    count best_count = total_count(found, smallest, lanes_of(shape));
    for (int extra = 1;
         extra < shape.lanes_together() && best_count.cycles > best_count.ideal;
         ++extra) {
        const count c = total_count(found, smallest + extra, lanes_of(shape));
        if (c.cycles < best_count.cycles) {
            best = smallest + extra;
            best_count = c;
        }
    }
    shape.stride = best;
}

double ratio_of(const stockham_shape& shape, const std::vector<padded_accesses>& found)
{
    const count total = total_count(found, shape.stride, lanes_of(shape));
    return total.ideal == 0 ? 1.0 : double(total.cycles) / double(total.ideal);
}

} // namespace

double conflict_ratio(const stockham_shape& shape)
{
    return ratio_of(shape, all_accesses(shape));
}

void choose_paddings(stockham_shape& shape)
{
    const int lanes = shape.lanes_together();
    shape.paddings.assign(shape.radices.size() - 1, padding());
    shape.stride = shape.elements();
    std::vector<padded_accesses> all = all_accesses(shape), some;
    for (const padded_accesses& each : all)
        some.push_back({ sample_of(each.all, lanes_of(shape)), each.pad });
    std::size_t next = 0;
    const auto choose = [&](padding& pad, std::initializer_list<int> rows) {
        pad = best_padding(shape, rows, some[next].all);
        all[next].pad = some[next].pad = pad;
        ++next;
    };
    for (std::size_t p = 0; p + 1 < shape.radices.size(); ++p) {
        const int span = span_of(shape, p), row = span * shape.radices[p];
        choose(shape.paddings[p], { row, lanes, 2 * lanes, span, 2 * row });
    }
    if (stages(shape, shape.staged_load))
        choose(shape.load_padding, { lanes, shape.elements() / shape.radices[0] });
    if (stages(shape, shape.staged_store))
        choose(shape.store_padding, { lanes });
    choose_stride(shape, some);
    shape.conflicts = ratio_of(shape, all);
}

} // namespace gpufft
} // namespace gr
