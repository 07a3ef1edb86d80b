// SPDX-License-Identifier: GPL-3.0-or-later
//
// The benchmark's data, which are random but the same wherever they are made, and the
// error of transforms of them against FFTW in double precision.

#ifndef INCLUDED_GPUFFT_BENCH_REFERENCE_H
#define INCLUDED_GPUFFT_BENCH_REFERENCE_H

#include <complex>
#include <cstdint>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// The data's float i, uniform in -1 ... 1; as text, for the host and the device.
#define GPUFFT_RANDOM_FLOAT                                                              \
    inline float random_float(unsigned long long i)                                      \
    {                                                                                    \
        unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;                          \
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;                                     \
        return (float)((int)(x >> 40) - (1 << 23)) / (float)(1 << 23);                   \
    }
GPUFFT_RANDOM_FLOAT

// True if a problem is a transform and nothing else: complex64 to complex64, frame after
// frame. The peers do these, and there are references for these.
bool is_plain(const problem& what);

// Some frames of a plain problem on the data, transformed in double precision.
class reference
{
public:
    explicit reference(const problem& what);

    // Which frames: few, and the last.
    const std::vector<std::size_t>& frames() const { return d_frames; }

    // Relative L2 error of n results for frames()[index]; NaN if there is one in them.
    double error(std::size_t index, const std::complex<float>* results) const;

private:
    std::size_t d_n;
    std::vector<std::size_t> d_frames;
    std::vector<std::vector<std::complex<double>>> d_expected;
};

} // namespace gpufft
} // namespace gr

#endif
