// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random flowgraphs: every sample and every tag at every end. GPUFFT_TEST_GRAPHS says how
// many, GPUFFT_TEST_SEED the first one's seed. They come in parts, which Google Test can
// deal out to several processes. One that fails does not stop the others; the seeds of
// those that failed are listed at the end.

#include "device_test.h"
#include "random_flowgraph.h"
#include <cstdio>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

constexpr unsigned PARTS = 16;

class RandomFlowgraphs : public DeviceTest, public testing::WithParamInterface<unsigned>
{
protected:
    // Runs the graph of this seed.
    static void check(unsigned seed)
    {
        test_devices::reset();
        std::string text, wrong;
        try {
            random_flowgraph graph(seed);
            text = graph.text();
            s_device_edges += graph.device_edges();
            const int runs = seed % 4 == 0 ? 2 : 1; // a flowgraph can be started again
            for (int run = 0; run < runs && wrong.empty(); run++)
                wrong = graph.run();
        } catch (const std::exception& error) {
            wrong = error.what();
        }
        tally("random flowgraphs");
        for (const std::string& violation : test_devices::violations())
            wrong += (wrong.empty() ? "" : "\n") + violation;
        EXPECT_EQ(wrong, "") << "GPUFFT_TEST_SEED=" << seed << "\n" << text;
        if (!wrong.empty())
            s_failed.push_back(seed);
    }

    static void TearDownTestSuite()
    {
        if (!s_failed.empty())
            std::printf("GPUFFT_TEST_SEED of the %zu that failed: %s\n",
                        s_failed.size(),
                        fmt::format("{}", fmt::join(s_failed, " ")).c_str());
    }

    static int s_device_edges;
    static std::vector<unsigned> s_failed;
};

int RandomFlowgraphs::s_device_edges = 0;
std::vector<unsigned> RandomFlowgraphs::s_failed;

TEST_P(RandomFlowgraphs, LoseAndChangeNothing)
{
    const unsigned graphs = environment("GPUFFT_TEST_GRAPHS", 120);
    const unsigned first = environment("GPUFFT_TEST_SEED", 1);
    unsigned checked = 0;
    for (unsigned i = GetParam(); i < graphs; i += PARTS) {
        check(first + i);
        ++checked;
    }
    EXPECT_TRUE(s_device_edges > 0 || checked < 20);
}

INSTANTIATE_TEST_SUITE_P(Part, RandomFlowgraphs, testing::Range(0u, PARTS));

} // namespace gpufft
} // namespace gr
