// SPDX-License-Identifier: GPL-3.0-or-later
//
// The textbook ladder from the naive DFT to Stockham's FFT on the CPU, in single
// precision on one thread, as in Tsai, "Fast Fourier Transform on CPU and GPU" (2025),
// Tables 1 and 2. Plain loops over tables of roots: the algorithms are what is compared.

#ifndef INCLUDED_GPUFFT_CPU_LADDER_H
#define INCLUDED_GPUFFT_CPU_LADDER_H

#include <complex>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// X[k] = sum_m x[m] exp(-2 pi i m k / n) of n points.
typedef std::function<void(const std::complex<float>* x, std::complex<float>* X)>
    cpu_transform;

struct cpu_step {
    std::string name; // as in the CSV
    // Tables and plan for length n, a power of two; what it returns is what is timed.
    std::function<cpu_transform(std::size_t n)> plan;
    bool quadratic = false; // n^2 operations: long lengths take minutes
};

// The steps of cpu_steps.cc: std::complex by the C standard's rules and -O2 ("_c_rules"),
// products by their formula and -O3 (no suffix), our own complex type ("_own"), the same
// for this machine's instructions ("_native").
namespace c_rules {
std::vector<cpu_step> steps();
}
namespace fast {
std::vector<cpu_step> steps();
}
namespace own {
std::vector<cpu_step> steps();
}
namespace native {
std::vector<cpu_step> steps();
}

// naive_dft; recursive, cooley_tukey (radix 2 in place after a bit reversal),
// stockham_radix_2, stockham_radix_4 (with a last radix 2 where n is not a power of four)
// in each of those; then fftw_estimate, fftw_measure.
std::vector<cpu_step> cpu_ladder();

} // namespace gpufft
} // namespace gr

#endif
