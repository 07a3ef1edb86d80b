// SPDX-License-Identifier: GPL-3.0-or-later
//
// Complex transforms of one axis, the quick way: load step and FFTW, a frame or a small
// group of frames at a time.

#ifndef INCLUDED_GPUFFT_FRAME_TRANSFORM_H
#define INCLUDED_GPUFFT_FRAME_TRANSFORM_H

#include "aligned_buffer.h"
#include "bank_load.h"
#include "fftw_transform.h"
#include "frame_bins.h"
#include "load_step.h"
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class frame_transform : public frame_bins
{
public:
    explicit frame_transform(const problem& what);

    // True if this class computes such a problem.
    static bool takes(const problem& what);

    void allocate(std::size_t threads) override;
    void set_window(const std::vector<float>& taps) override;
    std::size_t group() const { return d_lines.group(); }
    std::size_t together(std::size_t left) const override
    {
        return d_lines.together(left);
    }
    std::size_t frames_per_task() const override;
    bool shifts_output() const override;
    const complex* transform(const char* input,
                             std::size_t hop,
                             std::size_t frames,
                             std::size_t position,
                             complex* target,
                             std::size_t thread) override;
    std::string describe_transform() const override { return std::to_string(d_n); }
    std::string describe_load() const override;

private:
    struct scratch {
        aligned_buffer<complex> loaded, bins; // a group each
        aligned_buffer<complex> converted;    // a polyphase bank's samples, grown as needed
    };

    const complex* load(const char* input,
                        std::size_t hop,
                        std::size_t frames,
                        std::size_t position,
                        scratch& own) const;

    load_step d_load;
    std::unique_ptr<bank_load> d_bank; // replaces it for polyphase banks
    std::size_t d_n;
    std::size_t d_sample_bytes;
    fftw_groups<float> d_lines;
    std::vector<scratch> d_scratch;
};

} // namespace gpufft
} // namespace gr

#endif
