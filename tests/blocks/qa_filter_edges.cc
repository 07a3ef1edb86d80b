// SPDX-License-Identifier: GPL-3.0-or-later
//
// FIR filters on cards: the zeros before the stream, chunks whose samples overlap, cards
// that take turns or fail, and taps that outgrow the history while chunks are on their
// way.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"
#include <complex>
#include <gnuradio/gpufft/fft_filter.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

typedef std::vector<std::complex<double>> samples;

samples numbers(const stream_data& stream)
{
    const auto* values = reinterpret_cast<const gr_complex*>(stream.items.data());
    return { values, values + stream.items.size() / sizeof(gr_complex) };
}

// So many taps, of which few are not zero: the first, the last and some between.
std::vector<float> sparse_taps(std::size_t count)
{
    random_source random(count);
    std::vector<float> taps(count);
    for (int i = 0; i < 20; ++i)
        taps[pick(random, 0, count - 1)] = float(pick(random, -9, 9));
    taps.front() = 3;
    taps.back() = -5;
    return taps;
}

samples filtered(const samples& x, const std::vector<float>& taps, std::size_t decimation)
{
    samples y(x.size() / decimation);
    for (std::size_t k = 0; k < taps.size(); ++k)
        for (std::size_t f = (k + decimation - 1) / decimation; f < y.size(); ++f)
            if (taps[k] != 0)
                y[f] += double(taps[k]) * x[f * decimation - k];
    return y;
}

// The first output that is not this one, up to rounding.
std::size_t mismatch(const samples& got, const samples& want, std::size_t from = 0)
{
    while (from < got.size() && std::abs(got[from] - want[from]) < 1e-3)
        ++from;
    return from;
}

} // namespace

class FilterEdges : public DeviceTest
{
protected:
    static constexpr std::size_t SAMPLES = 200000, AT_FIRST = 80000;

    FilterEdges()
    {
        random_source random(5);
        d_data = random_floats(random, SAMPLES, 2);
    }

    static fft_filter_ccf::sptr make(std::size_t decimation,
                                     const std::vector<float>& taps,
                                     const std::vector<int>& devices = { 0 },
                                     const std::string& on_error = "stop")
    {
        return fft_filter_ccf::make(decimation, taps, 1, "cuda", devices, on_error);
    }

    // source -> before -> block -> sink, whose buffers hold at most `buffer` items. Calls
    // change() when outputs have come; the source waits for it.
    void run(const fft_filter_ccf::sptr& block,
             int buffer,
             const std::function<void()>& change = nullptr,
             const basic_block_sptr& before = nullptr)
    {
        const auto source = std::make_shared<gated_source>(
            d_data, change ? d_at_first : numbers(d_data).size());
        const auto sink = std::make_shared<recording_sink>(sizeof(gr_complex));
        const top_block_sptr flowgraph = make_top_block("filter");
        source->set_max_output_buffer(buffer);
        block->set_max_output_buffer(buffer);
        if (before)
            flowgraph->connect(source, 0, before, 0);
        flowgraph->connect(before ? before : source, 0, block, 0);
        flowgraph->connect(block, 0, sink, 0);
        flowgraph->start();
        if (change)
            while (sink->count() < d_outputs_first)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (change)
            change();
        source->open();
        ASSERT_TRUE(ends(flowgraph));
        EXPECT_EQ(block->error(), "");
        d_output = numbers(sink->received());
    }

    void expect_filtered(const std::vector<float>& taps, std::size_t decimation)
    {
        const samples want = filtered(numbers(d_data), taps, decimation);
        ASSERT_EQ(d_output.size(), want.size());
        EXPECT_EQ(mismatch(d_output, want), want.size());
    }

    // Of a stream x: each output is that of the old taps, then of the new ones.
    void expect_change(const samples& x,
                       const std::vector<float>& old,
                       const std::vector<float>& taps)
    {
        const samples before = filtered(x, old, 1), after = filtered(x, taps, 1);
        ASSERT_EQ(d_output.size(), x.size());
        const std::size_t change = mismatch(d_output, before);
        EXPECT_GE(change, 1000u);
        EXPECT_LE(change, AT_FIRST + taps.size() * 9 / 8);
        EXPECT_EQ(mismatch(d_output, after, change), after.size());
    }

    // Of all outputs `full`: one of `old`, then one of `next`, each of a whole group.
    void
    expect_change_of_decimation(const samples& full, std::size_t old, std::size_t next)
    {
        std::size_t change = 0;
        while (change < d_output.size() &&
               std::abs(d_output[change] - full[change * old]) < 1e-3)
            ++change;
        ASSERT_GE(change, 1000u);
        const std::size_t first = (change - 1) * old + next;
        ASSERT_EQ(d_output.size() - change, (SAMPLES - first) / next);
        for (std::size_t i = change, at = first; i < d_output.size(); ++i, at += next)
            ASSERT_LT(std::abs(d_output[i] - full[at]), 1e-3) << i - change;
    }

    stream_data d_data;
    std::size_t d_at_first = AT_FIRST;
    std::size_t d_outputs_first = 1000;
    samples d_output;
};

TEST_F(FilterEdges, FromHostToHost)
{
    for (std::size_t decimation : { 1, 3, 64 })
        for (std::size_t taps : { 1, 33, 500 }) {
            SCOPED_TRACE(std::to_string(taps) + " / " + std::to_string(decimation));
            run(make(decimation, sparse_taps(taps)), 20000);
            expect_filtered(sparse_taps(taps), decimation);
        }
}

TEST_F(FilterEdges, SeveralCardsKeepTheOrder)
{
    test_devices::set_speed({ 1e-4, 0, 3 });
    run(make(2, sparse_taps(100), { 0, 1, 2 }), 20000);
    expect_filtered(sparse_taps(100), 2);
}

// The samples end with a chunk, so that nothing but its rows is left.
TEST_F(FilterEdges, RowsInFlightComeOutAtTheEnd)
{
    constexpr std::size_t DECIMATION = 4000;
    test_devices::set_speed({ 1e-3 });
    for (std::size_t outputs : { 50, 49, 48, 47, 46, 45 }) {
        SCOPED_TRACE(std::to_string(outputs) + " outputs");
        d_data.items.resize(outputs * DECIMATION * sizeof(gr_complex));
        run(make(DECIMATION, sparse_taps(100)), 65536);
        expect_filtered(sparse_taps(100), DECIMATION);
    }
}

TEST_F(FilterEdges, TheCpuGoesOnWhereACardFails)
{
    const auto block = make(3, sparse_taps(100), { 0 }, "cpu");
    test_devices::fail(test_devices::fault::lost, 30);
    run(block, 20000);
    EXPECT_TRUE(test_devices::struck());
    expect_filtered(sparse_taps(100), 3);
}

TEST_F(FilterEdges, TapsOutgrowTheHistory)
{
    const auto block = make(1, sparse_taps(50));
    EXPECT_EQ(block->max_taps(), 4096);
    run(block, 40000, [&] { block->set_taps(sparse_taps(9000)); });
    expect_change(numbers(d_data), sparse_taps(50), sparse_taps(9000));
    EXPECT_GE(block->max_taps(), 9000);
    EXPECT_EQ(block->engine(), "cuda");
    run(block, 40000); // now the history is long enough from the beginning
    expect_filtered(sparse_taps(9000), 1);
}

TEST_F(FilterEdges, TapsOutgrowTheHistoryOnTheCard)
{
    const stage transform = make_fft({ 64, false, true, false, true });
    const auto block = make(1, sparse_taps(50));
    run(
        block, 40000, [&] { block->set_taps(sparse_taps(9000)); }, transform.block);
    expect_change(numbers(transform.expect(d_data)), sparse_taps(50), sparse_taps(9000));
    EXPECT_EQ(block->statistics().bytes_up, 0u);
}

TEST_F(FilterEdges, DecimationChangesFromOneOutputToTheNext)
{
    const std::vector<float> taps = sparse_taps(50);
    const samples full = filtered(numbers(d_data), taps, 1);
    struct {
        int old, next;
        std::size_t left; // samples: the last ones are one call's, too
    } const changes[] = { { 3, 1, 120000 }, { 1, 7, 120000 },  { 10, 500, 120000 },
                          { 10, 500, 915 }, { 10, 500, 1330 }, { 50, 7, 777 } };
    for (const auto& [old, next, left] : changes) {
        SCOPED_TRACE(std::to_string(old) + " to " + std::to_string(next) + ", " +
                     std::to_string(left));
        d_at_first = SAMPLES - left;
        const auto block = make(old, taps);
        run(block, 40000, [&, to = next] { block->set_decimation(to); });
        expect_change_of_decimation(full, old, next);
    }
}

// The longer one, for which so few samples that are left are not enough, never takes
// over.
TEST_F(FilterEdges, DecimationChangesTwiceBeforeItTakesOver)
{
    GPUFFT_ONLY_SIMULATED("parts are longer than the samples that are left here");
    constexpr std::size_t OLD = 10, LEFT_AT_FIRST = 1700;
    const std::vector<float> taps = sparse_taps(50);
    const samples full = filtered(numbers(d_data), taps, 1);
    for (const std::size_t left : { 915, 1330, 777, 1204 }) {
        SCOPED_TRACE(left);
        d_at_first = SAMPLES - left;
        d_outputs_first = (d_at_first - LEFT_AT_FIRST) / OLD;
        const auto block = make(OLD, taps);
        ASSERT_EQ(block->max_taps(), 4096);
        run(block, 40000, [&] {
            block->set_decimation(4096 + LEFT_AT_FIRST + 200);
            block->set_decimation(500);
        });
        expect_change_of_decimation(full, OLD, 500);
    }
}


TEST_F(FilterEdges, MoreTapsThanTheBufferHoldsWaitForTheNextStart)
{
    const auto block = make(1, sparse_taps(50));
    run(block, 10000, [&] {
        EXPECT_THROW(block->set_taps(sparse_taps(12000)), std::invalid_argument);
    });
    expect_filtered(sparse_taps(50), 1);
    block->set_taps(sparse_taps(12000));
    run(block, -1);
    expect_filtered(sparse_taps(12000), 1);
}

} // namespace gpufft
} // namespace gr
