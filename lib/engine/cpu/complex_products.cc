// SPDX-License-Identifier: GPL-3.0-or-later
//
// VOLK has this for floats. Which of its versions runs must not depend on addresses.

#include "complex_products.h"
#include "for_this_cpu.h"

#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

// y[i] = (x[i].real() + sign j x[i].imag()) by[i]; std::complex would test for NaNs.
inline __attribute__((always_inline)) void
multiply_doubles(double sign,
                 const std::complex<double>* __restrict x,
                 const std::complex<double>* __restrict by,
                 std::size_t count,
                 std::complex<double>* __restrict y)
{
    for (std::size_t i = 0; i < count; ++i) {
        const double a = x[i].real(), b = sign * x[i].imag();
        const double c = by[i].real(), d = by[i].imag();
        y[i] = { a * c - b * d, a * d + b * c };
    }
}

} // namespace

void multiply(const std::complex<float>* x,
              const std::complex<float>* by,
              std::size_t count,
              std::complex<float>* y)
{
    volk_32fc_x2_multiply_32fc_u(y, x, by, static_cast<unsigned>(count));
}

void multiply_conjugate(const std::complex<float>* x,
                        const std::complex<float>* by,
                        std::size_t count,
                        std::complex<float>* y)
{
    volk_32fc_x2_multiply_conjugate_32fc_u(y, by, x, static_cast<unsigned>(count));
}

GPUFFT_FOR_THIS_CPU
void multiply(const std::complex<double>* x,
              const std::complex<double>* by,
              std::size_t count,
              std::complex<double>* y)
{
    multiply_doubles(1, x, by, count, y);
}

GPUFFT_FOR_THIS_CPU
void multiply_conjugate(const std::complex<double>* x,
                        const std::complex<double>* by,
                        std::size_t count,
                        std::complex<double>* y)
{
    multiply_doubles(-1, x, by, count, y);
}

} // namespace gpufft
} // namespace gr
