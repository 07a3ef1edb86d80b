// SPDX-License-Identifier: GPL-3.0-or-later
//
// Flowgraphs of a few items for what long streams do not show: channel maps of separate
// streams, bursts shorter than those before them, windows of matrices.

#include "blocks/channel_merger.h"
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <gnuradio/blocks/message_debug.h>
#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/gpufft/fft2d_vcc.h>
#include <gnuradio/gpufft/fft_pdu.h>
#include <gnuradio/io_signature.h>
#include <gnuradio/sync_block.h>
#include <gnuradio/top_block.h>
#include <gtest/gtest.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

constexpr int CHANNELS = 4;

// Takes vectors of CHANNELS until end_after() counts down; keeps the last one.
class last_vector : public gr::sync_block
{
public:
    last_vector()
        : gr::sync_block("last_vector",
                         gr::io_signature::make(1, 1, CHANNELS * sizeof(gr_complex)),
                         gr::io_signature::make(0, 0, 0)),
          d_last(CHANNELS)
    {
    }

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star&) override
    {
        if (d_left <= 0)
            return WORK_DONE;
        const auto* vectors = static_cast<const gr_complex*>(input_items[0]);
        const auto* last = vectors + (noutput_items - 1) * CHANNELS;
        d_last.assign(last, last + CHANNELS);
        d_count += noutput_items;
        if (d_ends)
            d_left -= noutput_items;
        return noutput_items;
    }

    void end_after(int vectors)
    {
        d_left = vectors;
        d_ends = true;
    }

    std::atomic<long> d_count{ 0 };
    std::vector<gr_complex> d_last;

private:
    std::atomic<long> d_left{ 1 };
    std::atomic<bool> d_ends{ false };
};

std::complex<double> turn(double cycles) { return std::polar(1.0, -2 * M_PI * cycles); }

} // namespace

TEST(FewItems, AStreamInHasTheChannelOfTheMapAndChannelsWithoutAStreamAreZero)
{
    const auto flowgraph = gr::make_top_block("merger");
    const auto merger = channel_merger::make(CHANNELS, sizeof(gr_complex));
    const auto sink = gnuradio::make_block_sptr<last_vector>();
    merger->set_map({ 0, 1 });
    for (int port = 0; port < 2; ++port)
        flowgraph->connect(
            gr::blocks::vector_source_c::make({ gr_complex(1.0f + port, 0) }, true),
            0,
            merger,
            port);
    flowgraph->connect(merger, 0, sink, 0);
    flowgraph->start();
    // The buffer is full of vectors of the first map when the second comes.
    while (sink->d_count < 200000)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    merger->set_map({ 3, 1 });
    sink->end_after(200000);
    flowgraph->wait();
    const std::vector<gr_complex> expected{ 0, 2, 0, 1 };
    EXPECT_EQ(sink->d_last, expected);
}

TEST(FewItems, AShortBurstAfterALongOneIsFilledUpWithZeros)
{
    constexpr int N = 16;
    const auto flowgraph = gr::make_top_block("bursts");
    const auto transform = fft_pdu::make(N, true, {}, false, "complex", "cpu");
    const auto sink = gr::blocks::message_debug::make(false);
    flowgraph->msg_connect(transform, "pdu_out", sink, "store");
    flowgraph->start();
    for (const int samples : { N - 4, 3 }) { // both are filled up
        const std::vector<gr_complex> burst(samples, gr_complex(1, -1));
        transform->_post(
            pmt::mp("pdu_in"),
            pmt::cons(pmt::make_dict(), pmt::init_c32vector(burst.size(), burst.data())));
    }
    for (int i = 0; i < 60000 && sink->num_messages() < 2; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    flowgraph->stop();
    flowgraph->wait();
    ASSERT_EQ(sink->num_messages(), 2u);
    const auto bins = pmt::c32vector_elements(pmt::cdr(sink->get_message(1)));
    ASSERT_EQ(bins.size(), std::size_t(N));
    for (int k = 0; k < N; ++k) {
        std::complex<double> sum;
        for (int m = 0; m < 3; ++m)
            sum += std::complex<double>(1, -1) * turn(double(k * m) / N);
        EXPECT_LT(std::abs(std::complex<double>(bins[k]) - sum), 1e-5) << k;
    }
}

TEST(FewItems, AWindowOfMatricesIsTheProductOfTwo)
{
    constexpr int ROWS = 3, COLUMNS = 4;
    const std::vector<double> down{ 0.08, 1, 0.08 }; // hamming(3)
    std::vector<gr_complex> matrix(ROWS * COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        matrix[i] = gr_complex(static_cast<float>(i + 1), static_cast<float>(i * i % 7));
    const auto flowgraph = gr::make_top_block("matrix");
    const auto sink = gr::blocks::vector_sink_c::make(ROWS * COLUMNS);
    const auto source = gr::blocks::vector_source_c::make(matrix, false, matrix.size());
    const auto transform =
        fft2d_vcc::make(ROWS, COLUMNS, true, "hamming", false, 1, "cpu");
    flowgraph->connect(source, 0, transform, 0);
    flowgraph->connect(transform, 0, sink, 0);
    flowgraph->run();
    const std::vector<gr_complex> received = sink->data();
    ASSERT_EQ(received.size(), matrix.size());
    for (int k = 0; k < ROWS; ++k)
        for (int l = 0; l < COLUMNS; ++l) {
            std::complex<double> sum;
            for (int i = 0; i < ROWS; ++i)
                for (int j = 0; j < COLUMNS; ++j)
                    sum += std::complex<double>(matrix[i * COLUMNS + j]) * down[i] *
                           (0.54 - 0.46 * std::cos(2 * M_PI * j / (COLUMNS - 1))) *
                           turn(double(k * i) / ROWS + double(l * j) / COLUMNS);
            const std::complex<double> bin(received[k * COLUMNS + l]);
            EXPECT_LT(std::abs(bin - sum), 1e-4) << k << ", " << l;
        }
}

} // namespace gpufft
} // namespace gr
