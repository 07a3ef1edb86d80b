// SPDX-License-Identifier: GPL-3.0-or-later
//
// Base of the blocks that turn a stream of samples into rows of power or of peaks:
// framing, tags, plan.

#ifndef INCLUDED_GPUFFT_SPECTRUM_BASE_H
#define INCLUDED_GPUFFT_SPECTRUM_BASE_H

#include "engine_base.h"
#include "framer.h"

namespace gr {
namespace gpufft {

class spectrum_base : virtual public gr::block, public engine_base
{
public:
    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

protected:
    // items_per_sample: stream items per sample, 2 for interleaved integers.
    spectrum_base(const plan_settings& settings,
                  const engine_options& options,
                  std::size_t items_per_sample);

    // start() calls it before the first frame, with the plan of the new run. Returns the
    // number of samples to skip.
    virtual std::size_t begin() = 0;

    // Takes over other settings. Throws std::invalid_argument if the size of the FFT or
    // of a row changes, because these fix the buffers.
    void configure(const plan_settings& settings);
    std::size_t row_items() const { return d_what.row_items(); }

private:
    void forward_tags(const chunked_stream::result& next);

    const std::size_t d_items_per_sample;
    const problem d_what; // problem at construction, for the size of buffers
    framer d_framer;
};

} // namespace gpufft
} // namespace gr

#endif
