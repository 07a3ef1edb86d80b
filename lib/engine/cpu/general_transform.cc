// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a problem to the passes along its axes: the last axis first, but c2r's last axis
// last, so that all passes between have complex points of one shape.

#include "general_transform.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

// 64 KiB of complex numbers in single precision: stays in the L2 cache.
constexpr std::size_t POINTS_PER_BLOCK = 8192;

std::size_t product(const std::vector<std::size_t>& lengths)
{
    return std::accumulate(
        lengths.begin(), lengths.end(), std::size_t(1), std::multiplies<>());
}

std::vector<std::size_t> halved_if(bool is_halved, std::vector<std::size_t> lengths)
{
    if (is_halved)
        lengths.back() = lengths.back() / 2 + 1;
    return lengths;
}

std::vector<std::size_t> row_lengths(const problem& what)
{
    if (what.kind == transform_kind::zoom)
        return { what.row_bins() };
    return halved_if(what.kind == transform_kind::r2c, what.axes());
}

std::vector<std::size_t> strides_or_c(const std::vector<std::size_t>& strides,
                                      const std::vector<std::size_t>& lengths)
{
    return strides.empty() ? c_strides(lengths) : strides;
}

// Kind of one pass.
transform_kind kind_of(const problem& what, bool is_last_axis)
{
    const bool is_real =
        what.kind == transform_kind::r2c || what.kind == transform_kind::c2r;
    return is_real && !is_last_axis ? transform_kind::c2c : what.kind;
}

} // namespace

template <class T>
general_transform<T>::general_transform(const problem& what)
    : d_what(what),
      d_frame_lengths(halved_if(what.kind == transform_kind::c2r, what.axes())),
      d_row_lengths(row_lengths(what)),
      d_middle_lengths(what.kind == transform_kind::c2r ? d_frame_lengths
                                                        : d_row_lengths),
      d_middle_points(product(d_middle_lengths)),
      d_middle_parts(what.is_real_to_real() ? 1 : 2),
      d_frames_per_block(std::max(POINTS_PER_BLOCK / what.n, std::size_t(1)))
{
    d_passes = make_passes(c_strides(d_middle_lengths));
    if (d_passes.size() > 1 && what.kind != transform_kind::c2r &&
        what.stored == number_format::working)
        d_row_passes = make_passes(strides_or_c(what.output_strides, d_row_lengths));
    if (what.window)
        set_window(std::vector<double>(what.frame_samples(), 1.0));
}

template <class T>
typename general_transform<T>::pass_list
general_transform<T>::make_passes(const std::vector<std::size_t>& middle_strides)
{
    const std::size_t axes = d_what.axes().size();
    pass_list passes;
    for (std::size_t pass = 0; pass < axes; ++pass) {
        const std::size_t axis =
            d_what.kind == transform_kind::c2r ? pass : axes - 1 - pass;
        const pass_steps steps = steps_of(pass, axis, middle_strides);
        passes.emplace_back(steps, plans_for(steps));
    }
    return passes;
}

template <class T>
pass_steps
general_transform<T>::steps_of(std::size_t pass,
                               std::size_t axis,
                               const std::vector<std::size_t>& middle_strides) const
{
    const std::vector<std::size_t> axes = d_what.axes();
    const bool is_first = pass == 0, is_last = pass + 1 == axes.size();
    pass_steps steps;
    steps.kind = kind_of(d_what, axis + 1 == axes.size());
    steps.dir = d_what.kind == transform_kind::c2r ? direction::inverse : d_what.dir;
    steps.n = axes[axis];
    steps.orthogonal = d_what.orthogonal;
    steps.has_window = is_first && d_what.window;

    // Each pass shifts along its own axis.
    const std::size_t half = steps.n / 2;
    const std::vector<std::size_t>& from = is_first ? d_frame_lengths : d_middle_lengths;
    steps.source_places = line_places(
        from, is_first ? strides_or_c(d_what.input_strides, from) : middle_strides, axis);
    steps.tap_places = line_places(from, c_strides(from), axis);
    steps.source = { is_first ? d_what.input
                              : working_format(!reads_real(steps.kind),
                                               sizeof(T) == sizeof(double)),
                     !reads_real(steps.kind),
                     from[axis],
                     steps.source_places.stride(),
                     d_what.shift_input && half > 0 ? steps.n - half : 0 };

    const std::vector<std::size_t>& to = is_last ? d_row_lengths : d_middle_lengths;
    steps.target_places = line_places(
        to, is_last ? strides_or_c(d_what.output_strides, to) : middle_strides, axis);
    steps.target = { is_last ? d_what.stored : number_format::working,
                     !stores_real(steps.kind),
                     to[axis],
                     steps.target_places.stride(),
                     d_what.shift_output ? half : 0 };
    return steps;
}

// Passes of the same kind and length share them.
template <class T>
std::shared_ptr<const line_plans<T>>
general_transform<T>::plans_for(const pass_steps& steps)
{
    std::shared_ptr<const line_plans<T>>& plans = d_plans[{ steps.kind, steps.n }];
    if (!plans && steps.kind == transform_kind::zoom)
        plans = std::make_shared<line_plans<T>>(d_what);
    if (!plans) {
        const std::size_t frames = d_what.axes().size() == 1
                                       ? d_what.batch
                                       : std::min(d_what.batch, d_frames_per_block);
        const std::size_t lines = steps.source_places.lines_per_frame();
        plans = std::make_shared<line_plans<T>>(steps.kind,
                                                steps.dir,
                                                steps.n,
                                                frames > MAX_FFT_SIZE ? frames
                                                                      : frames * lines);
    }
    return plans;
}

template <class T>
void general_transform<T>::allocate(std::size_t threads)
{
    std::vector<pass_scratch<T>> scratch(threads);
    std::vector<aligned_buffer<T>> middle(threads);
    d_scratch = std::move(scratch);
    d_middle = std::move(middle);
}

template <class T>
void general_transform<T>::set_window(const std::vector<double>& taps)
{
    aligned_buffer<T> converted(taps.size());
    std::transform(taps.begin(), taps.end(), converted.data(), [](double tap) {
        return static_cast<T>(tap);
    });
    d_taps = std::move(converted);
}

template <class T>
const typename general_transform<T>::pass_list&
general_transform<T>::passes_for(const frames_in_memory& data) const
{
    return d_row_passes.empty() || data.samples == data.bins ? d_passes : d_row_passes;
}

template <class T>
void general_transform<T>::run(const frames_in_memory& data,
                               std::size_t frames,
                               double scale,
                               std::size_t thread)
{
    aligned_buffer<T>& middle = d_middle[thread];
    const std::size_t parts = frames * d_middle_points * d_middle_parts;
    if (passes() > 1 && &passes_for(data) == &d_passes && middle.size() < parts)
        middle = aligned_buffer<T>(parts);
    for (std::size_t pass = 0; pass < passes(); ++pass)
        run_pass(pass, data, middle, 0, frames * lines_per_frame(pass), scale, thread);
}

template <class T>
void general_transform<T>::prepare_lines(const frames_in_memory& data)
{
    const std::size_t parts = d_middle_points * d_middle_parts;
    if (passes() > 1 && &passes_for(data) == &d_passes && d_middle[0].size() < parts)
        d_middle[0] = aligned_buffer<T>(parts);
}

template <class T>
void general_transform<T>::run_lines(std::size_t pass,
                                     const frames_in_memory& data,
                                     std::size_t first,
                                     std::size_t last,
                                     double scale,
                                     std::size_t thread)
{
    run_pass(pass, data, d_middle[0], first, last, scale, thread);
}

template <class T>
void general_transform<T>::run_pass(std::size_t pass,
                                    const frames_in_memory& data,
                                    const aligned_buffer<T>& middle,
                                    std::size_t first,
                                    std::size_t last,
                                    double scale,
                                    std::size_t thread)
{
    const pass_list& all = passes_for(data);
    const bool through_rows = &all == &d_row_passes;
    void* points = through_rows ? data.bins : middle.data();
    const std::size_t distance = through_rows ? data.distance : d_middle_points;
    frames_in_memory now = data;
    if (pass > 0) {
        now.samples = points;
        now.hop = distance;
    }
    const bool is_last = pass + 1 == all.size();
    if (!is_last) {
        now.bins = points;
        now.distance = distance;
    }
    all[pass].run(now,
                  first,
                  last,
                  d_taps.data(),
                  is_last ? static_cast<T>(scale) : T(1),
                  d_scratch[thread]);
}

template class general_transform<float>;
template class general_transform<double>;

} // namespace gpufft
} // namespace gr
