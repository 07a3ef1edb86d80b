// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chooses the frames and transforms them.

#include "reference.h"
#include "engine/cpu/fftw_transform.h"
#include "random_data.h"
#include <cmath>
#include <cstring>
#include <fftw3.h>
#include <mutex>
#include <set>

namespace gr {
namespace gpufft {

namespace {

// Points in the frames of one problem together, unless the last one alone has more.
constexpr std::size_t SAMPLED_POINTS = std::size_t(1) << 20;

constexpr std::size_t FILTER_ROWS = 250; // values of a filter from each frame on

std::mutex planner_mutex; // FFTW plans in one thread at a time

// FFTW's functions in one precision.
template <class Real>
struct fftw;

#define GPUFFT_FFTW(REAL, PREFIX)                                                        \
    template <>                                                                          \
    struct fftw<REAL> {                                                                  \
        typedef PREFIX##_complex complex;                                                \
        static constexpr auto plan_dft = PREFIX##_plan_dft;                              \
        static constexpr auto plan_dft_r2c = PREFIX##_plan_dft_r2c;                      \
        static constexpr auto plan_dft_c2r = PREFIX##_plan_dft_c2r;                      \
        static constexpr auto plan_r2r = PREFIX##_plan_r2r;                              \
        static constexpr auto execute = PREFIX##_execute;                                \
        static constexpr auto destroy_plan = PREFIX##_destroy_plan;                      \
    };
GPUFFT_FFTW(double, fftw)
GPUFFT_FFTW(long double, fftwl)

// The plan from numbers to numbers, which may be the same.
template <class Real>
auto make_plan(const problem& what, Real* from, Real* to)
{
    typedef fftw<Real> library;
    typedef typename library::complex complex;
    std::vector<int> lengths;
    for (std::size_t length : what.axes())
        lengths.push_back(static_cast<int>(length));
    const int rank = static_cast<int>(lengths.size());
    const std::vector<fftw_r2r_kind> kinds(
        rank, what.is_real_to_real() ? r2r_kind(what.kind) : FFTW_R2HC);
    auto* complex_from = reinterpret_cast<complex*>(from);
    auto* complex_to = reinterpret_cast<complex*>(to);
    const int sign = what.dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
    switch (what.kind) {
    case transform_kind::c2c:
        return library::plan_dft(
            rank, lengths.data(), complex_from, complex_to, sign, FFTW_ESTIMATE);
    case transform_kind::r2c:
        return library::plan_dft_r2c(
            rank, lengths.data(), from, complex_to, FFTW_ESTIMATE);
    case transform_kind::c2r:
        return library::plan_dft_c2r(
            rank, lengths.data(), complex_from, to, FFTW_ESTIMATE);
    default:
        return library::plan_r2r(
            rank, lengths.data(), from, to, kinds.data(), FFTW_ESTIMATE);
    }
}

std::size_t numbers_in_a_row(const problem& what)
{
    return what.row_bins() * (what.output == output_kind::real ? 1 : 2);
}

template <class Real>
std::vector<Real> transform(const problem& what, std::vector<Real> input)
{
    const bool is_in_place = what.kind == transform_kind::c2c || what.is_real_to_real();
    std::vector<Real> other(is_in_place ? 0 : numbers_in_a_row(what));
    std::vector<Real>& output = is_in_place ? input : other;
    std::unique_lock<std::mutex> lock(planner_mutex);
    const auto plan = make_plan(what, input.data(), output.data());
    lock.unlock();
    fftw<Real>::execute(plan);
    lock.lock();
    fftw<Real>::destroy_plan(plan);
    return std::move(output);
}

// Place of point number `point`, counted in C order, in an array with strides.
std::size_t place_of(std::size_t point,
                     const std::vector<std::size_t>& lengths,
                     const std::vector<std::size_t>& strides)
{
    if (strides.empty())
        return point;
    std::size_t place = 0;
    for (std::size_t axis = lengths.size(); axis-- > 0; point /= lengths[axis])
        place += point % lengths[axis] * strides[axis];
    return place;
}

std::vector<std::size_t> half_of(std::vector<std::size_t> lengths)
{
    lengths.back() = lengths.back() / 2 + 1;
    return lengths;
}

// Bins of a real signal: where the last axis' index is its own negative, 0 and, if that
// axis is even, its half, the bins at k and at -k are conjugate.
template <class Number>
void make_hermitian(const std::vector<std::size_t>& axes, std::vector<char>& samples)
{
    auto* bins = reinterpret_cast<Number(*)[2]>(samples.data());
    const std::size_t row = axes.back() / 2 + 1;
    const std::size_t rows = samples.size() / sizeof(*bins) / row;
    for (std::size_t k = 0; k < row; k += axes.back() % 2 == 0 ? row - 1 : row)
        for (std::size_t r = 0; r < rows; ++r) {
            std::size_t rest = r, mirrored = 0, weight = 1;
            for (std::size_t axis = axes.size() - 1; axis-- > 0; rest /= axes[axis]) {
                mirrored += (axes[axis] - rest % axes[axis]) % axes[axis] * weight;
                weight *= axes[axis];
            }
            Number* bin = bins[mirrored * row + k];
            bin[0] = bins[r * row + k][0];
            bin[1] = mirrored == r ? 0 : -bins[r * row + k][1];
        }
}

// The points of a polyphase bank, from the samples of a frame.
template <class Real>
std::vector<Real> points_of_bank(const problem& what,
                                 const std::vector<float>& taps,
                                 const std::vector<Real>& samples,
                                 std::size_t frame)
{
    const std::size_t position =
        what.running ? frame % what.n * (what.effective_hop() % what.n) : 0;
    std::vector<Real> points(2 * what.n);
    for (std::size_t i = 0; i < samples.size(); ++i)
        points[2 * ((i / 2 + position) % what.n) + i % 2] += samples[i] * taps[i / 2];
    return points;
}

// The samples of a synthesis' row, from its frame's bins; the oldest transform comes
// first.
template <class Real>
std::vector<Real> synthesized(const problem& what,
                              const std::vector<float>& taps,
                              const std::vector<Real>& bins,
                              std::size_t frame)
{
    problem inverse;
    inverse.n = what.n;
    inverse.dir = direction::inverse;
    const std::size_t samples = what.row_bins();
    const std::size_t position = (frame + what.taps - 1) % what.n * samples;
    std::vector<Real> row(2 * samples);
    for (std::size_t p = 0; p < what.taps; ++p) {
        const auto first = bins.begin() + 2 * (what.taps - 1 - p) * what.n;
        const std::vector<Real> points =
            transform(inverse, std::vector<Real>(first, first + 2 * what.n));
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] += taps[p * samples + i / 2] *
                      points[2 * ((position + i / 2) % what.n) + i % 2];
    }
    return row;
}

// `rows` rows of filters, from their samples on; running ones do not turn.
template <class Real>
std::vector<Real> filtered(const problem& what,
                           const std::vector<float>& taps,
                           const std::vector<Real>& samples,
                           std::size_t rows)
{
    const std::size_t in_a_tap = what.complex_taps ? 2 : 1;
    const std::size_t parts = is_complex(what.input) ? 2 : 1;
    std::vector<Real> values;
    for (std::size_t i = 0; i < rows * what.row_bins(); ++i) {
        const std::size_t row = i / what.row_bins();
        const float* const own =
            &taps[i % what.row_bins() * what.n * in_a_tap % taps.size()];
        const Real* last = &samples[parts * (row * what.effective_hop() + what.n - 1)];
        Real sums[2][2] = {}; // of the taps' parts with the samples'
        for (std::size_t m = 0; m < what.n; ++m, last -= parts)
            for (std::size_t t = 0; t < in_a_tap; ++t)
                for (std::size_t j = 0; j < parts; ++j)
                    sums[t][j] += Real(own[m * in_a_tap + t]) * last[j];
        values.push_back(sums[0][0] - sums[1][1]);
        if (parts == 2)
            values.push_back(sums[0][1] + sums[1][0]);
    }
    return values;
}

// Frame `frame` of the data and the next `rows` - 1, as they are stored.
std::vector<char>
frame_of_data(const problem& what, std::size_t frame, std::size_t rows = 1)
{
    const number_type type = input_type(what);
    const std::size_t in_a_sample = is_complex(what.input) ? 2 : 1;
    const std::size_t bytes = what.input_item_bytes();
    const std::size_t span = what.input_span() + (rows - 1) * what.effective_hop();
    std::vector<char> data(span * bytes);
    fill_random(data.data(),
                type,
                frame * what.effective_hop() * in_a_sample,
                span * in_a_sample);
    if (what.input_strides.empty())
        return data;
    const std::vector<std::size_t> lengths =
        what.kind == transform_kind::c2r ? half_of(what.axes()) : what.axes();
    std::vector<char> samples(what.frame_samples() * bytes);
    for (std::size_t m = 0; m < what.frame_samples(); ++m)
        std::memcpy(samples.data() + m * bytes,
                    data.data() + place_of(m, lengths, what.input_strides) * bytes,
                    bytes);
    return samples;
}

template <class Real>
std::vector<Real> expected_row(const problem& what,
                               const std::vector<char>& samples,
                               std::size_t frame,
                               std::size_t rows)
{
    const number_type type = input_type(what);
    const std::vector<double> numbers =
        read_numbers(samples.data(), type, samples.size() / bytes_of(type));
    if (what.kind == transform_kind::filter)
        return filtered(what,
                        window_of(what),
                        std::vector<Real>(numbers.begin(), numbers.end()),
                        rows);
    if (what.kind == transform_kind::synthesis)
        return synthesized(what,
                           window_of(what),
                           std::vector<Real>(numbers.begin(), numbers.end()),
                           frame);
    if (what.is_polyphase_bank()) {
        std::vector<Real> bins =
            transform(what,
                      points_of_bank(what,
                                     window_of(what),
                                     std::vector<Real>(numbers.begin(), numbers.end()),
                                     frame));
        bins.resize(numbers_in_a_row(what)); // picked ones are the first
        return bins;
    }
    if (what.kind != transform_kind::c2c || is_complex(what.input))
        return transform(what, std::vector<Real>(numbers.begin(), numbers.end()));
    std::vector<Real> complex(2 * numbers.size()); // c2c from real samples
    for (std::size_t m = 0; m < numbers.size(); ++m)
        complex[2 * m] = numbers[m];
    return transform(what, std::move(complex));
}

} // namespace

bool has_reference(const problem& what)
{
    const bool has_taps =
        what.kind == transform_kind::filter || what.kind == transform_kind::synthesis;
    const bool is_bank = what.is_polyphase_bank() && is_complex(what.input);
    const bool is_bare = what.window == (is_bank || has_taps) &&
                         what.is_polyphase_bank() == is_bank && !what.shift_input &&
                         !what.shift_output && !what.is_power() && !what.orthogonal &&
                         what.scale == 1.0 && what.kind != transform_kind::zoom;
    const bool can_be_hermitian =
        what.effective_hop() == what.frame_samples() && what.input_strides.empty() &&
        (what.input == sample_format::cf32 || what.input == sample_format::cf64);
    return is_bare && (what.kind != transform_kind::c2r || can_be_hermitian);
}

std::vector<float> window_of(const problem& what)
{
    std::vector<float> taps(what.window ? what.window_numbers() : 0);
    fill_random(taps.data(), number_type::f32, 0, taps.size());
    return taps;
}

reference::reference(const problem& what)
{
    if (what.kind == transform_kind::filter)
        d_rows = std::min(FILTER_ROWS, what.batch);
    std::set<std::size_t> frames = { what.batch - d_rows };
    for (std::size_t frame : { std::size_t(0), what.batch / 2, what.batch / 3 })
        if ((frames.size() + 1) * what.n <= SAMPLED_POINTS)
            frames.insert(std::min(frame, what.batch - d_rows));
    d_frames.assign(frames.begin(), frames.end());
    if (what.is_double())
        d_expected = results<long double>();
    for (std::size_t frame : d_frames) {
        std::vector<char> samples = frame_of_data(what, frame, d_rows);
        const bool is_changed = what.kind == transform_kind::c2r;
        if (is_changed && what.is_double())
            make_hermitian<double>(what.axes(), samples);
        else if (is_changed)
            make_hermitian<float>(what.axes(), samples);
        if (what.is_double())
            std::get<results<long double>>(d_expected)
                .push_back(expected_row<long double>(what, samples, frame, d_rows));
        else
            std::get<results<double>>(d_expected)
                .push_back(expected_row<double>(what, samples, frame, d_rows));
        d_samples.push_back(is_changed ? std::move(samples) : std::vector<char>());
    }
}

double reference::error(std::size_t index, const void* row, const problem& layout) const
{
    const number_type type = output_type(layout);
    const std::size_t in_a_bin = layout.output == output_kind::real ? 1 : 2;
    const std::vector<std::size_t> lengths =
        layout.kind == transform_kind::r2c ? half_of(layout.axes()) : layout.axes();
    const std::vector<double> numbers =
        read_numbers(row, type, d_rows * layout.output_span() * in_a_bin);
    return std::visit(
        [&](const auto& results) {
            const auto& expected = results[index];
            typename std::decay_t<decltype(expected)>::value_type difference = 0,
                                                                  total = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const std::size_t bin =
                    place_of(i / in_a_bin, lengths, layout.output_strides);
                const auto apart = numbers[bin * in_a_bin + i % in_a_bin] - expected[i];
                difference += apart * apart;
                total += expected[i] * expected[i];
            }
            return static_cast<double>(std::sqrt(difference / total));
        },
        d_expected);
}

} // namespace gpufft
} // namespace gr
