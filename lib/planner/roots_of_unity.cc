// SPDX-License-Identifier: GPL-3.0-or-later

#include "roots_of_unity.h"

#include <cmath>

namespace gr {
namespace gpufft {

template <class T>
roots_of_unity<T>::roots_of_unity(long n) : d_n(n)
{
    while (1L << 2 * d_shift < n)
        ++d_shift;
    const auto add = [&](std::vector<std::complex<T>>& table, long t) {
        const T angle = T(M_PIl / 4) * (T(t) / T(n));
        table.emplace_back(std::cos(angle), std::sin(angle));
    };
    for (long t = 0; t <= n; t += 1L << d_shift)
        add(d_high, t);
    for (long t = 0; t < 1L << d_shift; ++t)
        add(d_low, t);
}

template <class T>
std::complex<T> roots_of_unity<T>::operator()(long k) const
{
    const long eighths = 8 * (k % d_n), octant = eighths / d_n;
    const long steps = eighths - octant * d_n; // beyond the octant's first axis
    const bool from_next = octant % 2 == 1;    // the angle is taken from the next axis
    const long t = from_next ? d_n - steps : steps;
    const std::complex<T> a = d_high[t >> d_shift];
    const std::complex<T> b = d_low[t & ((1L << d_shift) - 1)];
    const T along = a.real() * b.real() - a.imag() * b.imag();
    const T across = a.real() * b.imag() + a.imag() * b.real();
    const T c = from_next ? across : along, s = from_next ? along : across;
    switch (octant / 2) {
    case 0:
        return { c, -s };
    case 1:
        return { -s, -c };
    case 2:
        return { -c, s };
    default:
        return { s, c };
    }
}

template class roots_of_unity<double>;
template class roots_of_unity<long double>;

} // namespace gpufft
} // namespace gr
