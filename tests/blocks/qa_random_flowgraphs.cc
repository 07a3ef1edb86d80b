// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random flowgraphs on simulated devices: every sample and every tag at every end.
// GPUFFT_TEST_GRAPHS says how many, GPUFFT_TEST_SEED the first one's seed.

#include "random_flowgraph.h"
#include "simulated_test.h"

namespace gr {
namespace gpufft {

class RandomFlowgraphs : public SimulatedTest
{
protected:
    // Runs the graph of this seed. False if something went wrong.
    static bool check(unsigned seed)
    {
        simulation::reset();
        random_flowgraph graph(seed);
        s_device_edges += graph.device_edges();
        const int runs = seed % 4 == 0 ? 2 : 1; // a flowgraph can be started again
        std::string wrong;
        for (int run = 0; run < runs && wrong.empty(); run++)
            wrong = graph.run();
        for (const std::string& violation : simulation::violations())
            wrong += (wrong.empty() ? "" : "\n") + violation;
        EXPECT_EQ(wrong, "") << "GPUFFT_TEST_SEED=" << seed << "\n" << graph.text();
        return wrong.empty();
    }

    static int s_device_edges;
};

int RandomFlowgraphs::s_device_edges = 0;

TEST_F(RandomFlowgraphs, LoseAndChangeNothing)
{
    constexpr int ENOUGH_FAILURES = 10;
    const unsigned graphs = environment("GPUFFT_TEST_GRAPHS", 120);
    const unsigned first = environment("GPUFFT_TEST_SEED", 1);
    int failures = 0;
    for (unsigned i = 0; i < graphs && failures < ENOUGH_FAILURES; i++)
        failures += !check(first + i);
    EXPECT_TRUE(s_device_edges > 0 || graphs < 20);
}

} // namespace gpufft
} // namespace gr
