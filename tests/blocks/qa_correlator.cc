// SPDX-License-Identifier: GPL-3.0-or-later
//
// Banks of correlators: their samples and rows stay on the card between two blocks, for
// frames that overlap, too; several cards keep the order; the CPU goes on where a card
// fails.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

class Correlator : public DeviceTest
{
protected:
    void run(const std::vector<stage>& stages, std::size_t samples = 40000)
    {
        random_source random(3);
        stream_data data = random_floats(random, samples, 2);
        add_random_tags(random, data, 30);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("correlators");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data),
                          data,
                          stages,
                          { 9000 },
                          sink);
        ASSERT_TRUE(runs(flowgraph));
        for (const stage& each : stages)
            EXPECT_EQ(each.ours[0]->error(), "") << each.text;
        EXPECT_EQ(difference(expected, sink->received(), false), "");
        EXPECT_GT(sink->count(), 0u);
    }

    static stage before(const stage_options& how = {})
    {
        return make_fft({ 64, false, true, false, true }, how);
    }
};

TEST_F(Correlator, SamplesAndRowsStayOnTheCard)
{
    const correlator_parameters cases[] = { { 60, 60, 2, 3, 1, 60 },
                                            { 60, 20, 2, 1, 1, 41 },
                                            { 60, 60, 1, 2, 3, 500 },
                                            { 30, 30, 1, 1, 2, 7 } };
    for (const correlator_parameters& each : cases) {
        const stage bank = make_correlator(each);
        const std::size_t row = bank.out_bytes / sizeof(float);
        const std::vector<stage> stages = { before(), bank, make_dct({ row }) };
        SCOPED_TRACE(bank.text);
        run(stages, 20000);
        EXPECT_EQ(bank.ours[0]->statistics().bytes_up, 0u);
        EXPECT_EQ(bank.ours[0]->statistics().bytes_down, 0u);
    }
}

TEST_F(Correlator, FromHostToHost)
{
    for (const char* engine : { "cuda", "cpu" })
        for (std::size_t hop : { 13, 60, 400 }) {
            stage_options how;
            how.engine = engine;
            how.threads = 2;
            const std::vector<stage> stages = { make_correlator({ 60, 31, 2, 2, 2, hop },
                                                                how) };
            SCOPED_TRACE(stages[0].text);
            run(stages, 20000);
            EXPECT_EQ(stages[0].ours[0]->engine(), engine);
        }
}

TEST_F(Correlator, SeveralCardsKeepTheOrder)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ before({ { 0, 1, 2 }, "stop" }),
          make_correlator({ 60, 20, 2, 2, 1, 41 }, { { 1, 0 }, "cpu" }) });
}

TEST_F(Correlator, TheCpuGoesOnWhereACardFails)
{
    const stage_options how{ { 0 }, "cpu" };
    for (auto kind : { test_devices::fault::lost, test_devices::fault::asynchronous })
        for (long call : { 20, 25, 31, 40, 55, 80 }) {
            const std::vector<stage> stages = {
                before(how), make_correlator({ 60, 20, 2, 2, 1, 41 }, how)
            };
            test_devices::fail(kind, call);
            SCOPED_TRACE(call);
            run(stages, 20000);
            EXPECT_TRUE(test_devices::struck());
            test_devices::reset();
        }
}

} // namespace gpufft
} // namespace gr
