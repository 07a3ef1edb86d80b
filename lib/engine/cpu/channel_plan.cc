// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters parts of the stream by FFTW, channel after channel.

#include "channel_plan.h"
#include "planner/filters/channel_response.h"
#include "planner/filters/filter.h"

#include <sstream>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t GROUP = 16; // zones per partial sum, to limit rounding errors

} // namespace

channel_plan::channel_plan(const problem& what, int threads)
    : overlap_plan(what,
                   channel_length(what),
                   outputs_of_part(what, channel_length(what))),
      d_points(d_length / d_hop),
      d_backward(transform_kind::c2c, direction::inverse, d_points, 1, false),
      d_channels(what.row_bins())
{
    for (channel& each : d_channels) {
        each.response = aligned_buffer<complex>(d_length);
        each.turned = aligned_buffer<complex>(what.running ? d_outputs : 0);
    }
    make_channels();
    set_threads(threads);
}

void channel_plan::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(d_length),
                        aligned_buffer<complex>(d_length),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(d_points),
                        aligned_buffer<complex>(
                            stores_floats() ? 0 : d_outputs * d_channels.size()) });
    d_scratch = std::move(all);
}

void channel_plan::make_responses()
{
    for (channel& each : d_channels)
        each.is_made = false;
    make_channels();
}

// Makes the channels that do not exist yet, or whose step has changed.
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

void channel_plan::make(std::size_t index, channel& next) const
{
    const auto spectrum =
        spectrum_of(cyclic_channel(d_problem, d_taps, index, next.turns.step, d_length));
    next.zones =
        zones_that_matter({ spectrum.data(), spectrum.data() + d_length }, d_points);
    const double factor = d_scale / double(d_length);
    for (std::size_t k = 0; k < d_length; ++k)
        next.response[k] = complex(spectrum[k] * factor);
    for (std::size_t j = 0; j < next.turned.size(); ++j)
        next.turned[j] = complex(turned_back(next.turns.step * d_hop * j));
}

void channel_plan::run_part(const part& what, std::size_t thread)
{
    scratch& own = d_scratch[thread];
    complex* const rows =
        stores_floats() ? reinterpret_cast<complex*>(what.rows) : own.rows.data();
    transform(what, reinterpret_cast<float*>(own.samples.data()), own.spectrum.data());
    for (std::size_t i = 0; i < d_channels.size(); ++i) {
        filter(d_channels[i], own);
        store(i,
              what.position + d_problem.n - 1,
              own.filtered.data(),
              rows + i,
              what.row_count);
    }
    if (!stores_floats())
        store_rows(reinterpret_cast<const float*>(rows), what.row_count, what.rows);
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
    for (std::size_t j = 0; j < count; ++j) { // std::complex would test for NaNs
        const float a = by.turned[j].real(), b = by.turned[j].imag();
        const float c = a * re - b * im, s = a * im + b * re;
        const float x = filtered[j].real(), y = filtered[j].imag();
        rows[j * stride] = complex(x * c - y * s, x * s + y * c);
    }
}

std::string channel_plan::describe_transform() const
{
    std::size_t zones = 0;
    for (const channel& each : d_channels)
        zones += each.zones.size();
    std::ostringstream text;
    text << "overlap-save(up to " << d_problem.n << " taps, " << d_channels.size()
         << (d_channels.size() == 1 ? " channel" : " channels") << ": fftw("
         << (d_reads_real ? "r2c " : "") << d_length << "), " << d_outputs
         << " rows by fftw(" << d_points << ") from "
         << double(zones) / double(d_channels.size()) << " of " << d_hop << " zones)";
    return text.str();
}

} // namespace gpufft
} // namespace gr
