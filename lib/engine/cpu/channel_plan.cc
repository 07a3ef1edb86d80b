// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters parts of the stream by FFTW, channel after channel.

#include "channel_plan.h"
#include "cpu_threads.h"
#include "planner/filters/channel_response.h"
#include "planner/filters/filter.h"
#include "task_size.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t GROUP = 16; // zones per partial sum, against rounding errors

} // namespace

channel_plan::channel_plan(const problem& what, int threads)
    : plan(what, engine_kind::cpu),
      d_hop(what.effective_hop()),
      d_length(channel_length(what)),
      d_points(d_length / d_hop),
      d_outputs(outputs_of_part(what, d_length)),
      d_samples((d_outputs - 1) * d_hop + what.n),
      d_forward(transform_kind::c2c, direction::forward, d_length, 1),
      d_backward(transform_kind::c2c, direction::inverse, d_points, 1, false),
      d_exact(transform_kind::c2c, direction::forward, d_length, 1, false),
      d_taps(what.window_numbers(), 1.0),
      d_scale(what.scale),
      d_channels(what.row_bins())
{
    for (channel& each : d_channels) {
        each.response = aligned_buffer<complex>(d_length);
        each.turned = aligned_buffer<complex>(what.running ? d_outputs : 0);
    }
    make_channels();
    channel_plan::set_threads(threads);
}

void channel_plan::set_threads(int threads)
{
    plan::set_threads(threads); // checks the range
    const std::size_t count = count_threads(threads);
    if (d_pool && d_pool->threads() == count)
        return;
    auto pool = std::make_unique<thread_pool>(count);
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < count; ++thread)
        all.push_back({ aligned_buffer<complex>(d_length),
                        aligned_buffer<complex>(d_length),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points) });
    d_scratch = std::move(all);
    d_pool = std::move(pool);
}

void channel_plan::do_set_window(const std::vector<float>& taps)
{
    do_set_double_window({ taps.begin(), taps.end() });
}

void channel_plan::do_set_double_window(const std::vector<double>& taps)
{
    d_taps = taps;
    for (channel& each : d_channels)
        each.is_made = false;
    make_channels();
}

// Makes the channels that are not made yet, or whose step has changed.
void channel_plan::make_channels()
{
    for (std::size_t i = 0; i < d_channels.size(); ++i) {
        channel& each = d_channels[i];
        const rotation wanted = d_rotations.empty() ? rotation() : d_rotations[i];
        const bool is_made = each.is_made && each.turns.step == wanted.step;
        each.turns = wanted;
        if (!is_made)
            make(i, each);
        each.is_made = true;
    }
}

// In double precision.
void channel_plan::make(std::size_t index, channel& next) const
{
    const auto times =
        cyclic_channel(d_problem, d_taps, index, next.turns.step, d_length);
    aligned_buffer<std::complex<double>> in(d_length), out(d_length);
    std::copy(times.begin(), times.end(), in.data());
    d_exact.execute(in.data(), out.data());
    next.zones = zones_that_matter({ out.data(), out.data() + d_length }, d_points);
    const double factor = d_scale / double(d_length);
    for (std::size_t k = 0; k < d_length; ++k)
        next.response[k] = complex(out[k] * factor);
    for (std::size_t j = 0; j < next.turned.size(); ++j)
        next.turned[j] = complex(turned_back(next.turns.step * d_hop * j));
}

void channel_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    if (d_problem.scale != d_scale) {
        d_scale = d_problem.scale;
        do_set_double_window(std::vector<double>(d_taps));
    }
    const std::size_t parts = (frames + d_outputs - 1) / d_outputs;
    const std::size_t samples = (frames - 1) * d_hop + d_problem.n;
    const std::size_t per_task = share_of(
        parts, std::max<std::size_t>(POINTS_PER_TASK / d_length, 1), d_pool->threads());
    d_pool->run(
        (parts + per_task - 1) / per_task, [&](std::size_t task, std::size_t thread) {
            scratch& own = d_scratch[thread];
            const std::size_t last = std::min((task + 1) * per_task, parts);
            for (std::size_t part = task * per_task; part < last; ++part) {
                const std::size_t first = part * d_outputs;
                const std::size_t begin = first * d_hop;
                transform(static_cast<const complex*>(input) + begin,
                          std::min(samples - begin, d_samples),
                          own);
                complex* rows = static_cast<complex*>(output) + first * d_channels.size();
                for (std::size_t i = 0; i < d_channels.size(); ++i) {
                    filter(d_channels[i], own);
                    store(i,
                          d_position + begin + d_problem.n - 1,
                          own.filtered.data(),
                          rows + i,
                          std::min(d_outputs, frames - first));
                }
            }
        });
}

// The spectrum of `count` samples, padded with zeros.
void channel_plan::transform(const complex* samples,
                             std::size_t count,
                             scratch& own) const
{
    if (count < d_length || !fftw_lines<float>::is_aligned(samples)) {
        std::copy_n(samples, count, own.samples.data());
        std::fill(own.samples.data() + count, own.samples.data() + d_length, complex());
        samples = own.samples.data();
    }
    d_forward.execute(samples, own.spectrum.data());
}

// The spectrum of every d_hop-th output is the sum of the bins that are d_points apart.
void channel_plan::filter(const channel& by, scratch& own) const
{
    const unsigned points = static_cast<unsigned>(d_points);
    const auto add = [=](complex* to, const complex* what) {
        float* const sums = reinterpret_cast<float*>(to);
        volk_32f_x2_add_32f(sums, sums, reinterpret_cast<const float*>(what), 2 * points);
    };
    for (std::size_t i = 0; i < by.zones.size(); ++i) {
        complex* const sum = (i < GROUP ? own.folded : own.group).data();
        complex* const product = i % GROUP == 0 ? sum : own.product.data();
        const std::size_t at = by.zones[i] * d_points;
        volk_32fc_x2_multiply_32fc(
            product, own.spectrum.data() + at, by.response.data() + at, points);
        if (product != sum)
            add(sum, product);
        if (i >= GROUP && (i % GROUP == GROUP - 1 || i + 1 == by.zones.size()))
            add(own.folded.data(), sum);
    }
    d_backward.execute(own.folded.data(), own.filtered.data());
}

// The value of filter `index` in `count` rows, the first of which is at `position`.
void channel_plan::store(std::size_t index,
                         std::uint64_t position,
                         const complex* filtered,
                         complex* rows,
                         std::size_t count) const
{
    const std::size_t stride = d_channels.size();
    if (!d_problem.running) {
        for (std::size_t j = 0; j < count; ++j)
            rows[j * stride] = filtered[j];
        return;
    }
    const channel& by = d_channels[index];
    const complex first(turned_back(by.turns.phase + by.turns.step * position));
    const float re = first.real(), im = first.imag();
    for (std::size_t j = 0; j < count; ++j) { // not by std::complex, which would test for
                                              // NaNs
        const float a = by.turned[j].real(), b = by.turned[j].imag();
        const float c = a * re - b * im, s = a * im + b * re;
        const float x = filtered[j].real(), y = filtered[j].imag();
        rows[j * stride] = complex(x * c - y * s, x * s + y * c);
    }
}

std::string channel_plan::describe() const
{
    std::size_t zones = 0;
    for (const channel& each : d_channels)
        zones += each.zones.size();
    std::ostringstream text;
    text << "cpu: overlap-save(up to " << d_problem.n << " taps, " << d_channels.size()
         << (d_channels.size() == 1 ? " channel" : " channels") << ": fftw(" << d_length
         << "), " << d_outputs << " rows by fftw(" << d_points << ") from "
         << double(zones) / double(d_channels.size()) << " of " << d_hop << " zones), "
         << d_pool->threads() << (d_pool->threads() == 1 ? " thread" : " threads");
    if (d_problem.running)
        text << ", running";
    if (d_scale != 1.0)
        text << ", scale " << d_scale;
    return text.str();
}

} // namespace gpufft
} // namespace gr
