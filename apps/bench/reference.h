// SPDX-License-Identifier: GPL-3.0-or-later
//
// The error of transforms of the benchmark's data against FFTW, in double precision or,
// for problems in double precision, in long double.

#ifndef INCLUDED_GPUFFT_BENCH_REFERENCE_H
#define INCLUDED_GPUFFT_BENCH_REFERENCE_H

#include <cstddef>
#include <gnuradio/gpufft/problem.h>
#include <variant>
#include <vector>

namespace gr {
namespace gpufft {

// True if there can be a reference: the problem is a transform without fused steps.
bool has_reference(const problem& what);

// Some frames of a problem on the data, transformed in higher precision.
class reference
{
public:
    explicit reference(const problem& what);

    // Which frames: few, and the last.
    const std::vector<std::size_t>& frames() const { return d_frames; }

    // Samples, as they are stored, that must replace the data in frames()[index]: c2r
    // needs bins of a real signal. Empty if the data can stay.
    const std::vector<char>& samples(std::size_t index) const { return d_samples[index]; }

    // Relative L2 error of a row for frames()[index], which lies as `layout` says; NaN if
    // there is one in it.
    double error(std::size_t index, const void* row, const problem& layout) const;

private:
    template <class Real>
    using rows = std::vector<std::vector<Real>>;

    std::vector<std::size_t> d_frames;
    std::vector<std::vector<char>> d_samples;
    std::variant<rows<double>, rows<long double>> d_expected;
};

} // namespace gpufft
} // namespace gr

#endif
