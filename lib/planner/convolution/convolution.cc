// SPDX-License-Identifier: GPL-3.0-or-later
//
// Index maps and tables of kernels/convolution/convolution.cuh, and the layout of its
// grid.

#include "convolution.h"
#include "planner/number_theory.h"
#include "planner/plain_fft.h"
#include "planner/roots_of_unity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

constexpr int HALF_WARP = 16;
constexpr int SAMPLED_THREADS = 4 * HALF_WARP;
constexpr std::size_t MAX_SAMPLED_ACCESSES = 12; // to samples in natural order

int product(const std::vector<int>& radices, std::size_t begin, std::size_t end)
{
    int result = 1;
    for (std::size_t p = begin; p < end; ++p)
        result *= radices[p];
    return result;
}

// Mean cycles of one access by the lanes that are served together, which have 128 bytes
// of points. Butterfly b accesses element(b); the frames lie `stride` apart.
template <class Element>
double cycles(const convolution_shape& shape,
              int stride,
              int butterflies,
              const Element& element)
{
    const int lanes = 128 / shape.point_bytes();
    const int threads = std::min(shape.block_threads(), SAMPLED_THREADS);
    int total = 0, b = 0, frame = 0;
    for (int first = 0; first < threads; first += lanes) {
        std::array<int, HALF_WARP> banks = {};
        const int end = std::min(first + lanes, threads);
        int most = 1;
        for (int t = first; t < end && b < butterflies;) {
            const int at = element(b);
            for (; frame < shape.transforms && t < end; ++frame, ++t)
                most = std::max(most, ++banks[(frame * stride + at) & (lanes - 1)]);
            if (frame == shape.transforms) {
                frame = 0;
                ++b;
            }
        }
        total += most;
    }
    return double(total) / divide_up(threads, lanes);
}

// The butterflies of an axis that are counted: where the first point of each lies along
// every axis.
struct sampled_axis {
    double accesses; // to each point
    std::vector<int> places;
};

// Those of one transform of the grid in either direction; each point counts `share`.
void sample_axes(const convolution_shape& shape,
                 double share,
                 std::vector<sampled_axis>& sampled)
{
    const std::size_t axes = shape.radices.size();
    for (std::size_t p = 0; p < axes; ++p) {
        const int butterflies = std::min(shape.n / shape.radices[p], SAMPLED_THREADS);
        sampled.push_back({ share * (p == 0 || p + 1 == axes ? 1 : 2), {} });
        std::vector<int>& places = sampled.back().places;
        places.assign(butterflies * axes, 0);
        for (int b = 0; b < butterflies; ++b)
            for (std::size_t q = axes, i = b; q-- > 0;)
                if (q != p) {
                    places[b * axes + q] = int(i % shape.radices[q]);
                    i /= shape.radices[q];
                }
    }
}

// All accesses to the grid that are counted, in any layout.
std::vector<sampled_axis> sampled_axes(const convolution_shape& shape,
                                       const convolution_use& use)
{
    std::vector<sampled_axis> sampled;
    const int fold = fold_of(shape.radices, use.decimation);
    sample_axes(shape, fold == 1 ? 2 : 1, sampled);
    if (fold > 1)
        sample_axes(shape.folded(fold), 1.0 / fold, sampled);
    return sampled;
}

// Mean cycles over all accesses to shared memory.
double all_cycles(const convolution_shape& shape,
                  const convolution_use& use,
                  const std::vector<sampled_axis>& sampled)
{
    double sum = 0, weight = 0;
    const std::size_t axes = shape.radices.size();
    for (const sampled_axis& axis : sampled) {
        const int butterflies = int(axis.places.size() / axes);
        sum += axis.accesses * cycles(shape, shape.stride, butterflies, [&](int b) {
                   const int* places = &axis.places[b * axes];
                   return std::inner_product(
                       places, places + axes, shape.strides.begin(), 0);
               });
        weight += axis.accesses;
    }
    const int count = shape.n / shape.radices[0];
    const int stride = use.apart ? use.samples : shape.stride;
    if (use.order.empty()) {
        sum += 2 * cycles(shape, stride, count, [](int b) { return b; });
        weight += 2;
    }
    const std::size_t accesses = use.order.size() / count;
    const std::size_t every = accesses / MAX_SAMPLED_ACCESSES + 1;
    for (std::size_t i = 0; i < accesses; i += every) {
        const double share = 2.0 * double(every) / double(accesses);
        sum += share * cycles(shape, stride, count, [&](int b) {
                   return use.order[i * count + b];
               });
        weight += share;
    }
    return sum / weight;
}

// Cost of a layout's memory, which other blocks cannot have.
double cost_of_memory(const convolution_shape& shape, const convolution_use& use)
{
    const int least = use.apart ? shape.n : use.samples + shape.n;
    if (shape.stride > most_elements(shape.n, use))
        return std::numeric_limits<double>::infinity();
    return double(shape.stride - least) / least;
}

// Sets the strides: pads[p] elements follow each point of axis p, the last ones the
// frame.
void lay_out(convolution_shape& shape,
             const convolution_use& use,
             const std::vector<int>& pads)
{
    const std::size_t axes = shape.radices.size();
    shape.strides.assign(axes, 1);
    for (std::size_t p = axes - 1; p-- > 0;)
        shape.strides[p] = shape.strides[p + 1] * shape.radices[p + 1] + pads[p];
    shape.work = use.apart ? 0 : use.samples;
    shape.stride = shape.work + 1 + pads[axes - 1];
    for (std::size_t p = 0; p < axes; ++p)
        shape.stride += (shape.radices[p] - 1) * shape.strides[p];
}

// All ordered lists of at most `axes` radices whose product is n.
void split(int n,
           int axes,
           std::vector<int>& so_far,
           std::vector<std::vector<int>>& found)
{
    if (n == 1) {
        if (!so_far.empty())
            found.push_back(so_far);
        return;
    }
    if (axes == 0 || std::pow(double(MAX_AXIS), axes) < n)
        return;
    for (int radix = 2; radix <= std::min(n, MAX_AXIS); ++radix) {
        if (n % radix != 0)
            continue;
        so_far.push_back(radix);
        split(n / radix, axes - 1, so_far, found);
        so_far.pop_back();
    }
}

} // namespace

int fold_of(const std::vector<int>& radices, std::size_t decimation)
{
    return int(std::gcd(std::size_t(radices.back()), decimation));
}

std::vector<int> folded_radices(std::vector<int> radices, int fold)
{
    radices.back() /= fold;
    return radices;
}

int most_elements(int length, const convolution_use& use)
{
    const int grid = length + length / 16 + HALF_WARP;
    return use.apart ? use.beside + std::max(use.samples, grid) : use.samples + grid;
}

convolution_shape convolution_shape::folded(int fold) const
{
    convolution_shape left = *this;
    left.n /= fold;
    left.radices = folded_radices(radices, fold);
    left.twiddled = twiddled_axes(left.radices, true);
    return left;
}

int convolution_shape::points_from(std::size_t axis) const
{
    return product(radices, axis, radices.size());
}

std::string convolution_shape::to_text() const
{
    std::string axes;
    for (std::size_t p = 0; p < radices.size(); ++p)
        add_argument(axes, text_of("axis", radices[p], strides[p], bool(twiddled[p])));
    return text_of(
        "convolution_shape", n, threads, transforms, blocks, stride, work, axes);
}

convolution_shape make_convolution(const block_shape& from, const convolution_use& use)
{
    constexpr int MAX_PAD = HALF_WARP;
    convolution_shape shape;
    static_cast<block_shape&>(shape) = from;
    shape.twiddled = twiddled_axes(from.radices, use.linear);
    std::vector<int> pads(from.radices.size(), 0);
    lay_out(shape, use, pads);
    const std::vector<sampled_axis> sampled = sampled_axes(shape, use);
    double least = cost_of_memory(shape, use) + all_cycles(shape, use, sampled);
    for (int sweep = 0; sweep < 2; ++sweep) { // improves one padding after the other
        for (std::size_t p = pads.size(); p-- > 0;) {
            if (p + 1 == pads.size() && shape.transforms == 1)
                continue;
            int best = pads[p];
            for (int pad = 0; pad < MAX_PAD; ++pad) {
                pads[p] = pad;
                lay_out(shape, use, pads);
                const double memory = cost_of_memory(shape, use);
                if (memory + 1 >= least - 1e-6) // an access takes one cycle at least
                    break;
                const double here = memory + all_cycles(shape, use, sampled);
                if (here < least - 1e-6) {
                    least = here;
                    best = pad;
                }
            }
            pads[p] = best;
        }
    }
    lay_out(shape, use, pads);
    shape.conflicts = all_cycles(shape, use, sampled);
    return shape;
}

std::vector<std::vector<int>> axes_of(int length, bool linear)
{
    constexpr int MAX_AXES = 4, MIN_LENGTH_FOR_MORE = 512;
    const int more = linear && length >= MIN_LENGTH_FOR_MORE;
    std::vector<std::vector<int>> found;
    std::vector<int> so_far;
    for (int axes = 1; axes <= MAX_AXES && found.empty(); ++axes) {
        split(length, axes, so_far, found);
        if (!found.empty() && more > 0 && axes < MAX_AXES) {
            found.clear();
            split(length, axes + more, so_far, found);
        }
        if (linear) // which needs two axes
            found.erase(
                std::remove_if(found.begin(),
                               found.end(),
                               [](const auto& radices) { return radices.size() < 2; }),
                found.end());
    }
    return found;
}

problem forward_of(problem what)
{
    what.dir = direction::forward;
    return what;
}

std::vector<bool> twiddled_axes(const std::vector<int>& radices, bool linear)
{
    std::vector<bool> twiddled;
    for (std::size_t p = 0; p < radices.size(); ++p) {
        const int later = product(radices, p + 1, radices.size());
        twiddled.push_back(later > 1 && (linear || std::gcd(radices[p], later) > 1));
    }
    return twiddled;
}

std::vector<long> times_of_points(const std::vector<int>& radices, bool linear)
{
    const std::vector<bool> twiddled = twiddled_axes(radices, linear);
    std::vector<long> times = { 0 };
    for (std::size_t p = radices.size(); p-- > 0;) {
        const long r = radices[p], later = long(times.size());
        std::vector<long> here;
        for (long i = 0; i < r; ++i)
            for (long m = 0; m < later; ++m)
                here.push_back(twiddled[p] || later == 1
                                   ? i * later + times[m]
                                   : (i * later + r * times[m]) % (r * later));
        times = here;
    }
    return times;
}

std::vector<long> bins_of_points(const std::vector<int>& radices, bool linear)
{
    const std::vector<bool> twiddled = twiddled_axes(radices, linear);
    std::vector<long> bins = { 0 };
    for (std::size_t p = radices.size(); p-- > 0;) {
        const long r = radices[p], later = long(bins.size());
        const long first = later * long(inverse_mod(later, r)); // 1 mod r, 0 mod later
        const long second = r * long(inverse_mod(r, later));    // 0 mod r, 1 mod later
        std::vector<long> here;
        for (long k = 0; k < r; ++k)
            for (long m = 0; m < later; ++m)
                here.push_back(twiddled[p] || later == 1
                                   ? k + r * bins[m]
                                   : (k * first + bins[m] * second) % (r * later));
        bins = here;
    }
    return bins;
}

template <class T>
std::vector<std::complex<T>>
convolution_twiddles(const std::vector<int>& radices, bool linear, int fold)
{
    const std::vector<bool> twiddled = twiddled_axes(radices, linear);
    std::vector<std::complex<T>> twiddles;
    for (std::size_t p = 0; p < radices.size(); ++p) {
        if (!twiddled[p])
            continue;
        const std::vector<int> later(radices.begin() + p + 1, radices.end());
        const std::vector<long> times = times_of_points(later, linear);
        const long n = radices[p] * long(times.size());
        const roots_of_unity<T> root(n);
        for (long k = 1; k < radices[p]; ++k)
            for (long time : times)
                twiddles.push_back(root(k * time));
    }
    if (fold > 1) {
        const auto inverse =
            convolution_twiddles<T>(folded_radices(radices, fold), linear);
        twiddles.insert(twiddles.end(), inverse.begin(), inverse.end());
    }
    return twiddles;
}

template <class T>
std::vector<std::complex<T>>
convolution_spectrum(const std::vector<int>& radices,
                     bool linear,
                     const std::vector<std::complex<T>>& filter,
                     T scale)
{
    const std::vector<std::complex<T>> spectrum = plain_fft(filter);
    const std::vector<long> bins = bins_of_points(radices, linear);
    const std::size_t radix = radices.back(), butterflies = filter.size() / radix;
    std::vector<std::complex<T>> table(filter.size());
    for (std::size_t b = 0; b < butterflies; ++b)
        for (std::size_t k = 0; k < radix; ++k)
            table[k * butterflies + b] = spectrum[bins[b * radix + k]] * scale;
    return table;
}

template std::vector<std::complex<double>>
convolution_twiddles(const std::vector<int>&, bool, int);
template std::vector<std::complex<long double>>
convolution_twiddles(const std::vector<int>&, bool, int);
template std::vector<std::complex<double>>
convolution_spectrum(const std::vector<int>&,
                     bool,
                     const std::vector<std::complex<double>>&,
                     double);
template std::vector<std::complex<long double>>
convolution_spectrum(const std::vector<int>&,
                     bool,
                     const std::vector<std::complex<long double>>&,
                     long double);

} // namespace gpufft
} // namespace gr
