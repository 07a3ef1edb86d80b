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

// True if there can be a reference: the problem is a transform without fused steps, a
// polyphase bank or a filter.
bool has_reference(const problem& what);

// The window that a problem with one is measured with: random taps; empty without.
std::vector<float> window_of(const problem& what);

// Some frames of a problem on the data, transformed in higher precision.
class reference
{
public:
    explicit reference(const problem& what);

    // Which frames: few, and the last; those of a filter each the first of rows().
    const std::vector<std::size_t>& frames() const { return d_frames; }

    // Rows from each of the frames on that are compared: 1, but many of a filter, whose
    // rows have one value.
    std::size_t rows() const { return d_rows; }

    // Samples, as they are stored, that must replace the data in frames()[index]: c2r
    // needs bins of a real signal. Empty if the data can stay.
    const std::vector<char>& samples(std::size_t index) const { return d_samples[index]; }

    // Relative L2 error of the rows() rows for frames()[index], which lie as `layout`
    // says; NaN if there is one in them.
    double error(std::size_t index, const void* row, const problem& layout) const;

private:
    template <class Real>
    using results = std::vector<std::vector<Real>>;

    std::vector<std::size_t> d_frames;
    std::size_t d_rows = 1;
    std::vector<std::vector<char>> d_samples;
    std::variant<results<double>, results<long double>> d_expected;
};

} // namespace gpufft
} // namespace gr

#endif
