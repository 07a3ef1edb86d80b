// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kaiser's window for every parameter: J. F. Kaiser, "Nonrecursive digital filter design
// using the I0-sinh window function", ISCAS 1974.

#ifndef INCLUDED_GPUFFT_KAISER_H
#define INCLUDED_GPUFFT_KAISER_H

namespace gr {
namespace gpufft {

// w(x) = I0(beta sqrt(1 - x^2)) / I0(beta) at x = -1 ... 1, for every finite beta >= 0.
// The exponential growth of both Bessel functions is removed before the division.
class kaiser
{
public:
    explicit kaiser(double beta);
    double operator()(double x) const;

private:
    double d_beta;
    double d_divisor; // exp(-beta) I0(beta)
};

} // namespace gpufft
} // namespace gr

#endif
