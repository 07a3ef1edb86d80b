// SPDX-License-Identifier: GPL-3.0-or-later
//
// From samples to bins, a frame or a small group of frames at a time: load step and FFTW.

#ifndef INCLUDED_GPUFFT_FRAME_TRANSFORM_H
#define INCLUDED_GPUFFT_FRAME_TRANSFORM_H

#include "aligned_buffer.h"
#include "fftw_transform.h"
#include "load_step.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class frame_transform
{
public:
    typedef std::complex<float> complex;

    explicit frame_transform(const problem& what);

    // Scratch for threads 0 ... threads-1.
    void allocate(std::size_t threads);

    void set_window(const std::vector<float>& taps) { d_load.set_window(taps); }

    // Frames of a group, 1 unless they are very short.
    std::size_t group() const { return d_group; }

    // Fewest frames whose transforms are worth a task for another thread.
    std::size_t frames_per_task() const;

    // Transforms 1 or group() frames, of which the first begins at `input` and each next
    // one `hop` samples later. The bins go to `target`, or to scratch if that is null or
    // FFTW cannot write there; returns where they are. One caller for each `thread` at a
    // time.
    const complex* transform(const char* input,
                             std::size_t hop,
                             std::size_t frames,
                             complex* target,
                             std::size_t thread) const;

    // Steps of the load, e.g. "cs16 window".
    std::string describe_load() const { return d_load.describe(); }

private:
    struct scratch {
        aligned_buffer<complex> loaded, bins; // a group each
    };

    load_step d_load;
    std::size_t d_n;
    std::size_t d_sample_bytes;
    std::size_t d_group;
    fftw_transform d_single;
    std::unique_ptr<fftw_transform> d_grouped; // if a group is more than a frame
    std::vector<scratch> d_scratch;
};

} // namespace gpufft
} // namespace gr

#endif
