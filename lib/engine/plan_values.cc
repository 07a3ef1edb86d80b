// SPDX-License-Identifier: GPL-3.0-or-later
//
// The setters' checks, and saving and restoring the running mean, for all engines.

#include "problem/expression.h"
#include <gnuradio/gpufft/plan.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

// The values with one field changed.
template <class Value>
row_values with(row_values values, Value row_values::*field, const Value& value)
{
    values.*field = value;
    return values;
}

} // namespace

void plan::set_position(std::uint64_t samples)
{
    d_position = has_period() ? samples % period() : samples;
}

void plan::set_rotations(const std::vector<rotation>& rotations)
{
    if (rotations.size() != d_rotations.size())
        throw std::invalid_argument("there are " + std::to_string(rotations.size()) +
                                    " rotations, but " + d_problem.to_string() + " has " +
                                    std::to_string(d_rotations.size()) +
                                    " running filters");
    if (rotations == d_rotations)
        return;
    d_rotations = rotations;
    do_set_rotations();
}

void plan::set_map(const std::vector<int>& map)
{
    if (map.size() != d_map.size() || map.empty())
        throw std::invalid_argument("map has " + std::to_string(map.size()) +
                                    " bins, but " + d_problem.to_string() + " picks " +
                                    std::to_string(d_map.size()));
    for (int bin : map)
        if (bin < 0 || std::size_t(bin) >= d_problem.bank_channels())
            throw std::invalid_argument("bin " + std::to_string(bin) +
                                        " in the map, but it must be 0 ... " +
                                        std::to_string(d_problem.bank_channels() - 1));
    if (map == d_map)
        return;
    d_map = map;
    do_set_map();
}

std::vector<std::string> plan::parameter_names() const
{
    return parameters_of(d_problem);
}

// The place of a parameter in the values.
static std::size_t place_of(const std::string& name, const problem& what)
{
    const std::vector<std::string> names = parameters_of(what);
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name)
            return i;
        all += (i > 0 ? ", " : "") + names[i];
    }
    throw std::invalid_argument("parameter is " + name +
                                ", but must be one of: " + (all.empty() ? "none" : all));
}

void plan::set_parameter(const std::string& name, float value)
{
    float& now = d_parameters[place_of(name, d_problem)];
    if (now == value)
        return;
    now = value;
    do_set_parameters();
}

float plan::parameter(const std::string& name) const
{
    return d_parameters[place_of(name, d_problem)];
}

void plan::check_window(std::size_t taps) const
{
    if (!d_problem.window)
        throw std::invalid_argument(
            "this plan has no window; make it from a problem that "
            "has one: " +
            d_problem.to_string());
    if (taps != d_problem.window_numbers())
        throw std::invalid_argument("window has " + std::to_string(taps) +
                                    " taps, but must have " +
                                    std::to_string(d_problem.window_numbers()));
}

void plan::set_window(const std::vector<float>& taps)
{
    check_window(taps.size());
    do_set_window(taps);
    forget_hold();
}

void plan::set_double_window(const std::vector<double>& taps)
{
    check_window(taps.size());
    do_set_double_window(taps);
    forget_hold();
}

void plan::do_set_double_window(const std::vector<double>& taps)
{
    do_set_window(std::vector<float>(taps.begin(), taps.end()));
}

// Takes over the values if they are valid; forgets the running mean if `resets`.
void plan::change(const row_values& next, bool resets)
{
    problem changed = d_problem;
    changed.set(next);
    if (d_problem.kind == transform_kind::filter &&
        changed.effective_hop() != d_problem.effective_hop())
        throw std::invalid_argument("the hop of a filter's plan is " +
                                    std::to_string(d_problem.effective_hop()) +
                                    " for good; make another plan");
    if (next.density.columns != d_problem.density.columns ||
        next.density.levels != d_problem.density.levels)
        throw std::invalid_argument("columns and levels of the density are those of " +
                                    d_problem.to_string() +
                                    " for good; make another plan");
    changed.validate();
    if (resets)
        reset_average();
    d_problem.set(next);
}

void plan::set(const row_values& values)
{
    const bool starts_mean = values.average != d_problem.average ||
                             values.hold != d_problem.hold ||
                             values.density != d_problem.density;
    const bool forgets_hold =
        values.scale != d_problem.scale && d_problem.hold != hold_kind::none;
    change(values, starts_mean || forgets_hold);
}

void plan::set_hop(std::size_t samples)
{
    if (samples == 0)
        throw std::invalid_argument("hop is 0, but must be >= 1");
    change(with(d_problem, &row_values::hop, samples), false);
}

// Forgets a held row, because it has another scale than the next rows.
void plan::set_scale(double factor)
{
    change(with(d_problem, &row_values::scale, factor),
           d_problem.hold != hold_kind::none);
}

void plan::set_average(std::size_t frames)
{
    change(with(d_problem, &row_values::average, frames), true);
}

void plan::set_smoothing(double alpha)
{
    change(with(d_problem, &row_values::smoothing, alpha), false);
}

void plan::forget_hold()
{
    if (d_problem.hold != hold_kind::none)
        reset_average();
}

void plan::set_hold(hold_kind hold)
{
    change(with(d_problem, &row_values::hold, hold), true);
}

void plan::set_density(std::size_t first, std::size_t bins, double low, double high)
{
    if (!d_problem.has_density())
        throw std::invalid_argument("this plan's rows have no density; make it from a "
                                    "problem that has one: " +
                                    d_problem.to_string());
    density_grid grid = d_problem.density;
    grid.first = first;
    grid.bins = bins;
    grid.low = low;
    grid.high = high;
    change(with(d_problem, &row_values::density, grid), true);
}

void plan::reset_average()
{
    d_frames_in_row = 0;
    do_reset_average();
}

// For engines that only tests use.
bool plan::do_save_mean(double*, float*, void*)
{
    throw std::logic_error("this plan's running mean cannot be saved");
}

void plan::do_restore_mean(const double*, const float*, bool)
{
    throw std::logic_error("this plan's running mean cannot be restored");
}

std::size_t plan::mean_bytes() const
{
    if (!d_problem.has_mean())
        return 0;
    return d_problem.mean_sums() * sizeof(double) + d_problem.row_bins() * sizeof(float);
}

plan::mean_state plan::save_mean(void* saved, void* stream)
{
    mean_state state;
    if (mean_bytes() == 0)
        return state;
    double* sums = static_cast<double*>(saved);
    float* smoothed = reinterpret_cast<float*>(sums + d_problem.mean_sums());
    state.frames_in_row = d_frames_in_row;
    state.is_smoothing = do_save_mean(sums, smoothed, stream);
    return state;
}

void plan::restore_mean(const void* saved, const mean_state& state)
{
    if (mean_bytes() == 0)
        return;
    const double* sums = static_cast<const double*>(saved);
    const float* smoothed = reinterpret_cast<const float*>(sums + d_problem.mean_sums());
    d_frames_in_row = state.frames_in_row % d_problem.average;
    do_restore_mean(sums, smoothed, state.is_smoothing);
}

} // namespace gpufft
} // namespace gr
