// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cpu engine's plan for several filters of one stream and for running ones:
// overlap-save with one forward transform per part, then for each filter the product with
// its response, folding, and a short inverse. Threads share the parts.

#ifndef INCLUDED_GPUFFT_CHANNEL_PLAN_H
#define INCLUDED_GPUFFT_CHANNEL_PLAN_H

#include "aligned_buffer.h"
#include "fftw_transform.h"
#include "thread_pool.h"
#include <complex>
#include <gnuradio/gpufft/plan.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

class channel_plan : public plan
{
public:
    channel_plan(const problem& what, int threads);

    std::string describe() const override;
    void set_threads(int threads) override;
    std::size_t frames_together() const override { return d_outputs; }

private:
    typedef std::complex<float> complex;

    struct channel {
        bool is_made = false;
        rotation turns;                 // rotation that this was made for
        std::vector<std::size_t> zones; // zones of the response that matter
        aligned_buffer<complex> response;
        aligned_buffer<complex> turned; // running: rotation of a part's outputs, from the
                                        // first one's phase on
    };
    struct scratch {
        aligned_buffer<complex> samples, spectrum;                // of a part
        aligned_buffer<complex> product, group, folded, filtered; // of a channel
    };

    void do_execute(const void* input, void* output, std::size_t frames) override;
    void do_set_window(const std::vector<float>& taps) override;
    void do_set_double_window(const std::vector<double>& taps) override;
    void do_set_rotations() override { make_channels(); }
    void do_reset_average() override {} // there is none

    void make_channels();
    void make(std::size_t index, channel& next) const;
    void transform(const complex* samples, std::size_t count, scratch& own) const;
    void filter(const channel& by, scratch& own) const;
    void store(std::size_t index,
               std::uint64_t position,
               const complex* filtered,
               complex* rows,
               std::size_t count) const;

    const std::size_t d_hop;     // the decimation
    const std::size_t d_length;  // of a part
    const std::size_t d_points;  // of an inverse
    const std::size_t d_outputs; // rows of a part
    const std::size_t d_samples; // samples that they need: all others count as zero
    fftw_lines<float> d_forward, d_backward;
    fftw_lines<double> d_exact; // for responses
    std::vector<double> d_taps;
    double d_scale;
    std::vector<channel> d_channels;
    std::vector<scratch> d_scratch; // of each thread
    std::unique_ptr<thread_pool> d_pool;
};

} // namespace gpufft
} // namespace gr

#endif
