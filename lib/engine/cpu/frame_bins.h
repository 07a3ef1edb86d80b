// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns frames into contiguous rows of bins in single precision, unscaled: the source of
// rows and powers for cpu_plan.

#ifndef INCLUDED_GPUFFT_FRAME_BINS_H
#define INCLUDED_GPUFFT_FRAME_BINS_H

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class frame_bins
{
public:
    typedef std::complex<float> complex;

    virtual ~frame_bins() = default;

    // Scratch for threads 0 ... threads-1.
    virtual void allocate(std::size_t threads) = 0;

    virtual void set_window(const std::vector<float>& taps) = 0;

    // Number of frames that transform() takes next, of those left: 1 unless they are very
    // short.
    virtual std::size_t together(std::size_t left) const = 0;

    // Fewest frames worth a task for another thread.
    virtual std::size_t frames_per_task() const = 0;

    // True if the bins come in the order of the rows, output shift included.
    virtual bool shifts_output() const = 0;

    // Transforms together() frames, `hop` samples apart. The first begins at `input`,
    // which in a running problem is sample `position` of the stream. The bins go to
    // `target`, or to scratch if that is null or FFTW cannot write there; returns their
    // address. One caller for each `thread` at a time.
    virtual const complex* transform(const char* input,
                                     std::size_t hop,
                                     std::size_t frames,
                                     std::size_t position,
                                     complex* target,
                                     std::size_t thread) = 0;

    // The transform, e.g. "4096" or "r2c 4096", and the steps of the load, e.g. "cs16
    // window".
    virtual std::string describe_transform() const = 0;
    virtual std::string describe_load() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
