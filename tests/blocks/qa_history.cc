// SPDX-License-Identifier: GPL-3.0-or-later
//
// The zeros before a stream of filters and banks: there in the first run, and again
// after GNU Radio's unlock(), which forgets them.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <thread>

namespace gr {
namespace gpufft {

class History : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 60000;

    History()
    {
        random_source random(5);
        d_data = random_floats(random, SAMPLES, 2);
        add_random_tags(random, d_data, 30);
        d_source = std::make_shared<scripted_source>(d_data);
    }

    // source -> stages -> a sink of its own.
    void connect(const std::vector<stage>& stages, int buffer)
    {
        d_sinks.push_back(std::make_shared<recording_sink>(stages.back().out_bytes));
        d_expected.push_back(connect_chain(
            d_flowgraph, d_source, d_data, stages, { buffer }, d_sinks.back()));
    }

    // The whole stream comes three times: at the start, and after each of two unlock().
    void expect_all_again_after_unlock()
    {
        d_flowgraph->start();
        for (int i = 0; i < 2; ++i) {
            wait_for_all();
            d_flowgraph->lock();
            d_flowgraph->unlock();
            check(&recording_sink::received_before);
        }
        ASSERT_TRUE(ends(d_flowgraph));
        check(&recording_sink::received);
    }

    // Or until no more can come.
    void wait_for_all()
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(600);
        for (std::size_t i = 0; i < d_sinks.size(); ++i)
            while (d_sinks[i]->count() < d_expected[i].count() &&
                   !d_sinks[i]->has_stopped() && std::chrono::steady_clock::now() < end)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    void check(const stream_data& (recording_sink::*received)() const)
    {
        for (std::size_t i = 0; i < d_sinks.size(); ++i)
            EXPECT_EQ(difference(d_expected[i], ((*d_sinks[i]).*received)(), false), "")
                << "sink " << i;
    }

    void TearDown() override
    {
        d_flowgraph.reset();
        d_source.reset();
        d_sinks.clear();
        DeviceTest::TearDown();
    }

    top_block_sptr d_flowgraph = make_top_block("history");
    stream_data d_data;
    std::shared_ptr<scripted_source> d_source;
    std::vector<std::shared_ptr<recording_sink>> d_sinks;
    std::vector<stream_data> d_expected;
};

TEST_F(History, OfFilters)
{
    connect({ make_channels({ 3, 500 }) }, 20000);
    expect_all_again_after_unlock();
}

TEST_F(History, OfChannelizers)
{
    connect({ make_channelizer({ 20, 15, 600 }) }, 2000);
    expect_all_again_after_unlock();
}

TEST_F(History, OfSynthesizers)
{
    connect({ make_stream_to_vector(8, 16), make_synthesizer({ 16, 12, 64 }) }, 5000);
    expect_all_again_after_unlock();
}

TEST_F(History, OfReadersOfOneBuffer)
{
    connect({ make_channels({ 3, 500 }) }, 20000);
    connect({ make_channels({ 10, 5000 }) }, 20000);
    connect({ make_channelizer({ 20, 15, 600 }) }, 2000);
    expect_all_again_after_unlock();
}

TEST_F(History, OnTheCard)
{
    const stage fft = make_fft({ 64, false, true, false, true });
    const stage bank = make_channelizer({ 79, 45, 1000 });
    connect({ fft, bank }, 9000);
    expect_all_again_after_unlock();
    EXPECT_EQ(bank.ours[0]->statistics().bytes_up, 0u);
}

// Longer than the buffer: the frames are collected.
TEST_F(History, OfLongFilters)
{
    d_source->set_max_output_buffer(5000);
    connect({ make_channels({ 7, 9000, { 0.12345, -0.31 } }) }, 2000);
    expect_all_again_after_unlock();
}

} // namespace gpufft
} // namespace gr
