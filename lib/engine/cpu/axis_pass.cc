// SPDX-License-Identifier: GPL-3.0-or-later
//
// How lines are bundled, and the factors that make a dct or dst orthogonal.

#include "axis_pass.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// See frame_transform.cc.
constexpr std::size_t MOST_LINES_PER_GROUP = 16;
constexpr std::size_t POINTS_PER_GROUP = 1024;
constexpr std::size_t LINES_ALIGNED =
    4; // after so many of any length FFTW's alignment recurs
constexpr std::size_t POINTS_PER_TASK = 4096;

// Lines that lie side by side are read in pieces of two cache lines, as long as they fit
// the L2 cache twice, else of one.
constexpr std::size_t BYTES_SIDE_BY_SIDE = 128;
constexpr std::size_t BYTES_PER_BUNDLE = std::size_t(1) << 18;

// Between single lines in scratch: keeps FFTW's alignment, and lines of 2^k points out of
// each other's way in the cache.
constexpr std::size_t POINTS_PER_PITCH = 8;

// From this length on FFTW gains nothing by taking lines in groups.
constexpr std::size_t LONG_LINE = 64;

// Factors on the ends of a line that make the matrix orthogonal.
struct end_factors {
    double first = 1, last = 1;
    bool is_one() const { return first == 1 && last == 1; }
};

end_factors point_factors(const pass_steps& steps)
{
    const double root = std::sqrt(2.0);
    if (!steps.orthogonal)
        return {};
    switch (steps.kind) {
    case transform_kind::dct1:
        return { root, root };
    case transform_kind::dct3:
        return { root, 1 };
    case transform_kind::dst3:
        return { 1, root };
    default:
        return {};
    }
}

end_factors bin_factors(const pass_steps& steps)
{
    const double root = std::sqrt(0.5);
    if (!steps.orthogonal)
        return {};
    switch (steps.kind) {
    case transform_kind::dct1:
        return { root, root };
    case transform_kind::dct2:
        return { root, 1 };
    case transform_kind::dst2:
        return { 1, root };
    default:
        return {};
    }
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

bool is_complex(sample_format format)
{
    return format == sample_format::cf32 || format == sample_format::cf64;
}

std::size_t group_for(std::size_t n, std::size_t lines)
{
    const std::size_t group =
        std::clamp(POINTS_PER_GROUP / n, std::size_t(1), MOST_LINES_PER_GROUP);
    const std::size_t aligned = std::min(group, lines) / LINES_ALIGNED * LINES_ALIGNED;
    return std::max(aligned, std::size_t(1));
}

// Lines that a pass loads and stores together.
std::size_t
bundle_for(std::size_t n, std::size_t group, std::size_t point_bytes, bool is_strided)
{
    if (!is_strided)
        return group;
    std::size_t lines = BYTES_SIDE_BY_SIDE / point_bytes;
    if (lines * n * point_bytes > BYTES_PER_BUNDLE)
        lines /= 2;
    return std::max(lines / group, std::size_t(1)) * group;
}

// Grown at the first use: most passes need none.
template <class T>
T* room_for(std::size_t size, aligned_buffer<T>& buffer)
{
    if (buffer.size() < size)
        buffer = aligned_buffer<T>(size);
    return buffer.data();
}

bool are_equidistant(const std::vector<std::size_t>& places,
                     std::size_t count,
                     std::size_t distance)
{
    for (std::size_t g = 1; g < count; ++g)
        if (places[g] - places[g - 1] != distance)
            return false;
    return true;
}

} // namespace

template <class T>
line_plans<T>::line_plans(transform_kind kind,
                          direction dir,
                          std::size_t n,
                          std::size_t lines)
    : group(group_for(n, lines))
{
    if (cosine_lines<T>::takes(kind, n)) {
        cosine = std::make_unique<cosine_lines<T>>(kind, n);
        return;
    }
    single = std::make_unique<fftw_lines<T>>(kind, dir, n, 1);
    if (group > 1)
        grouped = std::make_unique<fftw_lines<T>>(kind, dir, n, group);
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
                       point_factors(steps).is_one();
    d_stores_directly = target.format == number_format::working && target.stride == 1 &&
                        target.rotation == 0;
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
    scratch.source_places.resize(d_bundle);
    scratch.target_places.resize(d_bundle);
    scratch.tap_places.resize(d_bundle);
    while (first < last)
        first += run_bundle(data, first, last - first, taps, scale, scratch);
}

// Of at most `count` lines; returns how many.
template <class T>
std::size_t axis_pass<T>::run_bundle(const frames_in_memory& data,
                                     std::size_t first,
                                     std::size_t count,
                                     const T* taps,
                                     T scale,
                                     pass_scratch<T>& scratch) const
{
    const std::size_t group = d_group;
    count = count < group ? 1 : std::min(count / group * group, d_bundle);
    d_steps.source_places.find(first, count, data.hop, scratch.source_places.data());
    d_steps.target_places.find(first, count, data.distance, scratch.target_places.data());
    if (d_steps.has_window)
        d_steps.tap_places.find(first, count, 0, scratch.tap_places.data());

    T* target = static_cast<T*>(data.bins) + d_target_parts * scratch.target_places[0];
    const bool stores_directly =
        d_stores_directly && fftw_lines<T>::is_aligned(target) &&
        are_equidistant(scratch.target_places, count, d_target_pitch);
    const void* points = load(data, count, taps, scratch);
    T* bins = stores_directly
                  ? target
                  : room_for(d_bundle * d_target_pitch * d_target_parts, scratch.bins);
    transform(points, bins, count, scratch);
    multiply_ends(bin_factors(d_steps), bins, d_steps.target.n, d_target_pitch, count);
    if (!stores_directly || scale != 1)
        store_lines<T>(d_steps.target,
                       bins,
                       d_target_pitch,
                       scale,
                       data.bins,
                       scratch.target_places.data(),
                       count);
    return count;
}

// The lines where FFTW can read them.
template <class T>
const void* axis_pass<T>::load(const frames_in_memory& data,
                               std::size_t count,
                               const T* taps,
                               pass_scratch<T>& scratch) const
{
    if (d_loads_directly && data.samples != data.bins) {
        const T* source = static_cast<const T*>(data.samples) +
                          d_source_parts * scratch.source_places[0];
        if (fftw_lines<T>::is_aligned(source) &&
            are_equidistant(scratch.source_places, count, d_source_pitch))
            return source;
    }
    T* points = room_for(d_bundle * d_source_pitch * d_source_parts, scratch.points);
    load_lines<T>(d_steps.source,
                  data.samples,
                  scratch.source_places.data(),
                  count,
                  points,
                  d_source_pitch);
    if (d_steps.has_window)
        multiply_lines<T>(d_steps.source,
                          taps,
                          d_steps.tap_places.stride(),
                          scratch.tap_places.data(),
                          count,
                          points,
                          d_source_pitch);
    multiply_ends(
        point_factors(d_steps), points, d_steps.source.n, d_source_pitch, count);
    return points;
}

template <class T>
void axis_pass<T>::transform(const void* points,
                             void* bins,
                             std::size_t count,
                             pass_scratch<T>& scratch) const
{
    const T* source = static_cast<const T*>(points);
    T* target = static_cast<T*>(bins);
    if (const cosine_lines<T>* cosine = d_plans->cosine.get()) {
        T* room = room_for(cosine->room(), scratch.cosine_room);
        for (std::size_t g = 0; g < count; ++g)
            cosine->execute(
                source + g * d_source_pitch, target + g * d_target_pitch, room);
        return;
    }
    const std::size_t group = d_group;
    const bool is_grouped = count >= group && group > 1;
    const std::size_t step = is_grouped ? group : 1;
    const fftw_lines<T>& plan = is_grouped ? *d_plans->grouped : *d_plans->single;
    for (std::size_t g = 0; g < count; g += step)
        plan.execute(source + g * d_source_pitch * d_source_parts,
                     target + g * d_target_pitch * d_target_parts);
}

template struct line_plans<float>;
template struct line_plans<double>;
template class axis_pass<float>;
template class axis_pass<double>;

} // namespace gpufft
} // namespace gr
