// SPDX-License-Identifier: GPL-3.0-or-later
//
// Setters in one thread while another starts and stops, locks and unlocks: whose plan it
// is changes each time. ThreadSanitizer sees who touches it without owning it.

#include "device_test.h"
#include "test_blocks.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <gnuradio/gpufft/channel_bank_cc.h>
#include <gnuradio/gpufft/fft_filter.h>
#include <gnuradio/gpufft/freq_xlating_fft_filter.h>
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr int STARTS = 5; // of each block
constexpr int CHANNELS = 8;

// A block between streams of these items, and the i-th call of its setters.
struct subject {
    gr::basic_block_sptr block;
    std::shared_ptr<engine_block> ours;
    std::size_t in_bytes, out_bytes;
    std::function<void(int i)> set;
};

template <class Block>
subject subject_of(const std::shared_ptr<Block>& block,
                   std::size_t in_bytes,
                   std::size_t out_bytes,
                   const std::function<void(Block&, int)>& set)
{
    return { block, block, in_bytes, out_bytes, [=](int i) { set(*block, i); } };
}

// Few and many in turn, so that the plan is another one each time.
template <class Tap>
std::vector<Tap> taps_of(int i)
{
    return std::vector<Tap>(20 + i % 3 * 2500, Tap(0.01f));
}

template <class T, class Tap>
subject filter()
{
    return subject_of<fft_filter<T, Tap>>(
        fft_filter<T, Tap>::make(1, taps_of<Tap>(0), 1, "cpu"),
        sizeof(T),
        sizeof(T),
        [](auto& block, int i) {
            i % 2 ? block.set_decimation(1 + i % 5) : block.set_taps(taps_of<Tap>(i));
        });
}

template <class Tap>
subject xlating()
{
    return subject_of<freq_xlating_fft_filter<Tap>>(
        freq_xlating_fft_filter<Tap>::make(2, taps_of<Tap>(0), 0.1, 1, 1, "cpu"),
        sizeof(gr_complex),
        sizeof(gr_complex),
        [](auto& block, int i) {
            i % 2 ? block.set_center_freq(0.01 * i) : block.set_taps(taps_of<Tap>(i));
        });
}

subject bank()
{
    return subject_of<channel_bank_cc>(
        channel_bank_cc::make(3, taps_of<gr_complex>(0), { 0.1 }, 1, 1, "cpu"),
        sizeof(gr_complex),
        sizeof(gr_complex),
        [](auto& block, int i) {
            i % 2 ? block.set_center(0, 0.01 * i)
                  : block.set_taps(taps_of<gr_complex>(i));
        });
}

subject channelizer()
{
    return subject_of<pfb_channelizer_ccf>(
        pfb_channelizer_ccf::make(
            CHANNELS, taps_of<float>(0), 1, 100, 1, "cpu", 0, "stop", CHANNELS),
        sizeof(gr_complex),
        CHANNELS * sizeof(gr_complex),
        [](auto& block, int i) {
            i % 2 ? block.set_nthreads(1 + i % 2) : block.set_taps(taps_of<float>(i));
        });
}

subject mapped_channelizer()
{
    constexpr int PICKED = 3;
    return subject_of<pfb_channelizer_ccf>(
        pfb_channelizer_ccf::make(
            CHANNELS, taps_of<float>(0), 1, 100, 1, "cpu", 0, "stop", PICKED, PICKED),
        sizeof(gr_complex),
        PICKED * sizeof(gr_complex),
        [](auto& block, int i) {
            if (i % 2)
                block.set_channel_map({ i % CHANNELS, 0, CHANNELS - 1 });
            else
                block.set_taps(taps_of<float>(i));
        });
}

subject synthesizer()
{
    return subject_of<pfb_synthesizer_ccf>(
        pfb_synthesizer_ccf::make(
            CHANNELS, taps_of<float>(0), false, 1, 100, 1, "cpu", 0, "stop", CHANNELS),
        CHANNELS * sizeof(gr_complex),
        sizeof(gr_complex),
        [](auto& block, int i) {
            i % 2 ? block.set_nthreads(1 + i % 2) : block.set_taps(taps_of<float>(i));
        });
}

struct maker {
    const char* name;
    subject (*make)();
};

const maker MAKERS[] = {
    { "FilterCcc", filter<gr_complex, gr_complex> },
    { "FilterCcf", filter<gr_complex, float> },
    { "FilterFff", filter<float, float> },
    { "XlatingCcc", xlating<gr_complex> },
    { "XlatingCcf", xlating<float> },
    { "Bank", bank },
    { "Channelizer", channelizer },
    { "MappedChannelizer", mapped_channelizer },
    { "Synthesizer", synthesizer },
};

} // namespace

class SettersBetweenRuns : public DeviceTest, public testing::WithParamInterface<maker>
{
protected:
    // Calls turn(flowgraph) STARTS times while the setters are called.
    template <class Turn>
    void check(Turn&& turn)
    {
        const subject what = GetParam().make();
        stream_data data;
        data.item_bytes = what.in_bytes;
        data.items.assign(1000 * what.in_bytes, 1);
        const auto flowgraph = make_top_block("setters");
        const auto sink = std::make_shared<recording_sink>(what.out_bytes, pace{}, 0);
        flowgraph->connect(
            std::make_shared<scripted_source>(data, pace{}, 0), 0, what.block, 0);
        flowgraph->connect(what.block, 0, sink, 0);
        std::atomic<bool> over{ false };
        std::thread setters([&] {
            for (int i = 0; !over; ++i) {
                try {
                    what.set(i);
                } catch (const std::invalid_argument&) {
                    // more taps than the buffer before the block holds
                }
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
        });
        for (int i = 0; i < STARTS; ++i)
            turn(*flowgraph, i);
        over = true;
        setters.join();
        flowgraph->start();
        while (sink->count() == 0 && what.ours->error().empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        flowgraph->stop();
        flowgraph->wait();
        EXPECT_EQ(what.ours->error(), "");
    }
};

TEST_P(SettersBetweenRuns, StartAndStop)
{
    check([](top_block& flowgraph, int) {
        flowgraph.start();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        flowgraph.stop();
        flowgraph.wait();
    });
}

TEST_P(SettersBetweenRuns, LockAndUnlock)
{
    check([](top_block& flowgraph, int i) {
        if (i == 0)
            flowgraph.start();
        flowgraph.lock();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        flowgraph.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (i + 1 == STARTS) {
            flowgraph.stop();
            flowgraph.wait();
        }
    });
}

// Nothing but the moment in which a setter may replace the plan under the thread that
// starts the flowgraph.
TEST_P(SettersBetweenRuns, AskedForTheTopology)
{
    const subject what = GetParam().make();
    const auto asked = std::dynamic_pointer_cast<gr::block>(what.block);
    if (!asked)
        return; // a hier block: GNU Radio asks those inside, which the starts above do
    std::atomic<bool> over{ false };
    std::thread starter([&] {
        while (!over)
            asked->check_topology(1, 1);
    });
    constexpr int SETTERS = 40;
    for (int i = 0; i < SETTERS; ++i)
        what.set(i);
    over = true;
    starter.join();
    EXPECT_TRUE(asked->check_topology(1, 1));
}

INSTANTIATE_TEST_SUITE_P(Filters,
                         SettersBetweenRuns,
                         testing::ValuesIn(MAKERS),
                         [](const auto& info) { return info.param.name; });

namespace {

// Copies; does what it is told while GNU Radio starts the flowgraph.
class meddler : public sync_block
{
public:
    meddler(int item_bytes, std::function<void()> act)
        : gr::sync_block("meddler",
                         gr::io_signature::make(1, 1, item_bytes),
                         gr::io_signature::make(1, 1, item_bytes)),
          d_item_bytes(item_bytes),
          d_act(std::move(act))
    {
    }
    bool check_topology(int, int) override
    {
        d_act();
        return true;
    }
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override
    {
        std::memcpy(output_items[0], input_items[0], noutput_items * d_item_bytes);
        return noutput_items;
    }

private:
    const int d_item_bytes;
    const std::function<void()> d_act;
};

} // namespace

// GNU Radio asks its blocks for their topology in the order of their addresses. A filter
// that has told its history may get more taps before it starts.
class FilterBetweenRuns : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 60000;

    // What the filter makes of the samples.
    template <class Sample, class Filter>
    static std::vector<Sample> outputs(const std::shared_ptr<Filter>& filter,
                                       const std::vector<Sample>& samples,
                                       const std::function<void()>& act)
    {
        stream_data data;
        data.item_bytes = sizeof(Sample);
        data.items.resize(samples.size() * sizeof(Sample));
        std::memcpy(data.items.data(), samples.data(), data.items.size());
        std::vector<std::shared_ptr<meddler>> before;
        do {
            before.push_back(gnuradio::make_block_sptr<meddler>(sizeof(Sample), act));
        } while (before.back().get() < static_cast<gr::basic_block*>(filter.get()) &&
                 before.size() < 1000);
        const auto flowgraph = make_top_block("between");
        const auto sink = std::make_shared<recording_sink>(sizeof(Sample));
        flowgraph->connect(std::make_shared<scripted_source>(data), 0, before.back(), 0);
        flowgraph->connect(before.back(), 0, filter, 0);
        flowgraph->connect(filter, 0, sink, 0);
        EXPECT_TRUE(runs(flowgraph));
        EXPECT_EQ(filter->error(), "");
        const stream_data& got = sink->received();
        std::vector<Sample> all(got.count());
        std::memcpy(all.data(), got.items.data(), got.items.size());
        return all;
    }

    // The sums that so many taps, all 1, give of ones.
    static void expect_sums(const std::shared_ptr<fft_filter_fff>& filter,
                            std::size_t taps,
                            std::size_t decimation,
                            const std::function<void()>& act)
    {
        const auto sums = outputs(filter, std::vector<float>(SAMPLES, 1.0f), act);
        ASSERT_EQ(sums.size(), SAMPLES / decimation);
        for (std::size_t i = 0; i < sums.size(); ++i)
            ASSERT_NEAR(sums[i], std::min(i * decimation + 1, taps), 0.05 + 1e-5 * taps)
                << "sample " << i;
    }
};

TEST_F(FilterBetweenRuns, MoreTapsAfterItsHistory)
{
    constexpr std::size_t MANY = 10000; // there is room for 4096
    const auto filter = fft_filter_fff::make(1, { 1.0f }, 1, "cpu");
    expect_sums(
        filter, MANY, 1, [&] { filter->set_taps(std::vector<float>(MANY, 1.0f)); });
}

// ... and the phases count from the stream's first sample as ever: a tone at the center
// gives the same sums.
TEST_F(FilterBetweenRuns, MoreTapsOfARotatingFilter)
{
    constexpr std::size_t MANY = 10000;
    constexpr double CENTER = 0.12345;
    const auto filter =
        freq_xlating_fft_filter_ccf::make(1, { 1.0f }, CENTER, 1, 1, "cpu");
    std::vector<gr_complex> tone(SAMPLES);
    for (std::size_t i = 0; i < SAMPLES; ++i)
        tone[i] = gr_complex(std::polar(1.0, 2 * M_PI * CENTER * double(i)));
    const auto sums =
        outputs(filter, tone, [&] { filter->set_taps(std::vector<float>(MANY, 1.0f)); });
    ASSERT_EQ(sums.size(), SAMPLES);
    for (std::size_t i = 0; i < SAMPLES; ++i)
        ASSERT_LT(std::abs(sums[i] - gr_complex(std::min(i + 1, MANY))), 1 + 1e-4 * MANY)
            << "sample " << i << " is " << sums[i];
}

TEST_F(FilterBetweenRuns, AnotherDecimation)
{
    const auto filter = fft_filter_fff::make(100, std::vector<float>(50, 1.0f), 1, "cpu");
    const auto nothing = [] {};
    expect_sums(filter, 50, 100, nothing);
    filter->set_decimation(1);
    expect_sums(filter, 50, 1, nothing);
    filter->set_decimation(6000); // more than there is room for
    expect_sums(filter, 50, 6000, nothing);
}

} // namespace gpufft
} // namespace gr
