// SPDX-License-Identifier: GPL-3.0-or-later
//
// Holds of a power spectrum that are set and reset while a stream runs.

#include "device_test.h"
#include "test_blocks.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sync_block.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 64;

// Constant samples, of a level that the test changes.
class level_source : public gr::sync_block
{
public:
    level_source()
        : gr::sync_block("level_source",
                         gr::io_signature::make(0, 0, 0),
                         gr::io_signature::make(1, 1, sizeof(gr_complex)))
    {
        set_max_noutput_items(50 * N);
    }
    // Returns once all samples to come are of this level.
    void set_level(float level)
    {
        d_level = level;
        const std::uint64_t calls = d_calls;
        while (d_calls < calls + 2) // one may have begun before
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::uint64_t samples() const { return d_samples; }

    int work(int items, gr_vector_const_void_star&, gr_vector_void_star& out) override
    {
        std::fill_n(static_cast<gr_complex*>(out[0]), items, d_level.load());
        d_samples += items;
        ++d_calls;
        return items;
    }

private:
    std::atomic<float> d_level{ 1 };
    std::atomic<std::uint64_t> d_samples{ 0 }, d_calls{ 0 };
};

// Keeps bin 0 of the newest row.
class newest_row : public gr::sync_block
{
public:
    newest_row()
        : gr::sync_block("newest_row",
                         gr::io_signature::make(1, 1, N * sizeof(float)),
                         gr::io_signature::make(0, 0, 0))
    {
    }
    std::uint64_t rows() const { return d_rows; }
    float bin_zero() const { return d_bin_zero; }

    int work(int rows, gr_vector_const_void_star& in, gr_vector_void_star&) override
    {
        d_bin_zero = static_cast<const float*>(in[0])[(rows - 1) * N];
        d_rows += rows;
        return rows;
    }

private:
    std::atomic<std::uint64_t> d_rows{ 0 };
    std::atomic<float> d_bin_zero{ 0 };
};

} // namespace

// A hold begins with its setter, and anew when it is reset, by a call or by a message.
TEST_F(DeviceTest, HoldsAndTheirResets)
{
    const auto spectrum = power_spectrum_cf::make(
        N, N, "none", 1, "linear", false, "none", 1, 1, 1, "cuda");
    spectrum->set_max_output_buffer(200);
    const auto source = std::make_shared<level_source>();
    const auto sink = std::make_shared<newest_row>();
    const auto flowgraph = make_top_block("holds");
    flowgraph->connect(source, 0, spectrum, 0);
    flowgraph->connect(spectrum, 0, sink, 0);
    flowgraph->start();
    // What is sent after a setter has returned obeys it.
    const auto expect = [&](float power, const char* after) {
        const std::uint64_t sent = source->samples() / N + 1;
        while (sink->rows() <= sent && spectrum->error().empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_NEAR(sink->bin_zero() / (N * N), power, 1e-5) << after;
    };
    expect(1, "the start");
    spectrum->set_hold("max");
    expect(1, "a hold");
    source->set_level(2);
    expect(4, "more");
    source->set_level(0.5);
    expect(4, "less");
    spectrum->reset_hold();
    expect(0.25, "a reset");
    source->set_level(3);
    source->set_level(0.5);
    expect(9, "more, for a while");
    spectrum->_post(pmt::mp("reset"), pmt::PMT_NIL);
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (sink->bin_zero() / (N * N) > 1 && spectrum->error().empty() &&
           std::chrono::steady_clock::now() < patience) // a message takes time
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    expect(0.25, "a message");
    source->set_level(1);
    expect(1, "more again");
    spectrum->set_hold("min");
    expect(1, "another hold");
    source->set_level(0.5);
    source->set_level(2);
    expect(0.25, "less, for a while");
    spectrum->reset_hold();
    expect(4, "its reset");
    spectrum->set_hold("none");
    source->set_level(0.5);
    expect(0.25, "no hold");
    flowgraph->stop();
    flowgraph->wait();
    EXPECT_EQ(spectrum->error(), "");
    EXPECT_EQ(spectrum->engine(), "cuda");
}

} // namespace gpufft
} // namespace gr
