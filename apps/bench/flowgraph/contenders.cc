// SPDX-License-Identifier: GPL-3.0-or-later
//
// The blocks under test.

#include "contenders.h"
#include <gnuradio/blocks/complex_to_mag_squared.h>
#include <gnuradio/blocks/integrate.h>
#include <gnuradio/blocks/interleaved_short_to_complex.h>
#include <gnuradio/blocks/nlog10_ff.h>
#include <gnuradio/blocks/stream_to_vector.h>
#include <gnuradio/fft/fft_v.h>
#include <gnuradio/fft/window.h>
#include <gnuradio/gpufft/fft_v.h>
#include <gnuradio/gpufft/kernel_function.h>
#include <gnuradio/gpufft/logpwrfft.h>
#include <gnuradio/gpufft/power_spectrum.h>

namespace gr {
namespace gpufft {

namespace {

template <class T>
basic_block_sptr
make_power_spectrum(const settings& wanted, int n, int average, const std::string& mode)
{
    return power_spectrum<T>::make(n,
                                   std::nullopt,
                                   "blackmanharris",
                                   average,
                                   mode,
                                   false,
                                   "spectrum",
                                   1.0,
                                   1.0,
                                   0,
                                   wanted.engine,
                                   wanted.devices);
}

} // namespace

stream_shape vectors_of(int n, std::size_t buffer_bytes)
{
    const std::size_t bytes = n * sizeof(gr_complex);
    return { bytes, double(n), bytes, double(n), true, buffer_bytes, {}, 1 };
}

stream_shape spectra_of(int n, int average, bool floats, std::size_t buffer_bytes)
{
    return { floats ? sizeof(gr_complex) : sizeof(short),
             floats ? 1 : 0.5,
             n * sizeof(float),
             double(n) * average,
             floats,
             buffer_bytes,
             {},
             1 };
}

contender our_fft(const settings& wanted, int n, int threads)
{
    return { "gpufft.fft_vcc", wanted.engine, threads, [=]() -> block_chain {
                return { fft_vcc_fwd::make(n,
                                           fft::window::blackmanharris(n),
                                           false,
                                           threads,
                                           wanted.engine,
                                           wanted.devices) };
            } };
}

namespace {

// FFTs of vectors, forward and inverse in turn, the i-th on places[i].
block_chain
make_chain(const std::string& engine, int n, const std::vector<std::vector<int>>& places)
{
    const window_spec none;
    block_chain chain;
    for (const std::vector<int>& cards : places) {
        if (chain.size() % 2 == 0)
            chain.push_back(fft_vcc_fwd::make(n, none, false, 1, engine, cards));
        else
            chain.push_back(fft_vcc_rev::make(n, none, false, 1, engine, cards));
    }
    return chain;
}

} // namespace

contender our_chain(const settings& wanted, int n, int blocks)
{
    const std::string name =
        blocks == 1 ? "gpufft.fft_vcc" : std::to_string(blocks) + " gpufft.fft_vcc";
    return { name, wanted.engine, 1, [=] {
                return make_chain(wanted.engine,
                                  n,
                                  std::vector<std::vector<int>>(blocks, wanted.devices));
            } };
}

namespace {

const char* const SCALE = R"(
__global__ void scale(const float2* x, float2* y, long long frames, int n, float gain)
{
    const long long first = (long long)blockIdx.x * (4 * blockDim.x) + threadIdx.x;
    for (int u = 0; u < 4; ++u) {
        const long long i = first + u * blockDim.x;
        if (i < frames * n)
            y[i] = make_float2(gain * x[i].x, gain * x[i].y);
    }
}
)";

template <class Value>
std::vector<char> bytes_of(const Value& value)
{
    const char* const begin = reinterpret_cast<const char*>(&value);
    return { begin, begin + sizeof(value) };
}

gr::block_sptr scale_block(const settings& wanted, int n)
{
    device_ports ports;
    ports.inputs[0].bytes = ports.outputs[0].bytes = n * sizeof(gr_complex);
    kernel_function::geometry sizes;
    sizes.threads_per_frame = n;
    sizes.frames_per_thread = 4; // numbers: a frame has n threads
    const auto kernel = kernel_function::make(
        SCALE, "scale", ports, sizes, { bytes_of(n), bytes_of(1.0f / n) });
    engine_options options;
    options.engine = wanted.engine;
    options.device = wanted.devices;
    return device_block::make("scale", kernel, ports, options);
}

} // namespace

contender own_kernel(const settings& wanted, int n, bool between_ffts)
{
    const std::string name =
        between_ffts ? "fft_vcc + own kernel + fft_vcc" : "own kernel that multiplies";
    return { name, wanted.engine, 1, [=]() -> block_chain {
                if (!between_ffts)
                    return { scale_block(wanted, n) };
                block_chain chain =
                    make_chain(wanted.engine, n, { wanted.devices, wanted.devices });
                chain.insert(chain.begin() + 1, scale_block(wanted, n));
                return chain;
            } };
}

contender our_relay(const settings& wanted, int n)
{
    const std::string name = std::to_string(wanted.devices.size()) + " gpufft.fft_vcc";
    return { name, wanted.engine, 1, [=] {
                std::vector<std::vector<int>> places;
                for (const int card : wanted.devices)
                    places.push_back({ card });
                return make_chain(wanted.engine, n, places);
            } };
}

contender stock_fft(int n, bool window)
{
    return { "fft.fft_vcc", "", 1, [=]() -> block_chain {
                return { fft::fft_v<gr_complex, true>::make(
                    n,
                    window ? fft::window::blackmanharris(n) : std::vector<float>(),
                    false,
                    1) };
            } };
}

contender our_power_spectrum(const settings& wanted,
                             int n,
                             int average,
                             bool floats,
                             const std::string& mode)
{
    return { floats ? "gpufft.power_spectrum_cf" : "gpufft.power_spectrum_sf",
             wanted.engine,
             0,
             [=]() -> block_chain {
                 return {
                     floats ? make_power_spectrum<gr_complex>(wanted, n, average, mode)
                            : make_power_spectrum<std::int16_t>(wanted, n, average, mode)
                 };
             } };
}

contender our_logpwrfft(const settings& wanted, int n, int average)
{
    return { "gpufft.logpwrfft_c", wanted.engine, 0, [=]() -> block_chain {
                logpwrfft_settings what;
                what.sample_rate = 1;
                what.fft_size = n;
                what.ref_scale = 2;
                what.frame_rate = 1.0 / (double(n) * average);
                what.mean = true;
                what.nthreads = 0;
                engine_options options;
                options.engine = wanted.engine;
                options.device = wanted.devices;
                return { logpwrfft<gr_complex>::make(what, options) };
            } };
}

contender stock_power_spectrum(int n, int average)
{
    return { "chain of stock blocks", "", 1, [=]() -> block_chain {
                return {
                    blocks::interleaved_short_to_complex::make(false, false, 32768),
                    blocks::stream_to_vector::make(sizeof(gr_complex), n),
                    fft::fft_v<gr_complex, true>::make(
                        n, fft::window::blackmanharris(n), false, 1),
                    blocks::complex_to_mag_squared::make(n),
                    blocks::integrate_ff::make(average, n),
                    blocks::nlog10_ff::make(10, n, 0),
                };
            } };
}

} // namespace gpufft
} // namespace gr
