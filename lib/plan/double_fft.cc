// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stockham passes, one for each prime factor (4 for two twos).

#include "double_fft.h"

#include <cmath>

namespace gr {
namespace gpufft {

std::complex<double> root_of_unity(long k, long n)
{
    const long eighth = 8 * k / n; // octant; its angle is exact
    const long steps = 8 * k - eighth * n;
    double angle = M_PI / 4 * (double(steps) / double(n)); // 0 ... pi/4
    if (eighth % 2 == 1)
        angle = M_PI / 4 * (double(n - steps) / double(n)); // from the next axis
    double c = std::cos(angle), s = std::sin(angle);
    if (eighth % 2 == 1)
        std::swap(c, s);
    switch (eighth / 2) {
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

std::vector<std::complex<double>> double_fft(std::vector<std::complex<double>> x)
{
    const long n = long(x.size());
    std::vector<std::complex<double>> roots, y(x.size());
    for (long k = 0; k < n; ++k)
        roots.push_back(root_of_unity(k, n));
    long span = 1;
    for (long left = n; left > 1;) {
        long radix = left % 4 == 0 ? 4 : 2;
        while (left % radix != 0)
            ++radix;
        left /= radix;
        const long count = n / radix, row = span * radix;
        std::vector<std::complex<double>> points(radix);
        for (long j = 0; j < count; ++j) {
            const long turn = j % span * (n / row); // of input 1, in n-ths
            for (long m = 0; m < radix; ++m)
                points[m] = x[j + m * count] * roots[m * turn];
            for (long k = 0; k < radix; ++k) {
                std::complex<double> sum = points[0];
                for (long m = 1; m < radix; ++m)
                    sum += points[m] * roots[m * k % radix * count];
                y[j / span * row + j % span + k * span] = sum;
            }
        }
        x.swap(y);
        span = row;
    }
    return x;
}

} // namespace gpufft
} // namespace gr
