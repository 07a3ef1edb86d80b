// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for several filters of one stream and for running ones: one
// forward transform per part, then for each filter the product with its response,
// folding, and a short inverse.

#ifndef INCLUDED_GPUFFT_CHANNEL_PLAN_H
#define INCLUDED_GPUFFT_CHANNEL_PLAN_H

#include "overlap_plan.h"

namespace gr {
namespace gpufft {

class channel_plan : public overlap_plan
{
public:
    channel_plan(const problem& what, int threads);

private:
    struct channel {
        bool is_made = false;
        rotation turns;                 // rotation that this was made for
        std::vector<std::size_t> zones; // zones of the response that matter
        aligned_buffer<complex> response;
        aligned_buffer<complex> turned; // running: rotation of a part's outputs, from the
                                        // first one's phase on
    };
    struct scratch {
        aligned_buffer<complex> samples, spectrum;                // a part's
        aligned_buffer<complex> product, group, folded, filtered; // a channel's
        aligned_buffer<complex> rows; // a part's, before they are converted
    };

    std::string describe_transform() const override;
    void allocate(std::size_t threads) override;
    void do_set_rotations() override { make_channels(); }
    void make_responses() override;
    void run_part(const part& what, std::size_t thread) override;

    void make_channels();
    void make(std::size_t index, channel& next) const;
    void filter(const channel& by, scratch& own) const;
    void store(std::size_t index,
               std::uint64_t position,
               const complex* filtered,
               complex* rows,
               std::size_t count) const;

    const std::size_t d_points; // points of an inverse
    const fftw_lines<float> d_backward;
    std::vector<channel> d_channels;
    std::vector<scratch> d_scratch; // one for each thread
};

} // namespace gpufft
} // namespace gr

#endif
