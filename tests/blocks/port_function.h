// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's function with any number of inputs and outputs, each with its own sizes.

#ifndef INCLUDED_GPUFFT_TEST_PORT_FUNCTION_H
#define INCLUDED_GPUFFT_TEST_PORT_FUNCTION_H

#include "stages.h"
#include "stream_data.h"
#include <gnuradio/gpufft/device_block.h>

namespace gr {
namespace gpufft {

// Item j of a row of output k is k + 1 times the sum, over all inputs i, of i + 1 times
// the frame's float j modulo the frame's length, with its history in front. All are
// floats. On cards a kernel computes it.
class port_function : public device_function
{
public:
    // Fails in this call of a card; -1: in none.
    explicit port_function(const device_ports& ports, long sound_calls = -1);

    std::string name() const override { return "mix"; }
    void prepare(int device) override;
    void release(int device) override;
    void compute(const device_call& call) override;

    // What the outputs give for these streams, with the tags of all.
    static std::vector<stream_data> expect(const device_ports& ports,
                                           const std::vector<stream_data>& streams);

private:
    const device_ports d_ports;
    const std::shared_ptr<device_function> d_kernel; // null on simulated devices
    const long d_sound_calls;
    long d_calls = 0;
};

} // namespace gpufft
} // namespace gr

#endif
