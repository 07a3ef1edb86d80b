// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class pfb_synthesizer_ccf.

#include "filter_bindings.h"
#include <gnuradio/gpufft/pfb_synthesizer.h>
#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* PFB_SYNTHESIZER_DOC =
    R"(Polyphase synthesizer, replacing gnuradio.filter.pfb_synthesizer_ccf.

Undoes pfb_channelizer_ccf. With M = numchans, the filter h of the taps and
R = M / oversample_rate output samples for each sample of a channel, the output is

    y[t] = sum_f sum_c X_c[f] h[t - f R] exp(+j 2 pi c (t + R) / M)

where each channel is interpolated by R, filtered, and shifted to c fs / M; c > M/2 are the
negative frequencies. With twox there are M = 2 numchans channels, and R = numchans. Channels without
a stream are 0. A tag of a channel moves to output sample offset R.

Args:
    numchans: M, prime or not, or with twox M / 2; M is 1 ... 2**27; for streams at
        most 65536
    taps: of the filter, any number; None or [] is create_taps(M, M / R, atten)
    twox: twice as many channels, 2 times oversampled; then oversample_rate must be 1
    oversample_rate: M / R for a whole R from 1 to M, e.g. M / 50; 1 is critically sampled
    atten: attenuation in dB of the default filter, 20 ... 200
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    @engine
    @formats
    vlen: 1 for up to M input streams, which a card gathers from their buffers; M for one
        stream of vectors of all channels

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

} // namespace

void bind_pfb_synthesizer(py::module& module)
{
    typedef pfb_synthesizer_ccf block;
    py::class_<block, gr::hier_block2, gr::basic_block, std::shared_ptr<block>> python(
        module, "pfb_synthesizer_ccf", described(PFB_SYNTHESIZER_DOC).c_str());
    const formats_arguments formats;
    python
        .def(py::init([](std::int64_t numchans,
                         const std::optional<std::vector<float>>& taps,
                         bool twox,
                         double oversample_rate,
                         double atten,
                         int nthreads,
                         const std::string& engine,
                         const device_list& device,
                         const std::string& on_error,
                         std::int64_t vlen,
                         double device_timeout,
                         const std::string& input,
                         const std::string& output,
                         double output_scale) {
                 return call_without_gil([&] {
                     return block::make(numchans,
                                        taps.value_or(std::vector<float>()),
                                        twox,
                                        oversample_rate,
                                        atten,
                                        nthreads,
                                        engine,
                                        device,
                                        on_error,
                                        vlen,
                                        device_timeout,
                                        item_formats{ input, output, output_scale });
                 });
             }),
             "numchans"_a,
             "taps"_a = py::none(),
             "twox"_a = false,
             py::kw_only(),
             "oversample_rate"_a = 1.0,
             "atten"_a = 100.0,
             "nthreads"_a = 0,
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "vlen"_a = 1,
             "device_timeout"_a = 10.0,
             formats.input,
             formats.output,
             formats.scale)
        .def_static(
            "create_taps",
            &block::create_taps,
            "channels"_a,
            "oversample_rate"_a = 1.0,
            "atten"_a = 100.0,
            "Low-pass filter for a number of channels, with a gain of 1. From an "
            "oversample_rate of\n1.4 on it undoes the channelizer's default filter; "
            "else it passes up to 0.4 and stops from\n0.6 of the channel spacing on, by "
            "atten dB.");
    bind_polyphase(
        python,
        "New taps, from one vector of channels to the next; more than max_taps() take "
        "effect when\nenough vectors have arrived, one for each R taps.",
        "Input i goes to channel map[i], and inputs past its end keep theirs; an empty "
        "map changes\nnothing. Needs vlen=1.",
        "The arms: R lists, arm i is h[i], h[i + R], ...; with twox 2 R of them, as in "
        "gr-filter.");
}

} // namespace gpufft
} // namespace gr
