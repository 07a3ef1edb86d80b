// SPDX-License-Identifier: GPL-3.0-or-later
//
// Base of the blocks that turn each frame into a row, of any lengths and formats: between
// vector ports, where each frame and each row is an item, or between plain streams, which
// the base cuts into frames.

#ifndef INCLUDED_GPUFFT_TRANSFORM_BASE_H
#define INCLUDED_GPUFFT_TRANSFORM_BASE_H

#include "engine_base.h"
#include "framer.h"
#include <gnuradio/io_signature.h>
#include <vector>

namespace gr {
namespace gpufft {

enum class port_kind { vectors, samples };

class transform_base : virtual public gr::block, public engine_base
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
    transform_base(const plan_settings& settings,
                   const engine_options& options,
                   port_kind ports);

    // Signatures of the ports. Throws std::invalid_argument for vectors too long for GNU
    // Radio.
    static gr::io_signature::sptr input_port(const problem& what, port_kind ports);
    static gr::io_signature::sptr output_port(const problem& what, port_kind ports);

private:
    int deliver_rest(void* output, std::size_t items);
    void forward_tags(const framer::run& next, std::size_t consumed);

    const port_kind d_ports;
    const std::size_t d_frame, d_row; // samples of a frame, bins of a row
    const std::size_t d_samples_in_item, d_bins_in_item;
    const std::size_t d_sample_bytes, d_bin_bytes;
    framer d_framer;
    std::vector<char> d_rest;    // a row for which the output had no room
    std::size_t d_delivered = 0; // bytes of d_rest already written
};

} // namespace gpufft
} // namespace gr

#endif
