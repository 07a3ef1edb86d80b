// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of bins for powers, for problems that need a general_transform: r2c, several axes,
// strides, 16-bit floats.

#ifndef INCLUDED_GPUFFT_GENERAL_BINS_H
#define INCLUDED_GPUFFT_GENERAL_BINS_H

#include "aligned_buffer.h"
#include "frame_bins.h"
#include "general_transform.h"
#include <vector>

namespace gr {
namespace gpufft {

class general_bins : public frame_bins
{
public:
    explicit general_bins(const problem& what);

    void allocate(std::size_t threads) override;
    void set_window(const std::vector<float>& taps) override;
    std::size_t together(std::size_t) const override { return 1; }
    std::size_t frames_per_task() const override;
    bool shifts_output() const override { return true; }
    const complex* transform(const char* input,
                             std::size_t hop,
                             std::size_t frames,
                             std::size_t position,
                             complex* target,
                             std::size_t thread) override;
    std::string describe_transform() const override;
    std::string describe_load() const override;

private:
    problem d_what;
    general_transform<float> d_transform;
    std::vector<aligned_buffer<complex>> d_bins; // a row for each thread
};

} // namespace gpufft
} // namespace gr

#endif
