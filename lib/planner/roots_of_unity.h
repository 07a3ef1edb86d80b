// SPDX-License-Identifier: GPL-3.0-or-later
//
// Roots of unity, for the tables of plans.

#ifndef INCLUDED_GPUFFT_ROOTS_OF_UNITY_H
#define INCLUDED_GPUFFT_ROOTS_OF_UNITY_H

#include <complex>
#include <vector>

namespace gr {
namespace gpufft {

// exp(-2 pi j k / n) to the last bits of T, double or long double. Each is the product of
// two roots from short tables, so millions of them take milliseconds.
template <class T>
class roots_of_unity
{
public:
    explicit roots_of_unity(long n);

    // Any k >= 0. Multiples of n / 4 are exact.
    std::complex<T> operator()(long k) const;

private:
    const long d_n;
    int d_shift = 0;
    // exp(pi/4 j t / n), 0 <= t <= n, is d_high[t >> d_shift] times d_low[the rest].
    std::vector<std::complex<T>> d_high, d_low;
};

} // namespace gpufft
} // namespace gr

#endif
