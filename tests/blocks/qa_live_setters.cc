// SPDX-License-Identifier: GPL-3.0-or-later
//
// Setters called at full rate while streams run: every row is of one of the settings.

#include "blocks/bank_core.h"
#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstring>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/power_spectrum.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 64;

typedef std::vector<float> row;

// The row that the settings make of a frame.
row row_of(const stream_data& frame, const problem& what, const row& window)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    const plan::uptr with = plan::make(what, options);
    if (what.window)
        with->set_window(window);
    row result(what.n * what.output_item_bytes() / sizeof(float));
    with->execute(frame.items.data(), result.data(), 1);
    return result;
}

bool is_row(const char* received, const row& expected)
{
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < expected.size(); k++) {
        float value;
        std::memcpy(&value, received + k * sizeof(float), sizeof(float));
        largest = std::max(largest, std::abs(double(expected[k])));
        if (!(std::abs(value - expected[k]) <= error)) // NaN stays
            error = std::abs(value - expected[k]);
    }
    return error <= 1e-3 * largest;
}

// Random, and as long as it takes for the windows to differ.
row random_window(unsigned seed)
{
    std::mt19937 random(seed);
    row taps(N);
    for (float& tap : taps)
        tap = 0.5f + static_cast<float>(random() % 1000) / 1000;
    return taps;
}

} // namespace

// The source sends one frame again and again.
class LiveSetters : public DeviceTest
{
protected:
    static constexpr std::size_t ENOUGH = 200; // calls of setters, and rows

    LiveSetters()
    {
        random_source random(3);
        d_frame = random_floats(random, N, 2);
        test_devices::set_speed({ 5e-5, 0, 1 });
    }

    // Runs the block on frames as items of so many samples while the setters are called.
    // `next`, if any, gets its rows.
    void run(const gr::block_sptr& block,
             std::size_t item_samples,
             std::size_t row_items,
             std::size_t item_bytes,
             const std::vector<std::function<void()>>& setters,
             const gr::block_sptr& next = nullptr)
    {
        constexpr double SECONDS = 3;
        stream_data data = d_frame;
        data.item_bytes *= item_samples;
        d_row_bytes = row_items * item_bytes;
        d_sink = std::make_shared<recording_sink>(item_bytes);
        block->set_max_output_buffer(200 * row_items);
        const auto flowgraph = make_top_block("setters");
        // A card must be slowed down: all that comes is kept.
        const pace how =
            test_devices::are_cards() ? pace{ 0, 200, INT_MAX, 0.001 } : pace{};
        flowgraph->connect(std::make_shared<scripted_source>(data, how, 0), 0, block, 0);
        for (const auto& each : setters) // compiles the kernels
            each();
        if (next)
            flowgraph->connect(block, 0, next, 0);
        flowgraph->connect(next ? next : block, 0, d_sink, 0);
        tally("starts");
        flowgraph->start();
        const auto begin = std::chrono::steady_clock::now();
        const auto lasts = [&](double seconds) {
            return std::chrono::steady_clock::now() - begin <
                   std::chrono::duration<double>(seconds);
        };
        const auto is_little = [&] { // on a busy machine
            return d_calls <= ENOUGH || d_sink->count() <= ENOUGH * row_items;
        };
        while (lasts(SECONDS) || (is_little() && lasts(100 * SECONDS))) {
            setters[d_calls % setters.size()]();
            ++d_calls;
        }
        flowgraph->stop();
        flowgraph->wait();
        const auto ours = std::dynamic_pointer_cast<engine_block>(block);
        EXPECT_EQ(ours->error(), "");
        EXPECT_EQ(ours->engine(), "cuda");
    }

    // Every row is one of these, and nearly all of these came.
    void expect_rows(const std::vector<row>& candidates)
    {
        const stream_data& received = d_sink->received();
        std::vector<int> seen(candidates.size());
        const std::size_t rows = received.items.size() / d_row_bytes;
        for (std::size_t i = 0; i < rows; i++) {
            const char* here = received.items.data() + i * d_row_bytes;
            const auto found =
                std::find_if(candidates.begin(),
                             candidates.end(),
                             [here](const row& each) { return is_row(here, each); });
            ASSERT_NE(found, candidates.end()) << "row " << i << " of " << rows;
            ++seen[found - candidates.begin()];
        }
        tally("items checked", rows);
        tally("setter calls", d_calls);
        EXPECT_GT(d_calls, ENOUGH);
        EXPECT_GT(rows, ENOUGH);
        const std::size_t kinds = seen.size() - std::count(seen.begin(), seen.end(), 0);
        EXPECT_GE(kinds, std::min<std::size_t>(seen.size(), 2));
    }

    stream_data d_frame;
    std::shared_ptr<recording_sink> d_sink;
    std::size_t d_row_bytes = 0;
    std::size_t d_calls = 0;
};

// Where there are always chunks on their way, they have to end for a setter to count.
TEST_F(LiveSetters, TakeOverInAStreamThatNeverRests)
{
    constexpr std::uint64_t AT_FIRST = 400, MOST = 4000; // many times what buffers hold
    const row before = random_window(1), after = random_window(2);
    const auto fft = fft_vcc_fwd::make(N, before, false, 1, "cuda");
    fft->set_max_output_buffer(200);
    stream_data data = d_frame;
    data.item_bytes *= N;
    d_sink = std::make_shared<recording_sink>(N * sizeof(gr_complex));
    const auto flowgraph = make_top_block("setters");
    flowgraph->connect(std::make_shared<scripted_source>(data, pace{}, 0), 0, fft, 0);
    flowgraph->connect(fft, 0, d_sink, 0);
    test_devices::set_speed({ 1e-3 });
    const auto wait_for = [&](std::uint64_t rows) {
        while (d_sink->count() < rows)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    flowgraph->start();
    wait_for(AT_FIRST);
    fft->set_window(after);
    wait_for(d_sink->count() + MOST);
    flowgraph->stop();
    flowgraph->wait();
    problem what;
    what.n = N;
    what.window = true;
    const stream_data& got = d_sink->received();
    EXPECT_TRUE(is_row(got.items.data() + got.items.size() - got.item_bytes,
                       row_of(d_frame, what, after)));
}

TEST_F(LiveSetters, WindowsOfVectors)
{
    const row windows[] = { random_window(1), random_window(2), random_window(3) };
    const auto fft = fft_vcc_fwd::make(N, windows[0], false, 1, "cuda");
    run(fft,
        N,
        1,
        N * sizeof(gr_complex),
        { [&] { fft->set_window(windows[0]); },
          [&] { fft->set_window(windows[1]); },
          [&] { fft->set_nthreads(2); },
          [&] { fft->set_window(windows[2]); },
          [&] { fft->set_window("none"); } });
    problem what;
    what.n = N;
    std::vector<row> rows = { row_of(d_frame, what, {}) };
    what.window = true;
    for (const row& window : windows)
        rows.push_back(row_of(d_frame, what, window));
    expect_rows(rows);
}

// Work that the host does not wait for must not get the new window either.
TEST_F(LiveSetters, WindowsBeforeADeviceEdge)
{
    const row windows[] = { random_window(1), random_window(2) };
    const auto fft = fft_vcc_fwd::make(N, windows[0], false, 1, "cuda");
    const auto inverse = fft_vcc_rev::make(N, "none", false, 1, "cuda");
    run(fft,
        N,
        1,
        N * sizeof(gr_complex),
        { [&] { fft->set_window(windows[0]); }, [&] { fft->set_window(windows[1]); } },
        inverse);
    std::vector<row> rows; // N w x
    for (const row& window : windows) {
        rows.emplace_back(2 * N);
        std::memcpy(rows.back().data(), d_frame.items.data(), d_frame.items.size());
        for (std::size_t i = 0; i < 2 * N; i++)
            rows.back()[i] *= N * window[i / 2];
    }
    expect_rows(rows);
}

TEST_F(LiveSetters, WindowsOfStreams)
{
    const row windows[] = { random_window(1), random_window(2) };
    const auto fft = fft_vcc_fwd::make(N, windows[0], true, 1, "cuda", 0, "stop", 1);
    run(fft,
        1,
        N,
        sizeof(gr_complex),
        { [&] { fft->set_window(windows[0]); }, [&] { fft->set_window(windows[1]); } });
    problem what;
    what.n = N;
    what.window = what.shift_output = true;
    expect_rows({ row_of(d_frame, what, windows[0]), row_of(d_frame, what, windows[1]) });
}

// One arm, as long as the frame: every row but for its map is the same.
TEST_F(LiveSetters, ChannelMaps)
{
    const std::vector<int> maps[] = { { 5, 60, 5, 0 },
                                      { 1, 2, 3, 4 },
                                      { 63, 0, 31, 31 } };
    channelizer_settings settings;
    settings.channels = settings.hop = N;
    settings.taps = random_window(1);
    settings.map = maps[0];
    const auto core = channelizer_core::make(settings, { "cuda", { 0 }, "stop" });
    std::vector<std::function<void()>> setters;
    std::vector<row> rows;
    for (const std::vector<int>& map : maps) {
        setters.push_back([&core, map] {
            core->change([&](channelizer_settings& next) { next.map = map; });
        });
        settings.map = map;
        const plan_settings expected = settings.resolve();
        plan_options options;
        options.engine = engine_kind::cpu;
        const plan::uptr with = plan::make(expected.what, options);
        with->set_window(expected.window);
        with->set_map(map);
        with->set_position(settings.origin(0));
        rows.emplace_back(2 * map.size());
        with->execute(d_frame.items.data(), rows.back().data(), 1);
    }
    run(core, 1, 1, maps[0].size() * sizeof(gr_complex), setters);
    expect_rows(rows);
}

// All settings of a power spectrum that change its rows. The frame repeats, so hop and
// average do not.
TEST_F(LiveSetters, PowerSpectrum)
{
    const row windows[] = { random_window(1), random_window(2) };
    const auto spectrum = power_spectrum_cf::make(
        N, N, windows[0], 1, "linear", false, "none", 1, 1, 1, "cuda");
    run(spectrum,
        1,
        1,
        N * sizeof(float),
        { [&] { spectrum->set_window(windows[1]); },
          [&] { spectrum->set_hop(2 * N); },
          [&] { spectrum->set_shift(true); },
          [&] { spectrum->set_window(windows[0]); },
          [&] { spectrum->set_hop(N); },
          [&] { spectrum->set_mode("db"); },
          [&] { spectrum->set_shift(false); },
          [&] { spectrum->set_mode("linear"); } });
    std::vector<row> rows;
    for (const row& window : windows)
        for (bool shift : { false, true })
            for (output_kind output : { output_kind::power, output_kind::decibel }) {
                problem what;
                what.n = N;
                what.window = true;
                what.shift_output = shift;
                what.output = output;
                rows.push_back(row_of(d_frame, what, window));
            }
    expect_rows(rows);
}

// A new average begins a new mean; a mean of equal frames is one of them.
TEST_F(LiveSetters, AverageAndSmoothing)
{
    const auto spectrum = power_spectrum_cf::make(
        N, N, "none", 1, "linear", false, "none", 1, 1, 1, "cuda");
    run(spectrum,
        1,
        1,
        N * sizeof(float),
        { [&] { spectrum->set_average(3); },
          [&] { spectrum->set_alpha(0.5); },
          [&] { spectrum->set_average(1); },
          [&] { spectrum->set_hop(3 * N); },
          [&] { spectrum->set_alpha(1); },
          [&] { spectrum->set_average(7); },
          [&] { spectrum->set_hop(N); } });
    problem what;
    what.n = N;
    what.output = output_kind::power;
    expect_rows({ row_of(d_frame, what, {}) });
}

} // namespace gpufft
} // namespace gr
