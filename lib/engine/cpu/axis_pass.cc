// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bundles lines, and applies the factors that make a dct or dst orthogonal.

#include "axis_pass.h"
#include "task_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gr {
namespace gpufft {

namespace {

// Interleaved lines are read in pieces of two cache lines if two bundles fit the L2
// cache, else in pieces of one.
constexpr std::size_t BYTES_SIDE_BY_SIDE = 128;
constexpr std::size_t BYTES_PER_BUNDLE = std::size_t(1) << 18;

// Padding between single lines in scratch: keeps FFTW's alignment, and keeps lines of 2^k
// points out of the same cache sets.
constexpr std::size_t POINTS_PER_PITCH = 8;

// From this length on FFTW is not faster with lines in groups.
constexpr std::size_t LONG_LINE = 64;

// Any larger distance between lines is a negative one that has wrapped around.
constexpr std::size_t MOST_DISTANT = std::numeric_limits<std::size_t>::max() / 64;

// Factors on the ends of a line that make the matrix orthogonal.
struct end_factors {
    double first = 1, last = 1;
    bool is_one() const { return first == 1 && last == 1; }
};

end_factors factors_of(const pass_steps& steps, int type, double factor)
{
    if (!steps.orthogonal)
        return {};
    const kind_properties& properties = properties_of(steps.kind);
    if (steps.kind == transform_kind::dct1)
        return { factor, factor };
    if (properties.type != type)
        return {};
    return properties.is_sine ? end_factors{ 1, factor } : end_factors{ factor, 1 };
}

end_factors point_factors(const pass_steps& steps)
{
    return factors_of(steps, 3, std::sqrt(2.0));
}

end_factors bin_factors(const pass_steps& steps)
{
    return factors_of(steps, 2, std::sqrt(0.5));
}

template <class T>
void multiply_ends(const end_factors& factors,
                   T* lines,
                   std::size_t n,
                   std::size_t pitch,
                   std::size_t count)
{
    for (std::size_t g = 0; g < count && !factors.is_one(); ++g) {
        lines[g * pitch] *= static_cast<T>(factors.first);
        lines[g * pitch + n - 1] *= static_cast<T>(factors.last);
    }
}

bool is_working(sample_format format)
{
    return format == sample_format::cf32 || format == sample_format::f32 ||
           format == sample_format::cf64 || format == sample_format::f64;
}

// Lines that a pass loads and stores together.
std::size_t
bundle_for(std::size_t n, std::size_t group, std::size_t point_bytes, bool is_strided)
{
    if (!is_strided)
        return std::max(POINTS_PER_GROUP / n / group, std::size_t(1)) * group;
    std::size_t lines = BYTES_SIDE_BY_SIDE / point_bytes;
    if (lines * n * point_bytes > BYTES_PER_BUNDLE)
        lines /= 2;
    return std::max(lines / group, std::size_t(1)) * group;
}

bool are_equidistant(const std::vector<std::size_t>& places, std::size_t count)
{
    for (std::size_t g = 2; g < count; ++g)
        if (places[g] - places[g - 1] != places[1] - places[0])
            return false;
    return true;
}

} // namespace

template <class T>
line_plans<T>::line_plans(transform_kind kind,
                          direction dir,
                          std::size_t n,
                          std::size_t most)
    : group(most)
{
    if (cosine_lines<T>::takes(kind, n)) {
        cosine = std::make_unique<cosine_lines<T>>(kind, n);
        return;
    }
    fftw = std::make_unique<fftw_groups<T>>(kind, dir, n, group);
    group = fftw->group();
}

template <class T>
line_plans<T>::line_plans(const problem& what)
    : group(1),
      zoom(std::make_unique<chirp_lines<T>>(what))
{
}

template <class T>
axis_pass<T>::axis_pass(const pass_steps& steps,
                        std::shared_ptr<const line_plans<T>> plans)
    : d_steps(steps),
      d_plans(std::move(plans)),
      d_source_parts(steps.source.as_complex ? 2 : 1),
      d_target_parts(steps.target.is_complex ? 2 : 1)
{
    const line_source& source = steps.source;
    const line_target& target = steps.target;
    d_loads_directly = is_working(source.format) &&
                       source.as_complex == is_complex(source.format) &&
                       source.stride == 1 && source.rotation == 0 && !steps.has_window &&
                       steps.bank == nullptr && point_factors(steps).is_one();
    d_stores_directly = target.format == number_format::working && target.stride == 1 &&
                        target.rotation == 0 && target.map == nullptr;
    const bool is_strided = source.stride > 1 || target.stride > 1;
    d_group = is_strided && steps.n >= LONG_LINE ? 1 : d_plans->group;
    d_bundle = bundle_for(steps.n,
                          d_group,
                          std::min(d_source_parts, d_target_parts) * sizeof(T),
                          is_strided);
    const auto pitch_of = [&](std::size_t n) {
        return d_group > 1 ? n : (n / POINTS_PER_PITCH / 2 * 2 + 3) * POINTS_PER_PITCH;
    };
    d_source_pitch = pitch_of(source.n);
    d_target_pitch = pitch_of(target.n);
}

template <class T>
std::size_t axis_pass<T>::lines_per_task() const
{
    const std::size_t lines = (POINTS_PER_TASK + d_steps.n - 1) / d_steps.n;
    return (lines + d_bundle - 1) / d_bundle * d_bundle;
}

template <class T>
void axis_pass<T>::run(const frames_in_memory& data,
                       std::size_t first,
                       std::size_t last,
                       const T* taps,
                       T scale,
                       pass_scratch<T>& scratch) const
{
    if (scratch.source_places.size() < d_bundle) {
        scratch.source_places.resize(d_bundle);
        scratch.target_places.resize(d_bundle);
        scratch.tap_places.resize(d_bundle);
    }
    while (first < last)
        first += run_bundle(data, first, last - first, taps, scale, scratch);
}

template <class T>
std::size_t axis_pass<T>::lines_of_bundle(std::size_t left) const
{
    if (left >= d_group)
        return std::min(left / d_group * d_group, d_bundle);
    return d_plans->fftw ? d_plans->fftw->together(left) : 1;
}

// Whether FFTW reads and writes a whole group for these lines.
template <class T>
bool axis_pass<T>::pads(std::size_t count) const
{
    return d_group > 1 && d_plans->fftw && d_plans->fftw->pads(count);
}

// Runs at most `count` lines; returns how many.
template <class T>
std::size_t axis_pass<T>::run_bundle(const frames_in_memory& data,
                                     std::size_t first,
                                     std::size_t count,
                                     const T* taps,
                                     T scale,
                                     pass_scratch<T>& scratch) const
{
    count = lines_of_bundle(count);
    d_steps.source_places.find(first, count, data.hop, scratch.source_places.data());
    d_steps.target_places.find(first, count, data.distance, scratch.target_places.data());
    if (d_steps.has_window && lines_per_frame() > 1) // else all places are 0
        d_steps.tap_places.find(first, count, 0, scratch.tap_places.data());

    const lines_in_memory<const T> points = load(data, first, count, taps, scratch);
    lines_in_memory<T> bins;
    if (d_stores_directly && !pads(count))
        bins = direct_lines(static_cast<T*>(data.bins),
                            scratch.target_places,
                            count,
                            d_steps.target.n,
                            d_target_parts);
    const bool stores_directly = bins.first != nullptr;
    if (!stores_directly)
        bins = { room_for(d_bundle * d_target_pitch * d_target_parts, scratch.bins),
                 d_target_pitch };
    transform(points, bins, count, scratch);
    multiply_ends(bin_factors(d_steps), bins.first, d_steps.target.n, bins.pitch, count);
    if (!stores_directly || scale != 1)
        store_lines<T>(d_steps.target,
                       bins.first,
                       bins.pitch,
                       scale,
                       data.bins,
                       scratch.target_places.data(),
                       count);
    return count;
}

// The lines in the data's own memory, if FFTW can work there.
template <class T>
template <class Value>
lines_in_memory<Value> axis_pass<T>::direct_lines(Value* memory,
                                                  const std::vector<std::size_t>& places,
                                                  std::size_t count,
                                                  std::size_t n,
                                                  std::size_t parts) const
{
    Value* first = memory + places[0] * parts;
    const std::size_t pitch = count > 1 ? places[1] - places[0] : n;
    const bool fits =
        (lines_per_frame() == 1 || are_equidistant(places, count)) &&
        pitch <= MOST_DISTANT && (d_group == 1 || pitch == n) &&
        fftw_lines<T>::is_aligned(first) &&
        (d_group > 1 || count == 1 || fftw_lines<T>::is_aligned(first + pitch * parts));
    return fits ? lines_in_memory<Value>{ first, pitch } : lines_in_memory<Value>{};
}

// Returns the lines where FFTW can read them: in place, or loaded into scratch.
template <class T>
lines_in_memory<const T> axis_pass<T>::load(const frames_in_memory& data,
                                            std::size_t first,
                                            std::size_t count,
                                            const T* taps,
                                            pass_scratch<T>& scratch) const
{
    if (d_loads_directly && data.samples != data.bins && !pads(count)) {
        const auto lines = direct_lines(static_cast<const T*>(data.samples),
                                        scratch.source_places,
                                        count,
                                        d_steps.source.n,
                                        d_source_parts);
        if (lines.first != nullptr)
            return lines;
    }
    T* points = room_for(d_bundle * d_source_pitch * d_source_parts, scratch.points);
    if (d_steps.bank != nullptr)
        d_steps.bank->load(data.samples,
                           first,
                           count,
                           data.hop,
                           data.position,
                           reinterpret_cast<float*>(room_for(
                               d_steps.bank->room(d_bundle, data.hop), scratch.room)),
                           reinterpret_cast<float*>(points),
                           d_source_pitch);
    else
        load_lines<T>(d_steps.source,
                      data.samples,
                      scratch.source_places.data(),
                      count,
                      { d_steps.has_window ? taps : nullptr,
                        d_steps.tap_places.stride(),
                        scratch.tap_places.data() },
                      points,
                      d_source_pitch);
    if (pads(count))
        std::fill(points + count * d_source_pitch * d_source_parts,
                  points + d_group * d_source_pitch * d_source_parts,
                  T(0));
    multiply_ends(
        point_factors(d_steps), points, d_steps.source.n, d_source_pitch, count);
    return { points, d_source_pitch };
}

template <class T>
void axis_pass<T>::transform(const lines_in_memory<const T>& points,
                             const lines_in_memory<T>& bins,
                             std::size_t count,
                             pass_scratch<T>& scratch) const
{
    const std::size_t source_step = points.pitch * d_source_parts;
    const std::size_t target_step = bins.pitch * d_target_parts;
    const auto execute_each = [&](const auto& lines) {
        T* room = room_for(lines.room(), scratch.room);
        for (std::size_t g = 0; g < count; ++g)
            lines.execute(
                points.first + g * source_step, bins.first + g * target_step, room);
    };
    if (d_plans->cosine)
        return execute_each(*d_plans->cosine);
    if (d_plans->zoom)
        return execute_each(*d_plans->zoom);
    const fftw_groups<T>& plan = *d_plans->fftw;
    const std::size_t lines = std::min(count, d_group);
    for (std::size_t g = 0; g < count; g += lines) {
        const T* const from = points.first + g * source_step;
        T* const to = bins.first + g * target_step;
        if (d_group == 1)
            plan.single().execute(from, to);
        else
            plan.execute(from, to, lines);
    }
}

template struct line_plans<float>;
template struct line_plans<double>;
template class axis_pass<float>;
template class axis_pass<double>;

} // namespace gpufft
} // namespace gr
