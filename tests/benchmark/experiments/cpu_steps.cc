// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steps of the CPU ladder that are loops of ours: recursive and iterative
// Cooley-Tukey, Stockham of radix 2 and 4. CMakeLists.txt compiles this file once for
// each of Tsai's steps of the compiler and the complex type, in a namespace of its own:
//   GPUFFT_STEPS         the namespace, and what is appended to the steps' names
//   GPUFFT_OWN_COMPLEX   with a complex type of our own instead of std::complex

#include "cpu_ladder.h"

#include <cmath>
#include <memory>
#include <utility>

namespace gr {
namespace gpufft {
namespace GPUFFT_STEPS {

namespace {

#ifdef GPUFFT_OWN_COMPLEX
struct complex {
    float re, im;
};
complex operator+(complex a, complex b) { return { a.re + b.re, a.im + b.im }; }
complex operator-(complex a, complex b) { return { a.re - b.re, a.im - b.im }; }
complex operator*(complex a, complex b)
{
    return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}
complex times_minus_i(complex a) { return { a.im, -a.re }; }
#else
typedef std::complex<float> complex;
complex times_minus_i(complex a) { return { a.imag(), -a.real() }; }
#endif

// exp(-2 pi i k / n), k = 0 ... count-1, right to the last bit of float.
std::vector<complex> roots(std::size_t n, std::size_t count)
{
    std::vector<complex> table;
    for (std::size_t k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * double(k) / double(n);
        table.push_back({ float(std::cos(angle)), float(-std::sin(angle)) });
    }
    return table;
}

// Decimation in time by recursion: the transforms of the even and of the odd inputs, then
// one radix-2 pass. The inputs are `stride` apart.
void recurse(std::size_t n,
             std::size_t stride,
             const std::vector<complex>& w,
             const complex* x,
             complex* X)
{
    if (n == 1) {
        X[0] = x[0];
        return;
    }
    recurse(n / 2, 2 * stride, w, x, X);
    recurse(n / 2, 2 * stride, w, x + stride, X + n / 2);
    for (std::size_t k = 0; k < n / 2; ++k) {
        const complex even = X[k], odd = X[k + n / 2] * w[k * stride];
        X[k] = even + odd;
        X[k + n / 2] = even - odd;
    }
}

auto recursive(std::size_t n)
{
    return [n, w = roots(n, n / 2)](const complex* x, complex* X) {
        recurse(n, 1, w, x, X);
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
auto cooley_tukey(std::size_t n)
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
            const complex turned = times_minus_i(difference);
            complex* y = to + 4 * first + j;
            y[0] = a + c + sum;
            y[span] = a - c + turned;
            y[2 * span] = a + c - sum;
            y[3 * span] = a - c - turned;
        }
    }
}

// Passes alternate between X and a second array so that the last one ends in X.
auto stockham(std::size_t n, std::size_t radix)
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

// A step from a function that makes the transform of n points of our complex type.
template <class Make>
cpu_step step(const char* name, const Make& make)
{
    const std::string suffix = GPUFFT_STEPS_SUFFIX;
    return { name + suffix, [make](std::size_t n) {
                return [transform = make(n)](const std::complex<float>* x,
                                             std::complex<float>* X) {
                    transform(reinterpret_cast<const complex*>(x),
                              reinterpret_cast<complex*>(X));
                };
            } };
}

} // namespace

std::vector<cpu_step> steps()
{
    return {
        step("recursive", recursive),
        step("cooley_tukey", cooley_tukey),
        step("stockham_radix_2", [](std::size_t n) { return stockham(n, 2); }),
        step("stockham_radix_4", [](std::size_t n) { return stockham(n, 4); }),
    };
}

} // namespace GPUFFT_STEPS
} // namespace gpufft
} // namespace gr
