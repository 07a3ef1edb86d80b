// SPDX-License-Identifier: GPL-3.0-or-later
//
// The block around a function with several inputs or outputs. The frames are those of the
// first input; from every other one as many are taken.

#ifndef INCLUDED_GPUFFT_PORTS_BLOCK_H
#define INCLUDED_GPUFFT_PORTS_BLOCK_H

#include "filter_block.h"
#include "stream/port_sizes.h"
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
    std::size_t taken(int input, std::size_t) const override
    {
        return d_ports.inputs[input].decimation;
    }
    std::size_t given(int output) const override
    {
        return d_ports.outputs[output].interpolation;
    }
    int work_at_ports(int noutput_items,
                      gr_vector_int& ninput_items,
                      gr_vector_const_void_star& input_items,
                      gr_vector_void_star& output_items);
    std::size_t frames_of(const gr_vector_int& ninput_items) const;
    bool has_rest() const;
    gr_vector_void_star hold_row();
    int deliver_rest(const gr_vector_void_star& output_items, std::size_t items);

    const device_ports d_ports;
    port_sizes d_sizes;
    std::size_t d_most_items; // of a row, at an output
    // From start() on.
    std::vector<std::vector<char>> d_rest; // a row for which an output had no room
    std::vector<std::size_t> d_delivered;  // bytes of it
};

} // namespace gpufft
} // namespace gr

#endif
