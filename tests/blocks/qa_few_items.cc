// SPDX-License-Identifier: GPL-3.0-or-later
//
// Flowgraphs of a few items for what long streams do not show: bursts shorter than those
// before them, windows of matrices.

#include <chrono>
#include <cmath>
#include <complex>
#include <gnuradio/blocks/message_debug.h>
#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/gpufft/fft2d_vcc.h>
#include <gnuradio/gpufft/fft_pdu.h>
#include <gnuradio/top_block.h>
#include <gtest/gtest.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

std::complex<double> turn(double cycles) { return std::polar(1.0, -2 * M_PI * cycles); }

} // namespace

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
