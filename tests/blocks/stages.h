// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks with what they must make of a stream: samples by their defining formulas in
// double precision, tags by the rules that the blocks document.

#ifndef INCLUDED_GPUFFT_STAGES_H
#define INCLUDED_GPUFFT_STAGES_H

#include "stream_data.h"
#include <functional>
#include <gnuradio/basic_block.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/problem.h>
#include <gnuradio/top_block.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct stage {
    std::string text; // for messages
    gr::basic_block_sptr block;
    std::size_t out_bytes = 0; // of an item
    std::function<stream_data(const stream_data&)> expect;

    std::vector<std::shared_ptr<engine_block>> ours; // the blocks of this module in it

    // Where there are several ports, expect() takes, or gives, vectors of an item of
    // each, and out_bytes is of one port's.
    int inputs = 1, outputs = 1;

    // Whether the block at either end is one of ours that works on a card, and how many
    // edges between two of them there are inside.
    bool reads_card = false, writes_card = false;
    int card_edges = 0;
};

// The stream of one of several output ports, of what expect() gives for all of them.
stream_data stream_of_port(const stream_data& vectors, int ports, int port);

struct stage_options {
    std::vector<int> devices = { 0 };
    std::string on_error = "stop";
    double device_timeout = 10;
    std::string engine = "cuda";
    int threads = 1;           // of the cpu engine
    item_formats formats = {}; // of the blocks that have them
};

struct fft_parameters {
    std::size_t n = 16;
    bool real = false, forward = true, shift = false;
    bool stream = false;         // plain streams instead of vectors
    std::string window = "none"; // its name
};

struct spectrum_parameters {
    std::size_t n = 16;
    sample_format input = sample_format::cf32; // cf32, cs16 or cs8
    std::size_t hop = 16, average = 1;
    bool decibel = false, shift = true;
    double alpha = 1;
    std::string window = "hann";
    detector_kind detector = detector_kind::mean;
    hold_kind hold = hold_kind::none;
    density_grid density = {};
    std::string scaling = "spectrum";
    double sample_rate = 1; // for the scaling "density"
};

struct logpwr_parameters {
    std::size_t n = 16, decimation = 1;
    bool real = false, shift = false, mean = false;
    double alpha = 1;
    std::string window = "blackmanharris";
    double ref_scale = 2;
};

struct channelizer_parameters {
    std::size_t channels = 16, hop = 16, taps = 48;
    sample_format input = sample_format::cf32; // cf32, cs16, cs8 or f32
    std::vector<int> map = {};                 // of some channels; empty: all

    std::size_t bands() const { return is_complex(input) ? channels : channels / 2 + 1; }
    std::size_t outputs() const { return map.empty() ? bands() : map.size(); }
};

struct synthesizer_parameters {
    std::size_t channels = 16, hop = 16, taps = 48;
    bool twox = false; // of the block with ports; the hop is half the channels
};

struct channel_parameters {
    std::size_t decimation = 10, taps = 33;
    std::vector<double> centers = { 0.1, -0.25 }; // cycles per sample
    bool is_filter = false; // freq_xlating_fft_filter, where there is one center
    bool real_taps = false; // then its _ccf, else _ccc
    sample_format input = sample_format::cf32; // or real, also packed
};

struct filter_parameters {
    std::size_t decimation = 1, taps = 33;
    bool real = false, real_taps = false;     // samples; taps of complex ones
    sample_format input = sample_format::f32; // of real ones, also packed
};

struct zoom_parameters {
    std::size_t n = 64, bins = 50;
    double f_start = -0.1, f_stop = 0.3;
    bool stream = false;
    std::string window = "none";
};

// All powers of templates of `length` samples.
struct correlator_parameters {
    std::size_t n = 60, length = 60, templates = 2, shifts = 3, blocks = 1, hop = 60;
};

struct dct_parameters {
    std::size_t n = 16;
    int type = 2;
    bool is_sine = false, inverse = false, ortho = false, stream = false;
};

// A user's function of float items.
struct function_parameters {
    std::size_t item_floats = 2;
    std::size_t decimation = 1, interpolation = 1, history = 0;
    std::size_t outputs = 1;
};

struct burst_parameters {
    std::size_t samples = 60; // of a burst
    std::size_t n = 64;       // fft_size; 0: as many as samples
    bool real = false, forward = true, shift = false;
    std::string window = "none";
    output_kind output = output_kind::complex;
};

// rfft_vfc, irfft_vcf, dct_vff, dst_vff or fft2d_vcc, whichever computes the problem,
// which is one of theirs without a window. The first two and the last have the window of
// this name; fft2d_vcc has it along both axes.
stage make_transform(const problem& what,
                     bool is_stream = false,
                     const stage_options& how = {},
                     const std::string& window = "none");

stage make_fft(const fft_parameters& what, const stage_options& how = {});
stage make_spectrum(const spectrum_parameters& what, const stage_options& how = {});
stage make_logpwr(const logpwr_parameters& what, const stage_options& how = {});
stage make_zoom(const zoom_parameters& what, const stage_options& how = {});
stage make_correlator(const correlator_parameters& what, const stage_options& how = {});
stage make_dct(const dct_parameters& what, const stage_options& how = {}); // or DST

// device_block: item i of frame f's row is minus the item (i mod decimation) - (i mod
// (history + 1)) after the frame's first new one, where i counts all outputs' items.
// After `sound_calls` calls on a card the function throws.
stage make_function(const function_parameters& what,
                    const stage_options& how = {},
                    long sound_calls = -1);

// fft_pdu between blocks that cut a stream into bursts and put them together again.
stage make_burst(const burst_parameters& what, const stage_options& how = {});

// fft_filter_ccc, _ccf or _fff.
stage make_filter(const filter_parameters& what, const stage_options& how = {});

// What is behind pfb_channelizer: vectors of channels.
stage make_channelizer(const channelizer_parameters& what, const stage_options& how = {});

// What is behind pfb_synthesizer: vectors of channels to samples.
stage make_synthesizer(const synthesizer_parameters& what, const stage_options& how = {});

// What is behind channel_bank_cc and freq_xlating_fft_filter: vectors of channels.
stage make_channels(const channel_parameters& what, const stage_options& how = {});

// The blocks themselves, with a port for each channel.
stage make_channelizer_streams(const channelizer_parameters& what,
                               const stage_options& how = {});
stage make_synthesizer_streams(const synthesizer_parameters& what,
                               const stage_options& how = {});
stage make_channel_streams(const channel_parameters& what, const stage_options& how = {});

// The stage that make() gives, which reads (or gives) samples of this format, in a
// hierarchical block with a filter that makes them from complex64 (or complex64 from
// them). Its items are complex64 samples, one or a vector; `data` is what it gets.
typedef std::function<stage(const stage_options&)> stage_maker;
stage make_formatted(const stage_maker& make,
                     const stage_options& how,
                     const std::string& format,
                     bool at_input,
                     const stream_data& data);

// Stock blocks.
stage make_head(std::size_t item_bytes, std::size_t count);
stage make_copy(std::size_t item_bytes);
stage make_custom_copy(std::size_t item_bytes); // with buffers of a type of its own
stage make_vector_to_stream(std::size_t item_bytes, std::size_t n); // items of the stream
stage make_stream_to_vector(std::size_t item_bytes, std::size_t n);

// One stream for all inputs of a stage; every so many of them, if not 0, get it from a
// copy on the host.
stage make_fan_in(const stage& of, int copied = 0);

// A hier block with these stages in a row.
stage make_hier(const std::vector<stage>& inside, std::size_t in_bytes);

// source -> stages -> sink. The i-th stage buffers at most buffers[i] items of output,
// the last number holding for those that are left. Returns what the sink should receive.
stream_data connect_chain(const top_block_sptr& flowgraph,
                          const basic_block_sptr& source,
                          const stream_data& data,
                          const std::vector<stage>& stages,
                          const std::vector<int>& buffers,
                          const basic_block_sptr& sink);

} // namespace gpufft
} // namespace gr

#endif
