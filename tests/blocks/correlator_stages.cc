// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bank of correlators, and what it makes of a stream: all powers, by their sums. A
// correlation c of a template t with samples that may be off by e as a whole may be off
// by a = |t| e, and its power by 2 |c| a + a^2.

#include "random_stages.h"
#include "reference_dft.h"
#include "stage_reference.h"
#include <algorithm>
#include <cmath>
#include <gnuradio/gpufft/correlator_bank.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

constexpr double MOST_WORK = 2e7; // multiplications of a reference

// Chirps, no two of one rate.
std::vector<std::vector<gr_complex>> templates_of(const correlator_parameters& what)
{
    std::vector<std::vector<gr_complex>> templates(what.templates);
    for (std::size_t k = 0; k < what.templates; ++k)
        for (std::size_t i = 0; i < what.length; ++i)
            templates[k].push_back(
                std::polar(1.0f, float(k + 1) * float(i * i) / float(what.length)));
    return templates;
}

problem problem_of(const correlator_parameters& what)
{
    problem expected = problem::make(transform_kind::correlation, { what.n });
    expected.bins = what.templates;
    expected.shifts = what.shifts;
    expected.f_start = 0.1;
    expected.f_stop = 0.1 + 0.013 * double(what.shifts);
    expected.blocks = what.blocks;
    expected.delays = what.n == what.length ? 0 : what.n - what.length + 1;
    expected.peaks = peak_rows::grid;
    expected.hop = what.hop;
    expected.validate();
    return expected;
}

stream_data correlated(const stream_data& input,
                       const problem& what,
                       const std::vector<float>& window,
                       double template_norm)
{
    const deviation_sums sums(input);
    const frame_grid frames = { 0, what.frame_samples(), what.effective_hop() };
    const std::size_t item = sizeof(gr_complex), floats = 2;
    expected_floats rows;
    for (std::size_t f = 0; f < frames.count(input.items.size() / item); ++f) {
        const std::size_t first = f * frames.hop;
        const auto* samples = reinterpret_cast<const gr_complex*>(input.items.data());
        double squares = 0;
        for (std::size_t m = 0; m < frames.n; ++m)
            squares += std::norm(std::complex<double>(samples[first + m]));
        const double error =
            template_norm *
            (sums.over(first * floats, (first + frames.n) * floats) +
             error_bound(what, kernel_error_factor(what)) * std::sqrt(squares));
        const auto* bytes =
            reinterpret_cast<const std::uint8_t*>(input.items.data()) + first * item;
        for (const auto& power : reference_frame(what, bytes, window)) {
            const double value = static_cast<double>(power.real());
            rows.add(value,
                     2 * std::sqrt(value * double(what.blocks)) * error +
                         double(what.blocks) * error * error);
        }
    }
    stream_data result = rows.stream(what.row_bins() * sizeof(float), value_kind::linear);
    for (const tag_mark& tag : input.tags)
        result.tags.push_back({ frames.of_sample(tag.offset), tag.id });
    result.truncate(result.count());
    return result;
}

} // namespace

stage make_correlator(const correlator_parameters& what, const stage_options& how)
{
    const problem expected = problem_of(what);
    correlator_bank_settings settings;
    settings.templates = templates_of(what);
    settings.shifts.clear();
    for (std::size_t d = 0; d < what.shifts; ++d)
        settings.shifts.push_back(0.1 + 0.013 * double(d));
    settings.fft_size = what.n;
    settings.noncoherent = what.blocks;
    settings.hop = what.hop;
    settings.peaks = "grid";
    settings.nthreads = how.threads;
    std::vector<float> window(expected.window_numbers());
    for (std::size_t k = 0; k < what.templates; ++k)
        std::copy(settings.templates[k].begin(),
                  settings.templates[k].end(),
                  reinterpret_cast<gr_complex*>(window.data()) + k * what.n);

    stage result;
    result.text =
        fmt::format("correlator_bank {}({})", expected.to_string(), text_of(how));
    set_block(
        result,
        correlator_bank::make(
            settings, { how.engine, how.devices, how.on_error, how.device_timeout }));
    result.out_bytes = expected.row_bins() * sizeof(float);
    result.expect = [=](const stream_data& input) {
        return correlated(input, expected, window, std::sqrt(double(what.length)));
    };
    return result;
}

random_stage stage_lottery::correlator()
{
    correlator_parameters what;
    what.n = std::clamp<std::size_t>(d_n, 2, 60);
    what.length = flip(50) ? what.n : what.n / 2;
    what.templates = pick(d_random, 1, 3);
    what.shifts = pick(d_random, 1, 4);
    what.blocks = pick(d_random, 1, 3);
    what.hop = pick(d_random, what.n, 2 * what.n * what.blocks);
    const std::size_t row = problem_of(what).row_bins();
    if (rows(what.hop) * row > 2 * MOST_SAMPLES ||
        double(rows(what.hop)) * double(row * what.blocks * what.n) > MOST_WORK)
        return fft();
    return { make_correlator(what, pick_options()), { samples::real, row } };
}

} // namespace gpufft
} // namespace gr
