// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes some frames at a time: samples, their expression, the plan inside, the rows'
// expression.

#include "stepped_plan.h"
#include "engine/engines.h"
#include "engine/steps_text.h"
#include "line_load.h"

#include <algorithm>
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t POINTS_AT_ONCE = 1 << 16; // of the frames that it takes

// The problem between the expressions.
problem without_steps(problem what)
{
    if (!what.load.empty())
        what.input = sample_format::cf32;
    if (!what.store.empty())
        what.output = output_kind::complex;
    what.load.clear();
    what.store.clear();
    return what;
}

} // namespace

stepped_plan::stepped_plan(const problem& what, const plan_options& options)
    : plan(what, engine_kind::cpu),
      d_names(parameters_of(what))
{
    if (!what.load.empty())
        d_load.emplace(what.load, "x");
    if (!what.store.empty())
        d_store.emplace(what.store, "x");
    d_inner = make_cpu_plan(without_steps(what), options);
}

std::string stepped_plan::describe() const
{
    problem own = d_problem;
    own.product.clear(); // that of the plan inside
    return d_inner->describe() + ", " + describe_expressions(own);
}

void stepped_plan::do_set_window(const std::vector<float>& taps)
{
    d_inner->set_window(taps);
}

// The plan inside has an expression of its own if spectra are multiplied by one.
void stepped_plan::do_set_parameters()
{
    for (const std::string& name : parameters_of(d_inner->what()))
        d_inner->set_parameter(name, parameter(name));
}

void stepped_plan::do_execute(const void* input, void* output, std::size_t frames)
{
    row_values values = d_problem;
    d_inner->set(values);
    d_inner->set_position(d_position);
    const std::size_t hop = d_problem.effective_hop() * d_problem.input_item_bytes();
    const std::size_t row =
        d_problem.effective_output_distance() * d_problem.output_item_bytes();
    const std::size_t points = std::max(d_problem.input_span(), d_problem.row_bins());
    const std::size_t together =
        std::max<std::size_t>((POINTS_AT_ONCE / points + d_inner->frames_together() - 1) /
                                  d_inner->frames_together() * d_inner->frames_together(),
                              1);
    for (std::size_t f = 0; f < frames; f += together)
        run(static_cast<const char*>(input) + f * hop,
            static_cast<char*>(output) + f * row,
            std::min(together, frames - f));
}

void stepped_plan::run(const char* input, char* output, std::size_t frames)
{
    const std::size_t samples = d_inner->input_samples(frames), place = 0;
    const void* from = input;
    if (d_load) {
        if (d_samples.size() < samples)
            d_samples = aligned_buffer<complex>(samples);
        load_lines<float>({ d_problem.input, true, samples, 1, 0 },
                          input,
                          &place,
                          1,
                          { nullptr, 1, nullptr },
                          d_samples.data(),
                          0);
        d_load->evaluate(
            samples, d_samples.data(), nullptr, d_names, parameters(), d_samples.data());
        from = d_samples.data();
    }
    if (!d_store) {
        d_inner->execute(from, output, frames);
        return;
    }
    const std::size_t bins = frames * d_problem.row_bins();
    if (d_rows.size() < bins)
        d_rows = aligned_buffer<complex>(bins);
    d_inner->execute(from, d_rows.data(), frames);
    d_store->evaluate(bins, d_rows.data(), nullptr, d_names, parameters(), d_rows.data());
    if (d_problem.output == output_kind::complex)
        std::memcpy(output, d_rows.data(), bins * sizeof(complex));
    else
        for (std::size_t i = 0; i < bins; ++i)
            reinterpret_cast<float*>(output)[i] = d_rows[i].real();
}

} // namespace gpufft
} // namespace gr
