// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program of somebody else on the installed headers and libraries: a plan, and a block
// in a flowgraph. Prints the bin of a tone from each.

#include <algorithm>
#include <cmath>
#include <gnuradio/blocks/vector_sink.h>
#include <gnuradio/blocks/vector_source.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/top_block.h>
#include <iostream>

constexpr int N = 1009;
constexpr int BIN = 100;

std::size_t strongest(const std::vector<gr_complex>& bins)
{
    const auto by_power = [](gr_complex a, gr_complex b) {
        return std::norm(a) < std::norm(b);
    };
    return std::max_element(bins.begin(), bins.end(), by_power) - bins.begin();
}

int main()
{
    std::vector<gr_complex> tone(N);
    for (int n = 0; n < N; ++n)
        tone[n] = std::polar(1.0, 2 * M_PI * BIN * n / N);

    std::vector<gr_complex> bins(N);
    const auto plan =
        gr::gpufft::plan::make(gr::gpufft::problem::from_string("c2c_forward_n1009_b1"));
    plan->execute(tone.data(), bins.data(), 1);
    std::cout << "plan: bin " << strongest(bins) << '\n';

    const auto flowgraph = gr::make_top_block("consumer");
    const auto source = gr::blocks::vector_source_c::make(tone, false, N);
    const auto fft = gr::gpufft::fft_vcc_fwd::make(N, gr::gpufft::window_spec());
    const auto sink = gr::blocks::vector_sink_c::make(N);
    flowgraph->connect(source, 0, fft, 0);
    flowgraph->connect(fft, 0, sink, 0);
    flowgraph->run();
    std::cout << "block: bin " << strongest(sink->data()) << '\n';
}
