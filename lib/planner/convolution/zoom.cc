// SPDX-License-Identifier: GPL-3.0-or-later
//
// The convolution with the chirp of zoom_chirp.h, of N + B - 1 points or a few more, by
// kernels/convolution/zoom.cuh: in one kernel if a block holds a frame and its bins, else
// through global memory (bluestein_levels.cc).

#include "zoom.h"
#include "bluestein_levels.h"
#include "convolution_cost.h"
#include "convolution_levels.h"
#include "planner/number_theory.h"
#include "zoom_chirp.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

constexpr const char *NAME = "zoom", *HEADER = "convolution/zoom.cuh";
constexpr std::size_t LONGEST = std::size_t(1) << 28; // samples and bins together
constexpr std::size_t CANDIDATES = 14;
constexpr std::size_t MAX_OF_LENGTH = 4;
constexpr int MAX_PRIME = 13;           // of the convolution's length
constexpr double MAX_STRETCH = 1.3;     // the convolution's length, divided by the least
constexpr std::size_t MAX_LENGTHS = 24; // lengths to try
constexpr int MAX_FRAMES = 8;           // in a block; each is read by threads of its own
constexpr std::size_t BARRIER_BYTES = 16;
constexpr convolution_work WORK = { 2, 0, 26, 0, 1.0 };

// A padded grid takes up to 17 elements for 16 points, and the next length without large
// primes may be 1.1 times the least.
std::size_t most_points(const problem& what, const device_traits& card)
{
    return (card.shared_bytes - BARRIER_BYTES) / 19 * 16 / point_bytes(what);
}

std::size_t points_of(const problem& what) { return what.n + what.row_bins() - 1; }

bool takes(const problem& what)
{
    return what.kind == transform_kind::zoom && what.input_strides.empty() &&
           what.has_plain_rows();
}

bool fits_block(const problem& what, const device_traits& card)
{
    return points_of(what) <= most_points(what, card);
}

std::string obstacle(const problem& what, const device_traits&)
{
    if (points_of(what) < LONGEST)
        return "";
    return "FFT size and bins are together " + std::to_string(points_of(what) + 1) +
           ", but must be at most " + std::to_string(LONGEST);
}

convolution_use use_of(const problem& what)
{
    convolution_use use;
    use.samples = int(std::max(what.n, what.row_bins()));
    use.linear = true;
    use.apart = true;
    use.most_frames = MAX_FRAMES;
    return use;
}

std::size_t zoom_shared_bytes(const convolution_shape& shape)
{
    return BARRIER_BYTES + shape.shared_bytes();
}

std::vector<recipe> candidates(const problem& what, const device_traits& card)
{
    if (!fits_block(what, card))
        return bluestein_levels_candidates(NAME, what, points_of(what), card);
    const convolution_use use = use_of(what);
    const std::uint64_t least = std::max<std::uint64_t>(4, points_of(what));
    std::vector<std::pair<double, recipe>> found;
    std::uint64_t length = least;
    for (std::size_t i = 0; i < MAX_LENGTHS; ++i, ++length) {
        length = next_smooth(length, MAX_PRIME);
        if (i > 3 && double(length) > MAX_STRETCH * double(least))
            break;
        for (const block_shape& shape :
             convolution_candidates(int(length), what, use, WORK, card, MAX_OF_LENGTH)) {
            const recipe how = {
                NAME, what.n, { stockham_shape(shape) }, convolution_fields()
            };
            const std::size_t bytes =
                most_elements(shape.n, use) * point_bytes(what) * shape.transforms;
            found.emplace_back(convolution_cost(shape, what, WORK, 1.0, bytes, card),
                               how);
        }
    }
    return best_recipes(std::move(found), CANDIDATES);
}

double cost(const problem& what, const recipe& how, const device_traits& card)
{
    if (how.shapes.size() > 1)
        return bluestein_levels_cost(what, how, card);
    const convolution_shape shape = make_convolution(how.shape(), use_of(what));
    return convolution_cost(
        how.shape(), what, WORK, shape.conflicts, zoom_shared_bytes(shape), card);
}

// c[m], m < P, then the carrier.
template <class T>
std::vector<std::complex<T>> chirp_table(const problem& what)
{
    std::vector<std::complex<T>> table;
    for (const auto& value : zoom_chirp(what, std::max(what.n, what.row_bins())))
        table.emplace_back(value);
    for (const auto& value : zoom_carrier(what))
        table.emplace_back(value);
    return table;
}

// conj(c[k - m]), at k - m = -(n-1) ... bins-1 of a cyclic convolution.
template <class T>
std::vector<std::complex<T>> filter_of(const problem& what,
                                       const std::vector<std::complex<T>>& chirp,
                                       std::size_t length)
{
    std::vector<std::complex<T>> filter(length);
    for (std::size_t k = 0; k < what.row_bins(); ++k)
        filter[k] = std::conj(chirp[k]);
    for (std::size_t m = 1; m < what.n; ++m)
        filter[length - m] = std::conj(chirp[m]);
    return filter;
}

std::string zoom_load_text(const problem& what)
{
    return text_of("zoom_load", what.n, load_text(what));
}

std::string zoom_store_text(const problem& what)
{
    return text_of("zoom_store", what.row_bins(), store_text(what));
}

template <class T>
program build_in_block(const problem& what,
                       const recipe& how,
                       const std::vector<std::complex<T>>& chirp)
{
    const convolution_use use = use_of(what);
    const convolution_shape shape = make_convolution(how.shape(), use);
    program made;
    launch_step step;
    step.kernel = block_kernel(shape,
                               list_of(shape.to_text(), use.samples),
                               zoom_shared_bytes(shape),
                               HEADER,
                               "bluestein_whole_kernel",
                               zoom_load_text(what),
                               zoom_store_text(what));
    step.kernel.further = list_of(false);
    step.twiddles = made.add(convolution_twiddles<T>(shape.radices, true));
    step.chirp = made.add(chirp);
    step.spectrum = made.add(convolution_spectrum(
        shape.radices, true, filter_of(what, chirp, shape.n), 1 / T(shape.n)));
    made.steps.push_back(step);
    return made;
}

template <class T>
program build_in(const problem& what, const recipe& how)
{
    const std::vector<std::complex<T>> chirp = chirp_table<T>(what);
    if (how.shapes.size() == 1)
        return build_in_block(what, how, chirp);
    return bluestein_levels_program(
        how,
        levels_ends<T>{ HEADER,
                        zoom_load_text(what),
                        zoom_store_text(what),
                        std::max(what.n, what.row_bins()),
                        chirp,
                        filter_of(what, chirp, convolution_length(how)) });
}

program build(const problem& what, const recipe& how)
{
    return what.is_double() ? build_in<long double>(what, how)
                            : build_in<double>(what, how);
}

} // namespace

algorithm zoom_algorithm()
{
    algorithm zoom = { NAME, obstacle, candidates, cost, build };
    zoom.takes = takes;
    zoom.fields = convolution_fields();
    return zoom;
}

} // namespace gpufft
} // namespace gr
