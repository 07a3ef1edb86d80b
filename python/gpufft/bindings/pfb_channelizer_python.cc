// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes pfb_channelizer_ccf, pfb_channelizer_scf, pfb_channelizer_bcf.

#include "filter_bindings.h"
#include <gnuradio/gpufft/pfb_channelizer.h>
#include <gnuradio/hier_block2.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* PFB_CHANNELIZER_DOC =
    R"(Polyphase channelizer, replacing gnuradio.filter.pfb.channelizer_ccf.

_ccf takes complex64 samples; _scf and _bcf take interleaved I, Q, I, Q, ... of int16 or
int8, two items a sample, and full scale (32768, 128) reads 1. With M = numchans, the
filter h of the taps and R = M / oversample_rate input samples for each output sample,
sample f of channel c is

    X_c[f] = sum_k h[k] x[t - k] exp(-j 2 pi c (t - k + R + 1) / M),  t = f R + R - 1

which is the band around c fs / M, shifted to 0, filtered, and decimated by R; c > M/2 are
the negative frequencies. A tag moves to output sample floor(offset / R) of every channel.
From real samples (input="s16" and the like) there are the channels 0 ... M // 2 only, by
real transforms at half the arithmetic.

Args:
    numchans: M, 1 ... 2**27, prime or not
    taps: of the filter, any number; None or [] is create_taps(numchans, atten)
    oversample_rate: M / R for a whole R from 1 to M, e.g. M / 50; 1 is critically sampled
    atten: attenuation in dB of that default filter, 20 ... 200
    nthreads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    @engine
    @formats
    vlen: 1 for up to M (or outchans) output streams; M (or outchans) for one stream of
        vectors of all of them, which saves splitting them; M // 2 + 1 of real samples
    outchans: number of channels to output, 1 ... M, those of set_channel_map(), at first
        0, 1, ...: only these are copied from the GPU to the host. 0 is all M

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

template <class T>
void bind_one_pfb_channelizer(py::module& module, const char* name)
{
    typedef pfb_channelizer<T> block;
    py::class_<block, gr::hier_block2, gr::basic_block, std::shared_ptr<block>> python(
        module, name, described(PFB_CHANNELIZER_DOC).c_str());
    const formats_arguments formats;
    python
        .def(py::init([](std::int64_t numchans,
                         const std::optional<std::vector<float>>& taps,
                         double oversample_rate,
                         double atten,
                         int nthreads,
                         const std::string& engine,
                         const device_list& device,
                         const std::string& on_error,
                         std::int64_t vlen,
                         std::int64_t outchans,
                         double device_timeout,
                         const std::string& input,
                         const std::string& output,
                         double output_scale) {
                 return call_without_gil([&] {
                     return block::make(numchans,
                                        taps.value_or(std::vector<float>()),
                                        oversample_rate,
                                        atten,
                                        nthreads,
                                        engine,
                                        device,
                                        on_error,
                                        vlen,
                                        outchans,
                                        device_timeout,
                                        item_formats{ input, output, output_scale });
                 });
             }),
             "numchans"_a,
             "taps"_a = py::none(),
             "oversample_rate"_a = 1.0,
             "atten"_a = 100.0,
             py::kw_only(),
             "nthreads"_a = 0,
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "vlen"_a = 1,
             "outchans"_a = 0,
             "device_timeout"_a = 10.0,
             formats.input,
             formats.output,
             formats.scale)
        .def_static(
            "create_taps",
            &block::create_taps,
            "numchans"_a,
            "atten"_a = 100.0,
            "Low-pass filter for numchans channels: passes up to 0.4 and stops "
            "from 0.6 of their\nspacing on, by atten dB; for every number of channels.");
    bind_polyphase(
        python,
        "New taps, from one output sample to the next; more than max_taps() take effect "
        "when enough\nsamples have arrived.",
        "Channel map[i], 0 ... numchans - 1, goes to output i, or to place i of the "
        "vectors; an empty map changes\nnothing. With outchans the map has that many "
        "entries "
        "and changes from one output sample to the\nnext. Without outchans it needs "
        "vlen=1; outputs past the map's end keep their channel.",
        "The arms: numchans lists, arm i is h[i], h[i + numchans], ...");
}

} // namespace

void bind_pfb_channelizer(py::module& module)
{
    bind_one_pfb_channelizer<gr_complex>(module, "pfb_channelizer_ccf");
    bind_one_pfb_channelizer<std::int16_t>(module, "pfb_channelizer_scf");
    bind_one_pfb_channelizer<std::int8_t>(module, "pfb_channelizer_bcf");
}

} // namespace gpufft
} // namespace gr
