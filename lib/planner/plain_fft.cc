// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stockham passes, one for each prime factor (radix 4 for two twos). Long transforms have
// two levels, which stay in the cache, and several threads.

#include "plain_fft.h"
#include "in_threads.h"
#include "roots_of_unity.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

template <class T>
using point = std::complex<T>;

constexpr long LONGEST_FLAT = 1 << 15; // points of one level
constexpr long TOGETHER = 16;          // columns that fill whole cache lines

// Without the checks for infinities of operator*.
template <class T>
point<T> times(point<T> a, point<T> b)
{
    return { a.real() * b.real() - a.imag() * b.imag(),
             a.real() * b.imag() + a.imag() * b.real() };
}

template <class T>
std::vector<point<T>> roots_of(long n)
{
    return table_of<point<T>>(n, roots_of_unity<T>(n));
}

// The butterfly of most passes: X[k] = sum_m in[m] exp(-2 pi j m k / 4).
template <class T>
void butterfly_4(const point<T>* in, point<T>* out, long stride)
{
    const point<T> even = in[0] + in[2], difference = in[0] - in[2];
    const point<T> odd = in[1] + in[3], turned = in[1] - in[3];
    const point<T> rotated(turned.imag(), -turned.real());
    out[0] = even + odd;
    out[stride] = difference + rotated;
    out[2 * stride] = even - odd;
    out[3 * stride] = difference - rotated;
}

// The pass of `radix` after passes of `span` points in all, from x to y.
template <class T>
void pass_of(const point<T>* x,
             point<T>* y,
             long radix,
             long span,
             const std::vector<point<T>>& roots)
{
    const long n = long(roots.size()), count = n / radix, row = span * radix;
    std::vector<point<T>> in(radix);
    for (long first = 0; first < count; first += span)
        for (long i = 0; i < span; ++i) {
            const long turn = i * (n / row); // of input 1, in n-ths
            for (long m = 0; m < radix; ++m)
                in[m] = times(x[first + i + m * count], roots[m * turn]);
            point<T>* const out = y + first * radix + i;
            if (radix == 4) {
                butterfly_4(in.data(), out, span);
                continue;
            }
            for (long k = 0; k < radix; ++k) {
                point<T> sum = in[0];
                for (long m = 1; m < radix; ++m)
                    sum += times(in[m], roots[m * k % radix * count]);
                out[k * span] = sum;
            }
        }
}

// x and its length are transformed in place; y is work space.
template <class T>
void flat_fft(point<T>* x, point<T>* y, const std::vector<point<T>>& roots)
{
    const long n = long(roots.size());
    point<T>* const result = x;
    long span = 1;
    for (long left = n; left > 1;) {
        long radix = left % 4 == 0 ? 4 : 2;
        while (left % radix != 0)
            ++radix;
        left /= radix;
        pass_of(x, y, radix, span, roots);
        std::swap(x, y);
        span *= radix;
    }
    if (x != result)
        std::copy(x, x + n, result);
}

// The largest divisor of n up to its square root; 1 for a prime.
long middle_divisor(long n)
{
    long divisor = long(std::sqrt(double(n)));
    while (n % divisor != 0)
        --divisor;
    return divisor;
}

// Transforms `together` columns of `rows` points, the rows `width` points apart.
template <class T>
void columns_fft(point<T>* first,
                 long rows,
                 long width,
                 long together,
                 const std::vector<point<T>>& roots,
                 std::vector<point<T>>& work)
{
    for (long m = 0; m < rows; ++m)
        for (long c = 0; c < together; ++c)
            work[c * rows + m] = first[m * width + c];
    for (long c = 0; c < together; ++c)
        flat_fft(work.data() + c * rows, work.data() + together * rows, roots);
    for (long m = 0; m < rows; ++m)
        for (long c = 0; c < together; ++c)
            first[m * width + c] = work[c * rows + m];
}

// n = R M: x[M a + b] -> X[c + R d], first along a, then along b.
template <class T>
std::vector<point<T>> two_level_fft(std::vector<point<T>> x, long rows)
{
    const long n = long(x.size()), width = n / rows;
    const std::vector<point<T>> row_roots = roots_of<T>(width),
                                column_roots = roots_of<T>(rows);
    const roots_of_unity<T> twiddles(n);
    in_threads((width + TOGETHER - 1) / TOGETHER, 1, [&](long begin, long end) {
        std::vector<point<T>> work((TOGETHER + 1) * rows);
        for (long first = begin * TOGETHER; first < std::min(width, end * TOGETHER);
             first += TOGETHER)
            columns_fft(x.data() + first,
                        rows,
                        width,
                        std::min(TOGETHER, width - first),
                        column_roots,
                        work);
    });
    std::vector<point<T>> result(n);
    in_threads((rows + TOGETHER - 1) / TOGETHER, 1, [&](long begin, long end) {
        std::vector<point<T>> work(width);
        for (long first = begin * TOGETHER; first < std::min(rows, end * TOGETHER);
             first += TOGETHER) {
            const long last = std::min(rows, first + TOGETHER);
            for (long c = first; c < last; ++c) {
                for (long b = 0; b < width; ++b)
                    x[c * width + b] = times(x[c * width + b], twiddles(b * c));
                flat_fft(x.data() + c * width, work.data(), row_roots);
            }
            for (long d = 0; d < width; ++d)
                for (long c = first; c < last; ++c)
                    result[c + rows * d] = x[c * width + d];
        }
    });
    return result;
}

} // namespace

template <class T>
std::vector<std::complex<T>> plain_fft(std::vector<std::complex<T>> x)
{
    const long n = long(x.size());
    const long rows = n > LONGEST_FLAT ? middle_divisor(n) : 1;
    if (rows > 1)
        return two_level_fft(std::move(x), rows);
    std::vector<point<T>> work(x.size());
    if (n > 0)
        flat_fft(x.data(), work.data(), roots_of<T>(n));
    return x;
}

template std::vector<std::complex<double>> plain_fft(std::vector<std::complex<double>>);
template std::vector<std::complex<long double>>
    plain_fft(std::vector<std::complex<long double>>);

} // namespace gpufft
} // namespace gr
