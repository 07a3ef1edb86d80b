// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each step as a function that makes its tables and returns the transform.

#include "cpu_ladder.h"

#include <cmath>
#include <cstring>
#include <fftw3.h>
#include <memory>
#include <new>
#include <utility>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<float> complex;

// exp(-2 pi i k / n), k = 0 ... count-1, right to the last bit of float.
std::vector<complex> roots(std::size_t n, std::size_t count)
{
    std::vector<complex> table;
    for (std::size_t k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * double(k) / double(n);
        table.emplace_back(float(std::cos(angle)), float(-std::sin(angle)));
    }
    return table;
}

// The definition. The exponent m k mod n is kept by addition.
cpu_transform naive_dft(std::size_t n)
{
    return [n, w = roots(n, n)](const complex* x, complex* X) {
        for (std::size_t k = 0; k < n; ++k) {
            complex sum = 0;
            for (std::size_t m = 0, exponent = 0; m < n; ++m) {
                sum += x[m] * w[exponent];
                exponent += k;
                exponent -= exponent >= n ? n : 0;
            }
            X[k] = sum;
        }
    };
}

std::vector<std::size_t> bit_reversal(std::size_t n)
{
    std::vector<std::size_t> reversed(n, 0);
    for (std::size_t i = 1; i < n; ++i)
        reversed[i] = reversed[i / 2] / 2 + (i % 2 ? n / 2 : 0);
    return reversed;
}

// Decimation in time: the inputs in bit-reversed order, then radix-2 passes in place
// whose butterflies span 1, 2, 4 ... n/2 points.
cpu_transform cooley_tukey(std::size_t n)
{
    return [n, w = roots(n, n / 2), reversed = bit_reversal(n)](const complex* x,
                                                                complex* X) {
        for (std::size_t i = 0; i < n; ++i)
            X[reversed[i]] = x[i];
        for (std::size_t span = 1; span < n; span *= 2) {
            const std::size_t step = n / (2 * span);
            for (std::size_t first = 0; first < n; first += 2 * span) {
                for (std::size_t j = 0; j < span; ++j) {
                    const complex even = X[first + j];
                    const complex odd = X[first + j + span] * w[j * step];
                    X[first + j] = even + odd;
                    X[first + j + span] = even - odd;
                }
            }
        }
    };
}

// One Stockham pass of radix 2 whose inputs are transforms of `span` points:
// butterfly (q, j) takes from[q span + j + {0, n/2}] to to[2 q span + j + {0, span}].
void stockham_pass_2(std::size_t n,
                     std::size_t span,
                     const std::vector<complex>& w,
                     const complex* from,
                     complex* to)
{
    const std::size_t half = n / 2, step = n / (2 * span);
    for (std::size_t first = 0; first < half; first += span) {
        for (std::size_t j = 0; j < span; ++j) {
            const complex a = from[first + j];
            const complex b = from[first + j + half] * w[j * step];
            to[2 * first + j] = a + b;
            to[2 * first + j + span] = a - b;
        }
    }
}

// The same of radix 4.
void stockham_pass_4(std::size_t n,
                     std::size_t span,
                     const std::vector<complex>& w,
                     const complex* from,
                     complex* to)
{
    const std::size_t quarter = n / 4, step = n / (4 * span);
    for (std::size_t first = 0; first < quarter; first += span) {
        for (std::size_t j = 0; j < span; ++j) {
            const complex* x = from + first + j;
            const complex a = x[0], b = x[quarter] * w[j * step];
            const complex c = x[2 * quarter] * w[2 * j * step];
            const complex d = x[3 * quarter] * w[3 * j * step];
            const complex sum = b + d, difference = b - d;
            const complex turned(difference.imag(), -difference.real()); // times -i
            complex* y = to + 4 * first + j;
            y[0] = a + c + sum;
            y[span] = a - c + turned;
            y[2 * span] = a + c - sum;
            y[3 * span] = a - c - turned;
        }
    }
}

// Passes alternate between X and a second array so that the last one ends in X.
cpu_transform stockham(std::size_t n, std::size_t radix)
{
    std::size_t passes = 0;
    for (std::size_t span = 1; span < n; span *= n / span >= radix ? radix : 2)
        ++passes;
    const auto scratch = std::make_shared<std::vector<complex>>(n);
    return [n, radix, passes, scratch, w = roots(n, n)](const complex* x, complex* X) {
        const complex* from = x;
        complex* to = passes % 2 == 1 ? X : scratch->data();
        complex* next = passes % 2 == 1 ? scratch->data() : X;
        for (std::size_t span = 1; span < n;) {
            const bool by_four = radix == 4 && n / span >= 4;
            (by_four ? stockham_pass_4 : stockham_pass_2)(n, span, w, from, to);
            span *= by_four ? 4 : 2;
            from = to;
            std::swap(to, next);
        }
    };
}

// FFTW 3, single precision, one thread, out of place. Vectors are aligned like those
// that it plans on.
cpu_transform fftw(std::size_t n, unsigned effort)
{
    const auto planned_on = std::make_shared<std::vector<complex>>(2 * n);
    auto* points = reinterpret_cast<fftwf_complex*>(planned_on->data());
    const std::shared_ptr<fftwf_plan_s> plan(
        fftwf_plan_dft_1d(int(n), points, points + n, FFTW_FORWARD, effort),
        fftwf_destroy_plan);
    if (plan == nullptr)
        throw std::bad_alloc();
    return [plan](const complex* x, complex* X) {
        fftwf_execute_dft(plan.get(),
                          reinterpret_cast<fftwf_complex*>(const_cast<complex*>(x)),
                          reinterpret_cast<fftwf_complex*>(X));
    };
}

} // namespace

std::vector<cpu_step> cpu_ladder()
{
    return {
        { "naive_dft", naive_dft, true },
        { "cooley_tukey", cooley_tukey },
        { "stockham_radix_2", [](std::size_t n) { return stockham(n, 2); } },
        { "stockham_radix_4", [](std::size_t n) { return stockham(n, 4); } },
        { "fftw_estimate", [](std::size_t n) { return fftw(n, FFTW_ESTIMATE); } },
        { "fftw_measure", [](std::size_t n) { return fftw(n, FFTW_MEASURE); } },
    };
}

} // namespace gpufft
} // namespace gr
