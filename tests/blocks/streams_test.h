// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests of a block with a stream for each channel, some of which have a neighbour on the
// card.

#ifndef INCLUDED_GPUFFT_TEST_STREAMS_TEST_H
#define INCLUDED_GPUFFT_TEST_STREAMS_TEST_H

#include "device_test.h"
#include "stages.h"

namespace gr {
namespace gpufft {

constexpr int CHANNELS = 5;

class StreamsTest : public DeviceTest
{
protected:
    void clear()
    {
        d_connected = CHANNELS;
        d_block = stage();
        d_neighbours.clear();
    }
    void SetUp() override { test_devices::compute_in_host_memory(true); }
    void TearDown() override
    {
        clear();
        DeviceTest::TearDown();
    }

    stream_statistics statistics() const { return d_block.ours[0]->statistics(); }

    static bool always(int) { return true; }
    static bool never(int) { return false; }
    static bool odd(int port) { return port % 2 == 1; }

    stage d_block;
    std::vector<stage> d_neighbours; // on the card
    int d_connected = CHANNELS;      // ports, the first
};

} // namespace gpufft
} // namespace gr

#endif
