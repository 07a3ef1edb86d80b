// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlates by FFTW, with VOLK's products.

#include "correlation_plan.h"
#include "line_load.h"
#include "problem/problem_axes.h"

namespace gr {
namespace gpufft {

correlation_plan::correlation_plan(const problem& what, int threads)
    : cpu_plan(what),
      d_n(what.n),
      d_templates(std::max<std::size_t>(what.bins, 1)),
      d_delays(delays_of(what)),
      d_shifts(what),
      d_product(what.product.empty()
                    ? std::nullopt
                    : std::make_optional<expression>(what.product, "xh")),
      d_forward(transform_kind::c2c, direction::forward, d_n, 1),
      d_backward(transform_kind::c2c, direction::inverse, d_n, 1, false),
      d_turns(d_shifts.fractions.size() * what.taps * d_n),
      d_responses(d_templates * d_n),
      d_spectra(what.blocks * d_shifts.fractions.size() * d_n),
      d_cells(d_templates * what.shifts)
{
    const auto turns = d_shifts.turns(what);
    std::copy(turns.begin(), turns.end(), d_turns.data());
    correlation_plan::do_set_double_window(
        std::vector<double>(what.window_numbers(), 1.0));
    set_threads(threads);
}

void correlation_plan::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(d_problem.taps * d_n),
                        aligned_buffer<complex>(d_n),
                        aligned_buffer<complex>(d_n),
                        std::vector<float>(d_n) });
    d_scratch = std::move(all);
}

void correlation_plan::do_set_double_window(const std::vector<double>& templates)
{
    const auto spectra = template_spectra(d_problem, d_n, templates);
    std::copy(spectra.begin(), spectra.end(), d_responses.data());
}

void correlation_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    const std::size_t hop = d_problem.effective_hop() * d_problem.input_item_bytes();
    const std::size_t lines = d_problem.blocks * d_shifts.fractions.size();
    for (std::size_t f = 0; f < frames; ++f) {
        const char* const frame = static_cast<const char*>(input) + f * hop;
        float* const row = static_cast<float*>(output) + f * d_problem.row_bins();
        share_out(lines, 1, [&](std::size_t i, std::size_t last, std::size_t thread) {
            for (; i < last; ++i)
                make_spectrum(frame, i, d_scratch[thread]);
        });
        share_out(
            d_cells.size(), 1, [&](std::size_t i, std::size_t last, std::size_t thread) {
                for (; i < last; ++i)
                    correlate(i, row, d_scratch[thread]);
            });
        if (d_problem.peaks != peak_rows::grid)
            choose(row);
    }
}

// The spectrum of line (block, fraction).
void correlation_plan::make_spectrum(const char* frame, std::size_t line, scratch& own)
{
    const std::size_t samples = d_problem.taps * d_n, place = 0;
    const std::size_t block = line / d_shifts.fractions.size(),
                      fraction = line % d_shifts.fractions.size();
    const line_source source = { d_problem.input, true, samples, 1, 0 };
    complex* const x = own.samples.data();
    load_lines<float>(source,
                      frame + block * samples * d_problem.input_item_bytes(),
                      &place,
                      1,
                      { nullptr, 1, nullptr },
                      x,
                      0);
    if (d_shifts.is_mixed())
        volk_32fc_x2_multiply_32fc(
            x, x, d_turns.data() + fraction * samples, unsigned(samples));
    for (std::size_t c = 1; c < d_problem.taps; ++c)
        for (std::size_t m = 0; m < d_n; ++m)
            x[m] += x[c * d_n + m];
    // FFTW wants aligned memory
    d_forward.execute(x, own.product.data());
    std::copy_n(own.product.data(), d_n, d_spectra.data() + line * d_n);
}

void correlation_plan::multiply(const complex* spectrum,
                                const complex* response,
                                std::size_t count,
                                complex* product) const
{
    if (!d_product) {
        volk_32fc_x2_multiply_32fc(product, spectrum, response, unsigned(count));
        return;
    }
    d_product->evaluate(
        count, spectrum, response, parameters_of(d_problem), parameters(), product);
    const float scale = 1.0f / float(d_n);
    for (std::size_t k = 0; k < count; ++k)
        product[k] *= scale;
}

// Template and shift number `index`: its cell, or its part of a grid.
void correlation_plan::correlate(std::size_t index, float* row, scratch& own)
{
    const std::size_t which = index / d_problem.shifts;
    const shift_places::place& shift = d_shifts.places[index % d_problem.shifts];
    const complex* const response = d_responses.data() + which * d_n;
    const std::size_t rest = d_n - shift.bin;
    for (std::size_t block = 0; block < d_problem.blocks; ++block) {
        const complex* const spectrum =
            d_spectra.data() + (block * d_shifts.fractions.size() + shift.fraction) * d_n;
        complex* const product = own.product.data();
        multiply(spectrum + shift.bin, response, rest, product);
        multiply(spectrum, response + rest, shift.bin, product + rest);
        d_backward.execute(product, own.correlation.data());
        for (std::size_t u = 0; u < d_delays; ++u) {
            const float re = own.correlation[u].real(), im = own.correlation[u].imag();
            const float power = re * re + im * im;
            own.powers[u] = block == 0 ? power : own.powers[u] + power;
        }
    }
    if (d_problem.peaks == peak_rows::grid) {
        float* const to = row + (which * d_problem.shifts + shift.shift) * d_delays;
        for (std::size_t u = 0; u < d_delays; ++u)
            to[u] = own.powers[u] * static_cast<float>(d_problem.scale);
        return;
    }
    cell found;
    for (std::size_t u = 0; u < d_delays; ++u) {
        found.sum += own.powers[u];
        if (own.powers[u] > found.power) {
            found.power = own.powers[u];
            found.delay = u;
        }
    }
    d_cells[which * d_problem.shifts + shift.shift] = found;
}

// The peak of each template, or the largest of them.
void correlation_plan::choose(float* row) const
{
    const bool best = d_problem.peaks == peak_rows::best;
    std::size_t winner = 0;
    for (std::size_t which = 0; which < d_templates; ++which) {
        std::size_t first = which * d_problem.shifts;
        for (std::size_t d = 0; d < d_problem.shifts; ++d)
            if (d_cells[which * d_problem.shifts + d].power > d_cells[first].power)
                first = which * d_problem.shifts + d;
        if (!best)
            write_peak(which, first % d_problem.shifts, row + which * PEAK_NUMBERS);
        else if (d_cells[first].power > d_cells[winner].power || which == 0)
            winner = first;
    }
    if (best)
        write_peak(winner / d_problem.shifts, winner % d_problem.shifts, row);
}

void correlation_plan::write_peak(std::size_t which, std::size_t shift, float* to) const
{
    const cell* const cells = d_cells.data() + which * d_problem.shifts;
    double sum = 0;
    for (std::size_t d = 0; d < d_problem.shifts; ++d)
        sum += cells[d].sum;
    const double powers = double(d_problem.shifts) * double(d_delays);
    const double power = cells[shift].power < 0 ? sum : cells[shift].power; // all are NaN
    to[0] = static_cast<float>(which);
    to[1] = static_cast<float>(shift);
    to[2] = static_cast<float>(cells[shift].delay);
    to[3] = sum == 0 ? 0 : static_cast<float>(power * powers / sum);
    to[4] = static_cast<float>(power * d_problem.scale);
}

std::string correlation_plan::describe_transform() const
{
    return "correlation(" + std::to_string(d_templates) +
           (d_templates == 1 ? " template, " : " templates, ") +
           std::to_string(d_problem.shifts) +
           (d_problem.shifts == 1 ? " shift" : " shifts") + ": " +
           std::to_string(d_shifts.fractions.size() * d_problem.blocks) + " fftw(" +
           std::to_string(d_n) + chirp_lines<float>::text(transform_kind::c2c, d_n) +
           "), " + std::to_string(d_cells.size() * d_problem.blocks) + " inverse)";
}

} // namespace gpufft
} // namespace gr
