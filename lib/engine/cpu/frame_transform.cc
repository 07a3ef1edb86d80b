// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a problem's passes along its axes: the last axis first, but c2r's last axis last,
// so that all other passes have complex points of one shape.

#include "frame_transform.h"
#include "problem/frame_rows.h"
#include "problem/saturation.h"
#include "task_size.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

// 64 KiB of complex numbers in single precision, which stay in the L2 cache.
constexpr std::size_t POINTS_PER_BLOCK = 8192;

// One FFTW call for 16 lines takes 0.1 (N = 4) to 0.75 (N = 32) of the time of 16 calls
// (AMD EPYC, AVX-512). From N = 64 on groups speed up only the steps around FFTW.
constexpr std::size_t MOST_LINES_PER_GROUP = 16;

// Number of lines, of any length, after which FFTW's alignment recurs.
constexpr std::size_t LINES_ALIGNED = 4;

constexpr std::size_t POINTS_OF_BANK = 16384; // 128 KiB, which stay in the L2 cache

// True for one axis of complex points, from samples that VOLK converts, to rows without
// gaps.
bool is_plain(const problem& what)
{
    return what.kind == transform_kind::c2c && what.lengths.size() <= 1 &&
           (what.input == sample_format::cf32 || what.input == sample_format::f32 ||
            what.input == sample_format::cs16 || what.input == sample_format::cs8) &&
           what.stored == number_format::working && what.input_strides.empty() &&
           what.has_plain_rows();
}

// True if the window does the output shift: for even n, bins shifted by n/2 are the
// transform of y[m] (-1)^m.
bool alternates(const problem& what)
{
    return is_plain(what) && what.window && what.shift_output && !what.running &&
           what.n % 2 == 0;
}

problem with_rows_of_bins(problem what)
{
    if (!what.is_power())
        return what;
    if (is_plain(what))
        what.shift_output = alternates(what); // else power_store shifts the powers
    else
        what.batch = 1; // each frame alone
    return rows_of_frames(what, output_kind::complex);
}

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

std::string times_text(const std::vector<std::size_t>& numbers)
{
    std::string text;
    for (std::size_t number : numbers)
        text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

// Describes the complex or real transform of FFTW that computes a DCT or DST, if any.
std::string inner_text(const problem& what)
{
    typedef cosine_lines<float> lines;
    const std::vector<std::size_t> axes = what.axes();
    const auto served = std::count_if(axes.begin(), axes.end(), [&](std::size_t n) {
        return lines::takes(what.kind, n);
    });
    if (served == 0)
        return "";
    return std::string(std::size_t(served) < axes.size() ? " partly by " : " by ") +
           to_string(lines::inner_kind(what.kind));
}

// Names the axes that are convolved with a chirp.
template <class T>
std::string chirps_text(const problem& what)
{
    const std::vector<std::size_t> axes = what.axes();
    std::string text;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const bool is_cosine = cosine_lines<T>::takes(what.kind, axes[i]);
        const transform_kind kind = is_cosine ? cosine_lines<T>::inner_kind(what.kind)
                                              : kind_of(what, i + 1 == axes.size());
        const std::size_t n =
            is_cosine ? cosine_lines<T>::inner_points(what.kind, axes[i]) : axes[i];
        const std::string chirp = chirp_lines<T>::text(kind, n);
        if (!chirp.empty() && (axes.size() > 1 || is_cosine))
            text += ", " + std::to_string(n);
        text += chirp;
    }
    return text;
}

} // namespace

std::string transform_text(const problem& what)
{
    std::ostringstream text;
    text << "fftw(";
    if (!is_plain(what))
        text << to_string(what.kind) << " ";
    text << times_text(what.axes());
    if (what.kind == transform_kind::zoom)
        text << " to " << what.row_bins() << " bins of " << what.f_start << " ... "
             << what.f_stop;
    else
        text << (what.orthogonal ? " orthogonal" : "") << inner_text(what)
             << (what.axes().size() > 1 ? " axis by axis" : "")
             << (what.is_double() ? chirps_text<double>(what) : chirps_text<float>(what));
    text << ")";
    return text.str();
}

template <class T>
frame_transform<T>::frame_transform(const problem& what)
    : d_what(with_rows_of_bins(what)),
      d_is_plain(is_plain(d_what)),
      d_alternates(alternates(d_what)),
      d_shifts_output(what.shift_output == d_what.shift_output),
      d_frame_lengths(halved_if(what.kind == transform_kind::c2r, what.axes())),
      d_row_lengths(row_lengths(what)),
      d_middle_lengths(what.kind == transform_kind::c2r ? d_frame_lengths
                                                        : d_row_lengths),
      d_row_points(product(d_row_lengths)),
      d_middle_points(product(d_middle_lengths)),
      d_middle_parts(what.is_real_to_real() ? 1 : 2),
      d_frames_per_block(std::max(POINTS_PER_BLOCK / what.n, std::size_t(1)))
{
    if (what.is_polyphase_bank())
        d_bank = std::make_unique<bank_load>(what);
    d_passes = make_passes(c_strides(d_middle_lengths));
    d_group = d_is_plain ? d_passes[0].bundle() : 1;
    if (d_passes.size() > 1 && what.kind != transform_kind::c2r &&
        what.stored == number_format::working)
        d_row_passes = make_passes(strides_or_c(what.output_strides, d_row_lengths));
    if (what.window)
        set_window(std::vector<float>(what.frame_samples(), 1.0f));
}

template <class T>
typename frame_transform<T>::pass_list
frame_transform<T>::make_passes(const std::vector<std::size_t>& middle_strides)
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
pass_steps frame_transform<T>::steps_of(std::size_t pass,
                                        std::size_t axis,
                                        const std::vector<std::size_t>& middle_strides)
{
    const std::vector<std::size_t> axes = d_what.axes();
    const bool is_first = pass == 0, is_last = pass + 1 == axes.size();
    pass_steps steps;
    steps.kind = kind_of(d_what, axis + 1 == axes.size());
    steps.dir = d_what.kind == transform_kind::c2r ? direction::inverse : d_what.dir;
    steps.n = axes[axis];
    steps.orthogonal = d_what.orthogonal;
    steps.has_window = is_first && d_what.window;
    steps.bank = d_bank.get();

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
                     d_what.shift_output && !d_alternates ? half : 0,
                     is_last && d_what.picks_bins() ? &d_map : nullptr,
                     counts_saturated(d_what) ? &d_saturated : nullptr };
    return steps;
}

// Lines per call of FFTW. A bank converts samples once for each group, so a group should
// have at least as many frames as there are taps.
template <class T>
std::size_t frame_transform<T>::group_for(const pass_steps& steps) const
{
    const std::size_t group =
        std::clamp(POINTS_PER_GROUP / steps.n, std::size_t(1), MOST_LINES_PER_GROUP);
    if (d_bank && d_what.input != sample_format::cf32)
        return std::max(
            group,
            std::min(d_what.taps, std::max(POINTS_OF_BANK / d_what.n, std::size_t(1))));
    if (d_is_plain)
        return group;
    const std::size_t frames = d_what.axes().size() == 1
                                   ? d_what.batch
                                   : std::min(d_what.batch, d_frames_per_block);
    const std::size_t lines = steps.source_places.lines_per_frame();
    const std::size_t most =
        frames > MAX_FFT_SIZE ? group : std::min(group, frames * lines);
    return std::max(most / LINES_ALIGNED * LINES_ALIGNED, std::size_t(1));
}

// The plans of a pass; passes of the same kind and length share plans.
template <class T>
std::shared_ptr<const line_plans<T>>
frame_transform<T>::plans_for(const pass_steps& steps)
{
    std::shared_ptr<const line_plans<T>>& plans = d_plans[{ steps.kind, steps.n }];
    if (!plans && steps.kind == transform_kind::zoom)
        plans = std::make_shared<line_plans<T>>(d_what);
    if (!plans)
        plans = std::make_shared<line_plans<T>>(
            steps.kind, steps.dir, steps.n, group_for(steps));
    return plans;
}

template <class T>
void frame_transform<T>::allocate(std::size_t threads)
{
    std::vector<pass_scratch<T>> scratch(threads);
    std::vector<aligned_buffer<T>> middle(threads), bins(threads);
    d_scratch = std::move(scratch);
    d_middle = std::move(middle);
    d_bins = std::move(bins);
}

template <class T>
template <class Tap>
void frame_transform<T>::set_window(const std::vector<Tap>& taps)
{
    const std::size_t first = d_what.shift_input ? d_what.n - d_what.n / 2 : 0;
    aligned_buffer<T> converted(taps.size());
    for (std::size_t m = 0; m < taps.size(); ++m) {
        const T tap = static_cast<T>(taps[m]);
        converted[m] = d_alternates && (first + m) % 2 == 1 ? -tap : tap;
    }
    d_taps = std::move(converted);
    if (d_bank)
        d_bank->set_window({ d_taps.data(), d_taps.data() + d_taps.size() });
}

template <class T>
const typename frame_transform<T>::pass_list&
frame_transform<T>::passes_for(const frames_in_memory& data) const
{
    return d_row_passes.empty() || data.samples == data.bins ? d_passes : d_row_passes;
}

template <class T>
void frame_transform<T>::run(const frames_in_memory& data,
                             std::size_t frames,
                             double scale,
                             std::size_t thread)
{
    aligned_buffer<T>& middle = d_middle[thread];
    if (passes() > 1 && &passes_for(data) == &d_passes)
        room_for(frames * d_middle_points * d_middle_parts, middle);
    for (std::size_t pass = 0; pass < passes(); ++pass)
        run_pass(pass, data, middle, 0, frames * lines_per_frame(pass), scale, thread);
}

template <class T>
void frame_transform<T>::prepare_lines(const frames_in_memory& data)
{
    if (passes() > 1 && &passes_for(data) == &d_passes)
        room_for(d_middle_points * d_middle_parts, d_middle[0]);
}

template <class T>
void frame_transform<T>::run_lines(std::size_t pass,
                                   const frames_in_memory& data,
                                   std::size_t first,
                                   std::size_t last,
                                   double scale,
                                   std::size_t thread)
{
    run_pass(pass, data, d_middle[0], first, last, scale, thread);
}

template <class T>
void frame_transform<T>::run_pass(std::size_t pass,
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

template <class T>
std::size_t frame_transform<T>::frames_per_task() const
{
    const std::size_t frames = (POINTS_PER_TASK + d_what.n - 1) / d_what.n;
    return (frames + d_group - 1) / d_group * d_group;
}

template <class T>
const std::complex<T>* frame_transform<T>::bins_of(const void* samples,
                                                   std::size_t hop,
                                                   std::size_t frames,
                                                   std::size_t thread)
{
    T* const bins = room_for(2 * d_group * d_row_points, d_bins[thread]);
    run({ samples, bins, hop, d_row_points, 0 }, frames, 1.0, thread);
    return reinterpret_cast<const std::complex<T>*>(bins);
}

template class frame_transform<float>;
template class frame_transform<double>;
template void frame_transform<float>::set_window(const std::vector<float>&);
template void frame_transform<float>::set_window(const std::vector<double>&);
template void frame_transform<double>::set_window(const std::vector<float>&);
template void frame_transform<double>::set_window(const std::vector<double>&);

} // namespace gpufft
} // namespace gr
