// SPDX-License-Identifier: GPL-3.0-or-later
//
// From axes to problems, and the half of the bins that follows from the other half.

#include "array_transform.h"
#include "engine/async_device.h"
#include "engine/slab_plan.h"
#include "plan_cache.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <gnuradio/gpufft/break_even.h>
#include <string>

namespace gr {
namespace gpufft {

namespace {

// An axis that is not transformed. Steps in bytes.
struct batch_axis {
    std::size_t count;
    std::ptrdiff_t input_step, output_step;
};

// Runs at least this long are frames even if another axis is longer: their samples share
// cache lines.
constexpr std::size_t LONG_RUN = 16;

// Calls with less input and output on both together are computed on the CPU without
// asking which engine is faster.
constexpr std::size_t SMALL_BYTES = std::size_t(64) << 10;

// Calls with more points keep no plan.
constexpr std::size_t MOST_KEPT_POINTS = std::size_t(1) << 27;

// Fewer points do not pay for waking another thread.
constexpr std::size_t POINTS_PER_THREAD = 8192;

std::size_t input_bytes(const array_request& what)
{
    const bool real = what.from_real || reads_real(what.kind);
    return (what.is_double ? 8 : 4) * (real ? 1 : 2);
}

std::size_t output_bytes(const array_request& what)
{
    return (what.is_double ? 8 : 4) * (stores_real(what.kind) ? 1 : 2);
}

// The axes that are not transformed, the longest step first, neighbours joined where they
// are one run in both arrays.
std::vector<batch_axis>
batch_axes(const array_request& what, const host_array& input, const host_array& output)
{
    std::vector<batch_axis> axes;
    for (std::size_t axis = 0; axis < input.shape.size(); ++axis)
        if (input.shape[axis] > 1 &&
            std::find(what.axes.begin(), what.axes.end(), axis) == what.axes.end())
            axes.push_back(
                { input.shape[axis], input.strides[axis], output.strides[axis] });
    if (axes.size() < 2)
        return axes;
    std::sort(axes.begin(), axes.end(), [](const batch_axis& a, const batch_axis& b) {
        return a.output_step > b.output_step;
    });
    std::vector<batch_axis> joined{ axes.front() };
    for (std::size_t i = 1; i < axes.size(); ++i) {
        const std::ptrdiff_t count = axes[i].count;
        batch_axis& outer = joined.back();
        if (outer.input_step == count * axes[i].input_step &&
            outer.output_step == count * axes[i].output_step)
            outer = { outer.count * axes[i].count,
                      axes[i].input_step,
                      axes[i].output_step };
        else
            joined.push_back(axes[i]);
    }
    return joined;
}

// Takes the axis that becomes the frames out of the list.
batch_axis take_frames(std::vector<batch_axis>& axes)
{
    if (axes.empty())
        return { 1, 0, 0 };
    auto best = axes.end() - 1;
    if (best->count < LONG_RUN)
        best = std::max_element(
            axes.begin(), axes.end(), [](const batch_axis& a, const batch_axis& b) {
                return a.count < b.count;
            });
    const batch_axis frames = *best;
    axes.erase(best);
    return frames;
}

// Strides of the axes in items; empty for C order without gaps.
std::vector<std::size_t> strides_of(const array_request& what,
                                    const std::vector<std::size_t>& lengths,
                                    const host_array& array,
                                    std::size_t item_bytes)
{
    std::vector<std::size_t> strides(lengths.size());
    std::size_t dense = 1;
    bool is_dense = true;
    for (std::size_t i = lengths.size(); i-- > 0;) {
        strides[i] = lengths[i] == 1 ? dense : array.strides[what.axes[i]] / item_bytes;
        is_dense = is_dense && strides[i] == dense;
        dense *= lengths[i];
    }
    if (is_dense)
        strides.clear();
    return strides;
}

// The problem of one call.
struct call {
    transform_kind kind;
    std::vector<std::size_t> input_strides, output_strides;
    std::size_t hop, output_distance, frames;
};

call describe_call(const array_request& what,
                   transform_kind kind,
                   const host_array& input,
                   const host_array& output,
                   const batch_axis& frames)
{
    std::vector<std::size_t> in = what.lengths, out = what.lengths;
    if (kind == transform_kind::c2r)
        in.back() = in.back() / 2 + 1;
    if (kind == transform_kind::r2c)
        out.back() = out.back() / 2 + 1;
    call now;
    now.kind = kind;
    now.input_strides = strides_of(what, in, input, input_bytes(what));
    now.output_strides = strides_of(what, out, output, output_bytes(what));
    now.hop = frames.input_step / input_bytes(what);
    now.output_distance = frames.output_step / output_bytes(what);
    now.frames = frames.count;
    return now;
}

std::size_t power_of_two_of(std::size_t count)
{
    std::size_t power = 0;
    while (count >>= 1)
        ++power;
    return power;
}

plan_cache::key key_of(const array_request& what, const call& now, int threads)
{
    std::size_t scale;
    std::memcpy(&scale, &what.scale, sizeof(scale));
    plan_cache::key words;
    words.reserve(8 + 3 * what.lengths.size());
    words.push_back(static_cast<std::size_t>(now.kind) |
                    std::size_t(what.dir == direction::inverse) << 8 |
                    std::size_t(what.is_double) << 9 |
                    std::size_t(what.orthogonal) << 10 |
                    static_cast<std::size_t>(what.engine) << 16 |
                    what.lengths.size() << 24 | now.input_strides.size() << 32 |
                    now.output_strides.size() << 40 | power_of_two_of(now.frames) << 48);
    words.push_back(static_cast<std::size_t>(what.device) << 32 |
                    static_cast<std::size_t>(threads));
    words.push_back(scale);
    words.push_back(now.hop);
    words.push_back(now.output_distance);
    for (const auto* list : { &what.lengths, &now.input_strides, &now.output_strides })
        words.insert(words.end(), list->begin(), list->end());
    return words;
}

problem problem_of(const array_request& what, const call& now)
{
    problem made = problem::make(now.kind, what.lengths, now.frames, what.is_double);
    if (now.kind == transform_kind::c2c)
        made.dir = what.dir;
    made.input_strides = now.input_strides;
    made.output_strides = now.output_strides;
    made.hop = now.hop;
    made.output_distance = now.output_distance;
    made.orthogonal = what.orthogonal;
    made.scale = what.scale;
    return made;
}

// Of engine auto: the CPU for small calls and where its measured time is less.
engine_kind choose_engine(const problem& made, const plan_options& options)
{
    const std::size_t bytes =
        made.batch * (made.frame_samples() * made.input_item_bytes() +
                      made.row_items() * made.output_item_bytes());
    if (bytes <= SMALL_BYTES || !query_cuda().usable)
        return engine_kind::cpu;
    if (const std::optional<engine_kind> faster = faster_than_slabs(made, options))
        return *faster == engine_kind::cpu ? engine_kind::cpu : engine_kind::automatic;
    const break_even table = find_break_even(made, options);
    if (!table.obstacle.empty())
        return engine_kind::cpu;
    for (const chunk_times& each : table.chunks)
        if (each.frames >= made.batch && each.cpu > 0 && each.cuda_delay > 0)
            return each.cpu < each.cuda_delay ? engine_kind::cpu : engine_kind::automatic;
    return table.faster() == engine_kind::cpu ? engine_kind::cpu : engine_kind::automatic;
}

plan::uptr make_array_plan(const array_request& what, const call& now, int threads)
{
    plan_options options;
    options.engine = what.engine;
    options.device = what.device;
    options.threads = threads;
    options.effort = planning_effort::quick;
    const problem made = problem_of(what, now);
    if (options.engine == engine_kind::automatic)
        options.engine = choose_engine(made, options);
    return plan::make(made, options);
}

std::size_t points(const array_request& what)
{
    std::size_t product = 1;
    for (std::size_t length : what.lengths)
        product *= length;
    return product;
}

// Calls step(input, output) at every index of the axes.
template <class Step>
void for_each(const std::vector<batch_axis>& axes,
              char* input,
              char* output,
              const Step& step,
              std::size_t axis = 0)
{
    if (axis == axes.size()) {
        step(input, output);
        return;
    }
    for (std::size_t i = 0; i < axes[axis].count; ++i)
        for_each(axes,
                 input + i * axes[axis].input_step,
                 output + i * axes[axis].output_step,
                 step,
                 axis + 1);
}

// X[-k] = conj X[k] for the bins past the half of the last axis.
template <class T>
class hermitian_half
{
public:
    hermitian_half(const array_request& what, const host_array& output)
        : d_what(what),
          d_output(output)
    {
    }

    // The axes of one transform from `axis` on; `bin` and `mirror` are where their index
    // 0 is, with the indices before it k and -k.
    void fill(char* bin, const char* mirror, std::size_t axis = 0) const
    {
        const std::size_t n = d_what.lengths[axis];
        const std::ptrdiff_t step = d_output.strides[d_what.axes[axis]];
        if (axis + 1 == d_what.lengths.size()) {
            for (std::size_t k = n / 2 + 1; k < n; ++k)
                at(bin + k * step) = std::conj(at(mirror + (n - k) * step));
            return;
        }
        for (std::size_t k = 0; k < n; ++k)
            fill(bin + k * step, mirror + (k == 0 ? 0 : n - k) * step, axis + 1);
    }

    // Conjugates the first `bins` along the last axis.
    void conjugate(char* bin, std::size_t bins, std::size_t axis = 0) const
    {
        const bool is_last = axis + 1 == d_what.lengths.size();
        const std::ptrdiff_t step = d_output.strides[d_what.axes[axis]];
        const std::size_t n = is_last ? bins : d_what.lengths[axis];
        for (std::size_t k = 0; k < n; ++k)
            if (is_last)
                at(bin + k * step) = std::conj(at(bin + k * step));
            else
                conjugate(bin + k * step, bins, axis + 1);
    }

private:
    typedef std::complex<T> complex;
    static complex& at(char* place) { return *reinterpret_cast<complex*>(place); }
    static const complex& at(const char* place)
    {
        return *reinterpret_cast<const complex*>(place);
    }

    const array_request& d_what;
    const host_array& d_output;
};

template <class T>
void finish_bins(const array_request& what,
                 const std::vector<batch_axis>& every,
                 const host_array& output)
{
    const hermitian_half<T> half(what, output);
    for_each(every, output.data, output.data, [&](char*, char* bins) {
        if (what.dir == direction::inverse)
            half.conjugate(bins, what.lengths.back() / 2 + 1);
        if (what.from_real)
            half.fill(bins, bins);
    });
}

} // namespace

bool has_plain_strides(const host_array& array, std::size_t item_bytes)
{
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis)
        if (array.shape[axis] > 1 &&
            (array.strides[axis] <= 0 || array.strides[axis] % item_bytes != 0))
            return false;
    return true;
}

void transform_array(const array_request& what,
                     const host_array& input,
                     const host_array& output)
{
    // Reals are transformed to half of the bins; the other half mirrors them.
    const transform_kind kind = what.from_real ? transform_kind::r2c : what.kind;
    std::vector<batch_axis> axes = batch_axes(what, input, output);
    const std::vector<batch_axis> every = axes;
    const batch_axis frames = take_frames(axes);
    const call now = describe_call(what, kind, input, output, frames);
    // One line is one thread's, and a GPU needs no threads.
    const std::size_t lines = what.engine == engine_kind::cuda ? 1
                              : what.axes.size() > 1           ? what.threads
                                                               : frames.count;
    const std::size_t most_threads =
        std::min(lines, frames.count * points(what) / POINTS_PER_THREAD);
    const int threads = std::clamp<std::size_t>(most_threads, 1, what.threads);
    const auto has_broken_card = [&] {
        return what.engine != engine_kind::cpu && !broken_reason(what.device).empty();
    };
    if (has_broken_card()) // what is kept there keeps all of the process from it
        plan_cache::get().leave_gpus();
    bool avoids_card = false;
    plan_cache::loan plan =
        plan_cache::get().borrow(key_of(what, now, threads), threads, [&] {
            plan::uptr made = make_array_plan(what, now, threads);
            avoids_card = has_broken_card();
            return made;
        });
    try {
        for_each(axes, input.data, output.data, [&](const char* in, char* out) {
            plan->execute(in, out, now.frames);
        });
    } catch (...) {
        plan.drop(); // its device may be in trouble
        throw;
    }
    if (avoids_card)
        plan.drop(); // the card may be back at the next call
    if (frames.count > MOST_KEPT_POINTS / points(what))
        plan.drop(); // its memory is worth more than the time to make another
    if (kind == transform_kind::r2c &&
        (what.from_real || what.dir == direction::inverse)) {
        if (what.is_double)
            finish_bins<double>(what, every, output);
        else
            finish_bins<float>(what, every, output);
    }
}

} // namespace gpufft
} // namespace gr
