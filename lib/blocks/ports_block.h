// SPDX-License-Identifier: GPL-3.0-or-later
//
// The block around a function with several inputs or outputs. The frames are those of the
// first input; from every other one as many are taken.

#ifndef INCLUDED_GPUFFT_PORTS_BLOCK_H
#define INCLUDED_GPUFFT_PORTS_BLOCK_H

#include "filter_block.h"
#include "stream/more_ports.h"
#include <gnuradio/gpufft/device_block.h>

namespace gr {
namespace gpufft {

class ports_block : public filter_block
{
public:
    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

protected:
    ports_block(const plan_settings& settings, const engine_options& options);

private:
    void check_neighbours();
    void check_cuda_buffers(bool are_items, const engine_options& options) const;
    const port_sizes* sizes() const override;
    int work_at_ports(int noutput_items,
                      gr_vector_int& ninput_items,
                      gr_vector_const_void_star& input_items,
                      gr_vector_void_star& output_items);
    port_buffers buffers_of(const gr_vector_int& ninput_items,
                            const gr_vector_const_void_star& input_items,
                            const gr_vector_void_star& output_items);
    bool has_rest() const;
    void hold_row(port_buffers& ports, chunked_stream::work_buffers& now);
    int deliver_rest(const gr_vector_void_star& output_items, std::size_t items);
    void forward_tags(std::size_t rows);

    const device_ports d_ports;
    port_sizes d_sizes;
    std::size_t d_most_items; // of a row, at an output
    // From start() on.
    std::vector<std::size_t> d_zeros;      // items before the stream, at each input
    std::vector<std::vector<char>> d_rest; // a row for which an output had no room
    std::vector<std::size_t> d_delivered;  // bytes of it
    std::uint64_t d_rows = 0;              // that are out
};

} // namespace gpufft
} // namespace gr

#endif
