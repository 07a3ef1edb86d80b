// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random flowgraphs: every sample and every tag at every end. GPUFFT_TEST_GRAPHS says how
// many, GPUFFT_TEST_SEED the first one's seed. They come in parts, which Google Test can
// deal out to several processes.

#include "device_test.h"
#include "random_flowgraph.h"

namespace gr {
namespace gpufft {

constexpr unsigned PARTS = 16;

class RandomFlowgraphs : public DeviceTest, public testing::WithParamInterface<unsigned>
{
protected:
    // Runs the graph of this seed. False if something went wrong.
    static bool check(unsigned seed)
    {
        test_devices::reset();
        random_flowgraph graph(seed);
        s_device_edges += graph.device_edges();
        const int runs = seed % 4 == 0 ? 2 : 1; // a flowgraph can be started again
        std::string wrong;
        for (int run = 0; run < runs && wrong.empty(); run++)
            wrong = graph.run();
        tally("random flowgraphs");
        for (const std::string& violation : test_devices::violations())
            wrong += (wrong.empty() ? "" : "\n") + violation;
        EXPECT_EQ(wrong, "") << "GPUFFT_TEST_SEED=" << seed << "\n" << graph.text();
        return wrong.empty();
    }

    static int s_device_edges;
};

int RandomFlowgraphs::s_device_edges = 0;

TEST_P(RandomFlowgraphs, LoseAndChangeNothing)
{
    constexpr int ENOUGH_FAILURES = 10;
    const unsigned graphs = environment("GPUFFT_TEST_GRAPHS", 120);
    const unsigned first = environment("GPUFFT_TEST_SEED", 1);
    int failures = 0;
    unsigned checked = 0;
    for (unsigned i = GetParam(); i < graphs && failures < ENOUGH_FAILURES; i += PARTS) {
        failures += !check(first + i);
        ++checked;
    }
    EXPECT_TRUE(s_device_edges > 0 || checked < 20);
}

INSTANTIATE_TEST_SUITE_P(Part, RandomFlowgraphs, testing::Range(0u, PARTS));

} // namespace gpufft
} // namespace gr
