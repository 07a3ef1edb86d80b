// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of complex numbers, point by point. A product's bits depend on its place in
// the row alone, not on where the row lies in memory.

#ifndef INCLUDED_GPUFFT_COMPLEX_PRODUCTS_H
#define INCLUDED_GPUFFT_COMPLEX_PRODUCTS_H

#include <complex>
#include <cstddef>

namespace gr {
namespace gpufft {

// y[i] = x[i] by[i], i < count; y overlaps neither.
void multiply(const std::complex<float>* x,
              const std::complex<float>* by,
              std::size_t count,
              std::complex<float>* y);
void multiply(const std::complex<double>* x,
              const std::complex<double>* by,
              std::size_t count,
              std::complex<double>* y);

// y[i] = conj(x[i]) by[i]
void multiply_conjugate(const std::complex<float>* x,
                        const std::complex<float>* by,
                        std::size_t count,
                        std::complex<float>* y);
void multiply_conjugate(const std::complex<double>* x,
                        const std::complex<double>* by,
                        std::size_t count,
                        std::complex<double>* y);

} // namespace gpufft
} // namespace gr

#endif
