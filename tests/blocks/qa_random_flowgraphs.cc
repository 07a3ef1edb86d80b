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
};

TEST_F(RandomFlowgraphs, LoseAndChangeNothing)
{
    const unsigned graphs = environment("GPUFFT_TEST_GRAPHS", 120);
    const unsigned first = environment("GPUFFT_TEST_SEED", 1);
    int device_edges = 0;
    for (unsigned seed = first; seed < first + graphs; seed++) {
        SCOPED_TRACE("GPUFFT_TEST_SEED=" + std::to_string(seed));
        random_flowgraph graph(seed);
        device_edges += graph.device_edges();
        const int runs = seed % 4 == 0 ? 2 : 1; // a flowgraph can be started again
        for (int run = 0; run < runs; run++) {
            const std::string wrong = graph.run();
            ASSERT_EQ(wrong, "") << "run " << run << "\n" << graph.text();
        }
        ASSERT_TRUE(simulation::violations().empty())
            << simulation::violations()[0] << "\n"
            << graph.text();
    }
    EXPECT_TRUE(device_edges > 0 || graphs < 20);
}

} // namespace gpufft
} // namespace gr
