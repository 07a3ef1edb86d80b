// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests on devices share.

#ifndef INCLUDED_GPUFFT_DEVICE_TEST_H
#define INCLUDED_GPUFFT_DEVICE_TEST_H

#include "test_devices.h"
#include <gnuradio/top_block.h>
#include <gtest/gtest.h>

namespace gr {
namespace gpufft {

// Puts the devices under the tests in place. At its end there must be nothing left of
// them, and no violation.
class DeviceTest : public testing::Test
{
protected:
    DeviceTest();
    void TearDown() override;
    ~DeviceTest() override;
};

// Waits for the flowgraph, which has been started, to end by itself; stops it and returns
// false if it hangs.
bool ends(const top_block_sptr& flowgraph, double seconds = 600);

// Starts it first, with at most so many items in a call.
bool runs(const top_block_sptr& flowgraph,
          double seconds = 600,
          int most_items = 100000000);

// A number from the environment.
double environment(const char* name, double otherwise);

// Of this process. The bytes are those in memory but for what is mapped from elsewhere,
// such as GNU Radio's buffers, whose pages appear when they are first used.
std::size_t private_bytes();
int descriptors();
int threads();

// threads(), after some time if there are more than `most`: threads that nobody waits for
// may still be ending.
int threads_left(int most);

} // namespace gpufft
} // namespace gr

#endif
