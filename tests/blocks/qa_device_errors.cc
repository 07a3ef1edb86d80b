// SPDX-License-Identifier: GPL-3.0-or-later
//
// Device trouble while a flowgraph runs: it ends with the reason, or goes on with the CPU
// and loses nothing. The device is a plan that fails when told to.

#include "counted_vectors.h"
#include "passing_plan.h"
#include "stream/live_plan.h"
#include "test_devices.h"
#include <cmath>
#include <functional>
#include <future>
#include <gnuradio/gpufft/dct_vff.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sync_block.h>
#include <gnuradio/top_block.h>
#include <gtest/gtest.h>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

int s_calls_left; // calls of a plan that succeed; then device trouble
std::function<void()> s_before_trouble; // called then
bool s_window_fails;
std::function<void(const problem&, std::size_t frames)> s_at_call; // each that succeeds
std::size_t s_average_of_trouble; // whose means cannot be saved

// A plan on a device, until it fails.
class failing_plan : public passing_plan
{
public:
    using passing_plan::passing_plan;

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        prepare(frames);
        passing_plan::do_execute(input, output, frames);
    }
    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override
    {
        prepare(frames);
        passing_plan::do_enqueue(dev_input, dev_output, frames, stream, hop);
    }
    void do_set_window(const std::vector<float>& taps) override
    {
        if (s_window_fails)
            throw cuda_error(2, "cuMemcpyHtoD: out of memory (2)");
        passing_plan::do_set_window(taps);
    }

    bool do_save_mean(double* sums, float* held, void* stream) override
    {
        if (what().average == s_average_of_trouble)
            throw cuda_error(719, "cuMemcpyDtoDAsync: launch failure (719)");
        return passing_plan::do_save_mean(sums, held, stream);
    }

private:
    void prepare(std::size_t frames)
    {
        if (s_calls_left-- <= 0) {
            if (s_before_trouble)
                s_before_trouble();
            throw cuda_error(719, "cuLaunchKernel: launch failure (719)");
        }
        if (s_at_call)
            s_at_call(what(), frames);
    }
};

class DeviceErrors : public testing::Test
{
protected:
    DeviceErrors()
    {
        live_plan::s_make = make_troubled<failing_plan>;
        live_plan::s_make_device = test_devices::make_device;
        s_calls_left = 3;
        s_window_fails = false;
        s_before_trouble = nullptr;
        s_at_call = nullptr;
        s_average_of_trouble = 0;
    }
    ~DeviceErrors() override
    {
        live_plan::s_make = plan::make;
        live_plan::s_make_device = make_cuda_device;
    }

    // Connects source -> block -> sink.
    void connect(block_sptr block, int vlen, std::size_t item_bytes, std::size_t stride)
    {
        d_sink = std::make_shared<keeping_sink>(item_bytes, stride);
        d_flowgraph = make_top_block("device_errors");
        block->set_max_noutput_items(50 * static_cast<int>(stride)); // so: many calls
        d_flowgraph->connect(std::make_shared<counting_source>(vlen), 0, block, 0);
        d_flowgraph->connect(block, 0, d_sink, 0);
        d_flowgraph->msg_connect(block, "status", d_sink, "status");
    }

    // Runs the flowgraph to its end; false if it hangs.
    bool run()
    {
        tally("starts");
        d_flowgraph->start();
        auto ended = std::async(std::launch::async, [this] { d_flowgraph->wait(); });
        if (ended.wait_for(std::chrono::seconds(300)) == std::future_status::ready)
            return true;
        d_flowgraph->stop();
        return false;
    }

    // Vector v came as v + 1 (or its square), the first `count` of them.
    void expect_counted(std::size_t count, bool squared = false)
    {
        ASSERT_EQ(d_sink->values.size(), count);
        for (std::size_t v = 0; v < count; v++) {
            const float expected = squared ? (v + 1.0f) * (v + 1.0f) : v + 1.0f;
            ASSERT_FLOAT_EQ(d_sink->values[v], expected);
        }
    }

    fft_vcc_fwd::sptr make_fft(const std::string& on_error, int vlen = N)
    {
        return fft_vcc_fwd::make(N, {}, false, 1, "cuda", 0, on_error, vlen);
    }

    top_block_sptr d_flowgraph;
    std::shared_ptr<keeping_sink> d_sink;
};

} // namespace

TEST_F(DeviceErrors, StopEndsTheFlowgraphWithTheReason)
{
    const auto fft = make_fft("stop");
    connect(fft, N, N * sizeof(gr_complex), 1);
    ASSERT_TRUE(run());
    EXPECT_EQ(fft->error(), "cuLaunchKernel: launch failure (719)");
    EXPECT_EQ(fft->engine(), "cuda");
    EXPECT_LT(d_sink->values.size(), std::size_t(VECTORS));
    expect_counted(d_sink->values.size()); // what did come is right
}

TEST_F(DeviceErrors, StopPublishesItsStatus)
{
    connect(make_fft("stop"), N, N * sizeof(gr_complex), 1);
    ASSERT_TRUE(run());
    // The sink may have ended before it handled the message; then it is in its queue.
    if (d_sink->statuses.empty() && d_sink->nmsgs(pmt::mp("status")) > 0)
        d_sink->statuses.push_back(d_sink->delete_head_nowait(pmt::mp("status")));
    ASSERT_EQ(d_sink->statuses.size(), 1u);
    const pmt::pmt_t status = d_sink->statuses[0];
    EXPECT_EQ(
        pmt::symbol_to_string(pmt::dict_ref(status, pmt::mp("error"), pmt::PMT_NIL)),
        "cuLaunchKernel: launch failure (719)");
    EXPECT_EQ(
        pmt::symbol_to_string(pmt::dict_ref(status, pmt::mp("engine"), pmt::PMT_NIL)),
        "cuda");
}

TEST_F(DeviceErrors, CpuGoesOnAndLosesNothing)
{
    const auto fft = make_fft("cpu");
    connect(fft, N, N * sizeof(gr_complex), 1);
    ASSERT_TRUE(run());
    expect_counted(VECTORS);
    EXPECT_EQ(fft->error(), "");
    EXPECT_EQ(fft->engine(), "cpu");
}

TEST_F(DeviceErrors, CpuGoesOnInStreams)
{
    const auto fft = make_fft("cpu", 1);
    connect(fft, 1, sizeof(gr_complex), N);
    ASSERT_TRUE(run());
    expect_counted(VECTORS);
    EXPECT_EQ(fft->engine(), "cpu");
}

TEST_F(DeviceErrors, CpuGoesOnInSpectra)
{
    const auto spectrum = power_spectrum_cf::make(
        N, {}, {}, 1, "linear", false, "none", 1.0, 1.0, 1, "cuda", 0, "cpu");
    connect(spectrum, 1, N * sizeof(float), 1);
    ASSERT_TRUE(run());
    expect_counted(VECTORS, true);
    EXPECT_EQ(spectrum->engine(), "cpu");
}

// Counts, largest and smallest of a row that the card had begun.
TEST_F(DeviceErrors, CpuGoesOnInDensities)
{
    constexpr int AVERAGE = 11, CELLS = 4 * 8;
    const auto spectrum = power_spectrum_cf::make(N,
                                                  {},
                                                  {},
                                                  AVERAGE,
                                                  "linear",
                                                  false,
                                                  "none",
                                                  1.0,
                                                  1.0,
                                                  1,
                                                  "cuda",
                                                  0,
                                                  "cpu",
                                                  "mean",
                                                  "none",
                                                  4,
                                                  8,
                                                  0,
                                                  80);
    connect(spectrum, 1, spectrum->row_floats() * sizeof(float), 1);
    spectrum->set_max_noutput_items(10);
    d_sink->value_of = [](const float* row) {
        EXPECT_EQ(std::accumulate(row + 3 * N, row + 3 * N + CELLS, 0.0f), AVERAGE * N);
        EXPECT_FLOAT_EQ(std::sqrt(row[N]) - std::sqrt(row[2 * N]), AVERAGE - 1.0f);
        return row[N];
    };
    ASSERT_TRUE(run());
    EXPECT_EQ(spectrum->engine(), "cpu");
    ASSERT_EQ(d_sink->values.size(), std::size_t(VECTORS / AVERAGE));
    for (std::size_t row = 0; row < d_sink->values.size(); ++row)
        EXPECT_FLOAT_EQ(std::sqrt(d_sink->values[row]), (row + 1.0f) * AVERAGE);
}

TEST_F(DeviceErrors, StopEndsSpectra)
{
    const auto spectrum = power_spectrum_cf::make(
        N, {}, {}, 1, "linear", false, "none", 1.0, 1.0, 1, "cuda", 0, "stop");
    connect(spectrum, 1, N * sizeof(float), 1);
    ASSERT_TRUE(run());
    EXPECT_NE(spectrum->error(), "");
    expect_counted(d_sink->values.size(), true);
}

TEST_F(DeviceErrors, TroubleInASetterIsHandledByTheBlock)
{
    for (const std::string on_error : { "stop", "cpu" }) {
        s_window_fails = false;
        s_calls_left = 1 << 30;
        const auto fft = fft_vcc_fwd::make(N, "hamming", false, 1, "cuda", 0, on_error);
        s_window_fails = true;
        EXPECT_TRUE(fft->set_window(std::vector<float>(N, 1.0f)));
        connect(fft, N, N * sizeof(gr_complex), 1);
        ASSERT_TRUE(run());
        if (on_error == "cpu")
            expect_counted(VECTORS);
        else
            EXPECT_EQ(fft->error(), "cuMemcpyHtoD: out of memory (2)");
    }
}

// What a setter leaves while a call runs is for the next call: this one's frames and its
// room for rows were counted before.
TEST_F(DeviceErrors, CpuRepeatsTheCallWithItsOwnHop)
{
    const auto spectrum = power_spectrum_cf::make(
        N, {}, {}, 1, "linear", false, "none", 1.0, 1.0, 1, "cuda", 0, "cpu");
    s_before_trouble = [&] { spectrum->set_hop(2 * N); };
    connect(spectrum, 1, N * sizeof(float), 1);
    ASSERT_TRUE(run());
    EXPECT_EQ(spectrum->engine(), "cpu");
    ASSERT_GT(d_sink->values.size(), std::size_t(VECTORS / 2));
    float step = 1; // from vector to vector, then over every second one
    for (std::size_t row = 1; row < d_sink->values.size(); row++) {
        const float now =
            std::sqrt(d_sink->values[row]) - std::sqrt(d_sink->values[row - 1]);
        ASSERT_TRUE(now == step || now == 2) << "row " << row << ": " << now;
        step = now;
    }
    EXPECT_EQ(step, 2);
    EXPECT_GE(d_sink->values.back(), (VECTORS - 1.0f) * (VECTORS - 1.0f));
}

// Chunks in flight on the card are computed again, here with the hop that a setter left
// meanwhile. A reader on the card must not get the rows that the card had made of them.
TEST_F(DeviceErrors, RowsOfDroppedChunksAreNotReadOnTheCard)
{
    for (int i = 0; i < 10; ++i) { // how much is in flight differs
        const auto spectrum = power_spectrum_cf::make(
            N, {}, {}, 1, "linear", false, "none", 1.0, 1.0, 1, "cuda", 0, "cpu");
        const auto reader = dct_vff::make(N, 2, false, "none", 1, "cuda", 0, "cpu");
        s_calls_left = 1 << 30;
        int calls = 0;
        s_at_call = [&](const problem& what, std::size_t) {
            if (!what.is_power() || ++calls != 6)
                return;
            spectrum->set_hop(2 * N);
            throw cuda_error(2, "cuLaunchKernel: out of memory (2)");
        };
        const auto source = std::make_shared<counting_source>(1);
        source->set_max_output_buffer(64 * N);
        spectrum->set_max_output_buffer(128);
        reader->set_max_output_buffer(128);
        d_sink = std::make_shared<keeping_sink>(N * sizeof(float), 1);
        d_flowgraph = make_top_block("device_errors");
        d_flowgraph->connect(source, 0, spectrum, 0);
        d_flowgraph->connect(spectrum, 0, reader, 0);
        d_flowgraph->connect(reader, 0, d_sink, 0);
        ASSERT_TRUE(run());
        EXPECT_EQ(spectrum->engine(), "cpu");
        EXPECT_EQ(reader->engine(), "cuda");
        ASSERT_GT(d_sink->values.size(), std::size_t(VECTORS / 2));
        float step = 1; // from frame to frame, then over every second one
        for (std::size_t row = 1; row < d_sink->values.size(); row++) {
            const auto frame = [&](std::size_t of) {
                return std::round(std::sqrt(d_sink->values[of] / (2 * N)));
            };
            const float now = frame(row) - frame(row - 1);
            ASSERT_TRUE(now == step || now == 2) << "row " << row << ": " << now;
            step = now;
        }
        EXPECT_EQ(step, 2);
    }
}

// Another average begins a new row. If the card then fails before the first mean of it is
// saved, the CPU begins that row, too, and does not continue the one before it.
TEST_F(DeviceErrors, CpuBeginsTheRowOfAnotherAverage)
{
    constexpr std::size_t BEFORE = 11, AFTER = 7;
    const auto spectrum = power_spectrum_cf::make(
        N, {}, {}, BEFORE, "linear", false, "none", 1.0, 1.0, 1, "cuda", 0, "cpu", "max");
    s_calls_left = 1 << 30;
    s_average_of_trouble = AFTER;
    std::size_t frames_before = 0; // with the first average
    s_at_call = [&](const problem& what, std::size_t frames) {
        ASSERT_EQ(what.average, BEFORE);
        frames_before += frames;
        if (frames_before > 3 * BEFORE && frames_before % BEFORE != 0)
            spectrum->set_average(AFTER);
    };
    connect(spectrum, 1, N * sizeof(float), 1);
    ASSERT_TRUE(run());
    EXPECT_EQ(spectrum->engine(), "cpu");
    ASSERT_LT(frames_before, std::size_t(VECTORS)) << "nothing was left for the CPU";
    std::vector<float> expected;
    for (std::size_t end = BEFORE; end <= frames_before; end += BEFORE)
        expected.push_back(float(end * end));
    for (std::size_t end = frames_before + AFTER; end <= VECTORS; end += AFTER)
        expected.push_back(float(end * end));
    EXPECT_EQ(d_sink->values, expected);
}

TEST_F(DeviceErrors, CpuGoesOnFromTheStart)
{
    s_calls_left = 0; // the row of silence before the first
    const auto spectrum =
        logpwrfft_c::make(N, N, 2, 1, 0.5, true, {}, false, false, 1, "cuda", 0, "cpu");
    connect(spectrum, 1, N * sizeof(float), 1);
    ASSERT_TRUE(run());
    EXPECT_EQ(spectrum->error(), "");
    EXPECT_EQ(spectrum->engine(), "cpu");
    EXPECT_EQ(d_sink->values.size(), std::size_t(VECTORS));
}

TEST_F(DeviceErrors, NextRunStartsWithoutTheError)
{
    const auto fft = make_fft("stop");
    connect(fft, N, N * sizeof(gr_complex), 1);
    ASSERT_TRUE(run());
    EXPECT_NE(fft->error(), "");
    s_calls_left = 1 << 30;
    ASSERT_TRUE(run());
    EXPECT_EQ(fft->error(), "");
    expect_counted(VECTORS);
}

} // namespace gpufft
} // namespace gr
