// SPDX-License-Identifier: GPL-3.0-or-later
//
// fft_pdu in a stream: a block cuts bursts, sends each as a message, waits for what comes
// back and puts it into its own output. So a run's messages have an order and an end.

#include "stage_reference.h"
#include <chrono>
#include <cstring>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/fft_pdu.h>
#include <gnuradio/hier_block2.h>
#include <gnuradio/io_signature.h>
#include <spdlog/fmt/fmt.h>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

const pmt::pmt_t OUT_PORT = pmt::mp("bursts");
const pmt::pmt_t IN_PORT = pmt::mp("spectra");

class burst_bridge : public gr::block
{
public:
    burst_bridge(const std::shared_ptr<engine_block>& transform,
                 std::size_t samples,
                 bool is_real,
                 std::size_t n,
                 std::size_t bin_bytes)
        : gr::block(
              "burst_bridge",
              gr::io_signature::make(1, 1, is_real ? sizeof(float) : sizeof(gr_complex)),
              gr::io_signature::make(1, 1, static_cast<int>(bin_bytes))),
          d_transform(transform),
          d_samples(samples),
          d_is_real(is_real),
          d_n(n),
          d_bin_bytes(bin_bytes)
    {
        message_port_register_out(OUT_PORT);
        message_port_register_in(IN_PORT);
        set_output_multiple(static_cast<int>(n));
        set_relative_rate(n, samples);
        set_tag_propagation_policy(TPP_DONT);
    }

    void forecast(int noutput_items, gr_vector_int& required) override
    {
        required[0] = static_cast<int>(noutput_items / d_n * d_samples);
    }

    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override
    {
        const std::size_t count =
            std::min(ninput_items[0] / d_samples, noutput_items / d_n);
        for (std::size_t i = 0; i < count; ++i) {
            message_port_pub(OUT_PORT, burst(input_items[0], i * d_samples));
            const pmt::pmt_t spectrum = receive();
            if (!take(spectrum, static_cast<char*>(output_items[0]), i))
                return WORK_DONE; // which too few items tell
        }
        consume_each(static_cast<int>(count * d_samples));
        return static_cast<int>(count * d_n);
    }

private:
    pmt::pmt_t burst(const void* samples, std::size_t first) const
    {
        return pmt::cons(
            pmt::make_dict(),
            d_is_real ? pmt::init_f32vector(d_samples,
                                            static_cast<const float*>(samples) + first)
                      : pmt::init_c32vector(
                            d_samples, static_cast<const gr_complex*>(samples) + first));
    }

    // Null if none comes, as from a block that has stopped.
    pmt::pmt_t receive()
    {
        const auto patience =
            std::chrono::steady_clock::now() + std::chrono::seconds(300);
        while (std::chrono::steady_clock::now() < patience) {
            const bool has_stopped = !d_transform->error().empty();
            if (const pmt::pmt_t message = delete_head_nowait(IN_PORT))
                return message;
            if (has_stopped)
                break;
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
        return nullptr;
    }

    // False for what is no spectrum of n bins.
    bool take(const pmt::pmt_t& message, char* output, std::size_t i) const
    {
        std::size_t bytes = 0;
        if (!message || !pmt::is_pair(message))
            return false;
        const void* bins = pmt::uniform_vector_elements(pmt::cdr(message), bytes);
        if (bytes != d_n * d_bin_bytes)
            return false;
        std::memcpy(output + i * bytes, bins, bytes);
        return true;
    }

    const std::shared_ptr<engine_block> d_transform; // what sends the spectra
    const std::size_t d_samples;
    const bool d_is_real;
    const std::size_t d_n, d_bin_bytes;
};

// Bursts one after the other, each cut or filled up with zeros to n samples.
stream_data
padded(const stream_data& input, const burst_parameters& what, std::size_t item_bytes)
{
    const std::size_t n = what.n > 0 ? what.n : what.samples;
    const std::size_t taken = std::min(n, what.samples);
    const std::size_t floats = item_bytes / sizeof(float);
    stream_data result;
    result.item_bytes = item_bytes;
    const std::size_t bursts = input.count() / what.samples;
    result.items.resize(bursts * n * item_bytes);
    if (!input.errors.empty())
        result.errors.resize(bursts * n * floats);
    for (std::size_t i = 0; i < bursts; ++i) {
        std::copy_n(input.items.begin() + i * what.samples * item_bytes,
                    taken * item_bytes,
                    result.items.begin() + i * n * item_bytes);
        if (!input.errors.empty())
            std::copy_n(input.errors.begin() + i * what.samples * floats,
                        taken * floats,
                        result.errors.begin() + i * n * floats);
    }
    return result;
}

} // namespace

stage make_burst(const burst_parameters& what, const stage_options& how)
{
    const std::size_t n = what.n > 0 ? what.n : what.samples;
    problem expected;
    expected.n = n;
    expected.dir = what.forward ? direction::forward : direction::inverse;
    expected.input = what.real ? sample_format::f32 : sample_format::cf32;
    expected.output = what.output;
    expected.shift_output = what.shift && what.forward;
    expected.shift_input = what.shift && !what.forward;
    std::vector<float> taps = window_spec(what.window).build(std::min(n, what.samples));
    expected.window = !taps.empty();
    if (expected.window)
        taps.resize(n);
    const std::string output = what.output == output_kind::complex ? "complex"
                               : what.output == output_kind::power ? "power"
                                                                   : "db";
    const auto block = fft_pdu::make(what.n,
                                     what.forward,
                                     what.window,
                                     what.shift,
                                     output,
                                     how.engine,
                                     how.devices,
                                     how.on_error,
                                     how.device_timeout);
    stage result;
    result.out_bytes = expected.output_item_bytes();
    const int in_bytes = static_cast<int>(expected.input_item_bytes());
    const auto bridge = gnuradio::make_block_sptr<burst_bridge>(
        block, what.samples, what.real, n, result.out_bytes);
    const auto hier = gr::make_hier_block2(
        "bursts",
        gr::io_signature::make(1, 1, in_bytes),
        gr::io_signature::make(1, 1, static_cast<int>(result.out_bytes)));
    hier->connect(hier, 0, bridge, 0);
    hier->connect(bridge, 0, hier, 0);
    hier->msg_connect(bridge, "bursts", block, "pdu_in");
    hier->msg_connect(block, "pdu_out", bridge, "spectra");
    result.text = fmt::format(
        "bursts of {}: {}({})", what.samples, expected.to_string(), text_of(how));
    set_block(result, block, false, false);
    result.block = hier;
    result.expect = [=](const stream_data& input) {
        stream_data bursts = padded(input, what, in_bytes);
        stream_data spectra =
            what.output == output_kind::complex
                ? transform(bursts, expected, taps, { 0, n, n }, n)
                : power_rows(bursts, expected, taps, { 0, n, n }, 1, false);
        spectra.item_bytes = expected.output_item_bytes();
        return spectra;
    };
    return result;
}

} // namespace gpufft
} // namespace gr
