// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW in double and long double; and the plain sums.

#include "reference_transform.h"

#include <cmath>
#include <fftw3.h>
#include <memory>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<long double> complex;

const long double PI = std::acos(-1.0L);
const long double SQRT2 = std::sqrt(2.0L);

std::mutex planner_mutex; // FFTW plans in one thread at a time

// FFTW of one precision.
template <class T>
struct fftw;

template <>
struct fftw<double> {
    typedef fftw_plan plan;
    typedef fftw_complex complex;
    static constexpr auto plan_dft = fftw_plan_dft;
    static constexpr auto plan_r2c = fftw_plan_dft_r2c;
    static constexpr auto plan_c2r = fftw_plan_dft_c2r;
    static constexpr auto plan_r2r = fftw_plan_r2r;
    static constexpr auto execute = fftw_execute;
    static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct fftw<long double> {
    typedef fftwl_plan plan;
    typedef fftwl_complex complex;
    static constexpr auto plan_dft = fftwl_plan_dft;
    static constexpr auto plan_r2c = fftwl_plan_dft_r2c;
    static constexpr auto plan_c2r = fftwl_plan_dft_c2r;
    static constexpr auto plan_r2r = fftwl_plan_r2r;
    static constexpr auto execute = fftwl_execute;
    static constexpr auto destroy = fftwl_destroy_plan;
};

fftw_r2r_kind fftw_kind(transform_kind kind)
{
    switch (kind) {
    case transform_kind::dct1:
        return FFTW_REDFT00;
    case transform_kind::dct2:
        return FFTW_REDFT10;
    case transform_kind::dct3:
        return FFTW_REDFT01;
    case transform_kind::dct4:
        return FFTW_REDFT11;
    case transform_kind::dst1:
        return FFTW_RODFT00;
    case transform_kind::dst2:
        return FFTW_RODFT10;
    case transform_kind::dst3:
        return FFTW_RODFT01;
    case transform_kind::dst4:
        return FFTW_RODFT11;
    default:
        return FFTW_R2HC;
    }
}

// Memory for complex or real values, as FFTW reads and writes them.
template <class T>
struct values {
    explicit values(std::size_t size) : parts(2 * size) {}
    typename fftw<T>::complex* complex_data()
    {
        return reinterpret_cast<typename fftw<T>::complex*>(parts.data());
    }
    T* real_data() { return parts.data(); }
    complex at(std::size_t i, bool is_real) const
    {
        return is_real ? complex(parts[i]) : complex(parts[2 * i], parts[2 * i + 1]);
    }
    void set(std::size_t i, bool is_real, complex value)
    {
        parts[is_real ? i : 2 * i] = static_cast<T>(value.real());
        if (!is_real)
            parts[2 * i + 1] = static_cast<T>(value.imag());
    }
    std::vector<T> parts;
};

template <class T>
typename fftw<T>::plan plan_of(const problem& what, values<T>& in, values<T>& out)
{
    typedef fftw<T> lib;
    const std::vector<std::size_t> axes = what.axes();
    const std::vector<int> n(axes.begin(), axes.end());
    const std::vector<fftw_r2r_kind> kinds(n.size(), fftw_kind(what.kind));
    const int rank = int(n.size());
    const int sign = what.dir == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
    const unsigned flags = FFTW_ESTIMATE;
    switch (what.kind) {
    case transform_kind::c2c:
        return lib::plan_dft(
            rank, n.data(), in.complex_data(), out.complex_data(), sign, flags);
    case transform_kind::r2c:
        return lib::plan_r2c(rank, n.data(), in.real_data(), out.complex_data(), flags);
    case transform_kind::c2r:
        return lib::plan_c2r(rank, n.data(), in.complex_data(), out.real_data(), flags);
    default:
        return lib::plan_r2r(
            rank, n.data(), in.real_data(), out.real_data(), kinds.data(), flags);
    }
}

// The last transform of this thread: frame after frame takes the same one.
template <class T>
struct kept_plan {
    kept_plan(const problem& what, std::size_t points)
        : kind(what.kind),
          dir(what.dir),
          axes(what.axes()),
          in(points),
          out(what.row_bins())
    {
        const std::lock_guard<std::mutex> lock(planner_mutex);
        made = plan_of(what, in, out);
    }
    ~kept_plan()
    {
        const std::lock_guard<std::mutex> lock(planner_mutex);
        fftw<T>::destroy(made);
    }
    kept_plan(const kept_plan&) = delete;
    kept_plan& operator=(const kept_plan&) = delete;

    bool is_of(const problem& what) const
    {
        return kind == what.kind && dir == what.dir && axes == what.axes();
    }

    const transform_kind kind;
    const direction dir;
    const std::vector<std::size_t> axes;
    values<T> in, out;
    typename fftw<T>::plan made;
};

template <class T>
spectrum transform_in(const problem& what, const spectrum& points)
{
    thread_local std::unique_ptr<kept_plan<T>> kept;
    if (!kept || !kept->is_of(what)) {
        kept.reset(); // first: they need not be there together
        kept = std::make_unique<kept_plan<T>>(what, points.size());
    }
    const bool reads_real = what.kind == transform_kind::r2c || what.is_real_to_real();
    const bool writes_real = stores_real(what.kind);
    for (std::size_t m = 0; m < points.size(); ++m)
        kept->in.set(m, reads_real, points[m]);
    fftw<T>::execute(kept->made);
    spectrum bins(what.row_bins());
    for (std::size_t k = 0; k < bins.size(); ++k)
        bins[k] = kept->out.at(k, writes_real);
    return bins;
}

// Calls function(line) with each line of values along one axis, and puts back what it
// returns, which may be longer or shorter. Adapts lengths.
template <class F>
void along_axis(std::vector<std::size_t>& lengths,
                std::size_t axis,
                spectrum& data,
                const F& function)
{
    std::size_t inner = 1; // distance of neighbours along the axis
    for (std::size_t i = axis + 1; i < lengths.size(); ++i)
        inner *= lengths[i];
    const std::size_t n = lengths[axis], lines = data.size() / n;
    spectrum result;
    std::size_t count = n;
    for (std::size_t line = 0; line < lines; ++line) {
        spectrum x(n);
        const std::size_t outer = line / inner, j = line % inner;
        for (std::size_t m = 0; m < n; ++m)
            x[m] = data[(outer * n + m) * inner + j];
        const spectrum y = function(x);
        count = y.size();
        result.resize(lines * count);
        for (std::size_t k = 0; k < count; ++k)
            result[(outer * count + k) * inner + j] = y[k];
    }
    lengths[axis] = count;
    data = result;
}

// Multiplies the first and/or last point of each line along every axis.
void scale_ends(const problem& what, spectrum& data, long double first, long double last)
{
    std::vector<std::size_t> lengths = what.axes();
    for (std::size_t axis = 0; axis < lengths.size(); ++axis)
        along_axis(lengths, axis, data, [&](spectrum line) {
            line.front() *= first;
            line.back() *= last;
            return line;
        });
}

// What makes the matrices orthogonal, before the transform.
void orthogonalize_points(const problem& what, spectrum& points)
{
    if (what.kind == transform_kind::dct1)
        scale_ends(what, points, SQRT2, SQRT2);
    if (what.kind == transform_kind::dct3)
        scale_ends(what, points, SQRT2, 1);
    if (what.kind == transform_kind::dst3)
        scale_ends(what, points, 1, SQRT2);
}

// And behind it.
void orthogonalize_bins(const problem& what, spectrum& bins)
{
    if (what.kind == transform_kind::dct1)
        scale_ends(what, bins, 1 / SQRT2, 1 / SQRT2);
    if (what.kind == transform_kind::dct2)
        scale_ends(what, bins, 1 / SQRT2, 1);
    if (what.kind == transform_kind::dst2)
        scale_ends(what, bins, 1, 1 / SQRT2);
}

template <class F>
spectrum orthogonalized(const problem& what, const spectrum& points, const F& transform)
{
    if (!what.orthogonal)
        return transform(points);
    spectrum changed = points;
    orthogonalize_points(what, changed);
    spectrum bins = transform(changed);
    orthogonalize_bins(what, bins);
    return bins;
}

// exp(j pi a / b), a reduced first so that it is exact.
complex unit(std::size_t a, std::size_t b)
{
    const long double angle = PI * (long double)(a % (2 * b)) / (long double)b;
    return { std::cos(angle), std::sin(angle) };
}

// The factor of x[m] in X[k] of a dct or dst of length n.
long double real_factor(transform_kind kind, std::size_t n, std::size_t m, std::size_t k)
{
    const long double sign = k % 2 == 0 ? 1 : -1;
    switch (kind) {
    case transform_kind::dct1:
        return m == 0 ? 1 : m == n - 1 ? sign : 2 * unit(m * k, n - 1).real();
    case transform_kind::dct2:
        return 2 * unit((2 * m + 1) * k, 2 * n).real();
    case transform_kind::dct3:
        return m == 0 ? 1 : 2 * unit(m * (2 * k + 1), 2 * n).real();
    case transform_kind::dct4:
        return 2 * unit((2 * m + 1) * (2 * k + 1), 4 * n).real();
    case transform_kind::dst1:
        return 2 * unit((m + 1) * (k + 1), n + 1).imag();
    case transform_kind::dst2:
        return 2 * unit((2 * m + 1) * (k + 1), 2 * n).imag();
    case transform_kind::dst3:
        return m == n - 1 ? sign : 2 * unit((m + 1) * (2 * k + 1), 2 * n).imag();
    case transform_kind::dst4:
        return 2 * unit((2 * m + 1) * (2 * k + 1), 4 * n).imag();
    default:
        return NAN;
    }
}

// One line of n bins or, for r2c, of those that it keeps.
spectrum direct_line(const spectrum& x, std::size_t bins, direction dir)
{
    spectrum y(bins);
    const std::size_t n = x.size();
    for (std::size_t k = 0; k < bins; ++k)
        for (std::size_t m = 0; m < n; ++m) {
            const complex w = unit(2 * m * k, n);
            y[k] += x[m] * (dir == direction::forward ? std::conj(w) : w);
        }
    return y;
}

// n real values from the bins 0 ... n/2: the rest are their conjugates, so bins 0 and n/2
// count with their real part, once.
spectrum direct_real_line(const spectrum& bins, std::size_t n)
{
    spectrum x(n);
    for (std::size_t m = 0; m < n; ++m)
        for (std::size_t k = 0; k < bins.size(); ++k) {
            const long double part = (bins[k] * unit(2 * m * k, n)).real();
            x[m] += k == 0       ? bins[k].real()
                    : 2 * k == n ? bins[k].real() * unit(m, 1).real()
                                 : 2 * part;
        }
    return x;
}

spectrum direct_r2r_line(transform_kind kind, const spectrum& x)
{
    spectrum y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k)
        for (std::size_t m = 0; m < x.size(); ++m)
            y[k] += real_factor(kind, x.size(), m, k) * x[m];
    return y;
}

// The sums that define a zoom.
spectrum zoom_line(const problem& what, const spectrum& x)
{
    const long double start = std::fmod(what.f_start, 1.0L);
    const long double step = ((long double)what.f_stop - what.f_start) / what.row_bins();
    spectrum y(what.row_bins());
    for (std::size_t k = 0; k < y.size(); ++k) {
        const long double f = start + k * step;
        for (std::size_t m = 0; m < x.size(); ++m) {
            const long double angle = -2 * PI * std::fmod(f * m, 1.0L);
            y[k] += x[m] * complex(std::cos(angle), std::sin(angle));
        }
    }
    return y;
}

} // namespace

spectrum reference_transform(const problem& what, const spectrum& points)
{
    if (what.kind == transform_kind::zoom) // FFTW has none
        return zoom_line(what, points);
    return orthogonalized(what, points, [&](const spectrum& x) {
        return what.is_double() ? transform_in<long double>(what, x)
                                : transform_in<double>(what, x);
    });
}

spectrum direct_transform(const problem& what, const spectrum& points)
{
    if (what.kind == transform_kind::zoom)
        return zoom_line(what, points);
    return orthogonalized(what, points, [&](spectrum data) {
        std::vector<std::size_t> lengths = what.axes();
        const std::size_t last = lengths.size() - 1, n = lengths[last];
        if (what.kind == transform_kind::c2r)
            lengths[last] = n / 2 + 1;
        for (std::size_t axis = 0; axis < lengths.size(); ++axis)
            along_axis(lengths, axis, data, [&](const spectrum& line) {
                if (what.is_real_to_real())
                    return direct_r2r_line(what.kind, line);
                if (what.kind == transform_kind::c2r && axis == last)
                    return direct_real_line(line, n);
                const bool halves = what.kind == transform_kind::r2c && axis == last;
                return direct_line(line,
                                   halves ? n / 2 + 1 : line.size(),
                                   what.kind == transform_kind::c2r ? direction::inverse
                                                                    : what.dir);
            });
        return data;
    });
}

} // namespace gpufft
} // namespace gr
