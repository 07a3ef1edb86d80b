// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of them.

#include "fault_scenarios.h"
#include <gnuradio/block.h>

namespace gr {
namespace gpufft {

namespace {

typedef std::vector<stage> stages;

// The stage before a buffer that is mapped once, so that each call waits for the device.
stages in_small_calls(const stage& ours)
{
    std::dynamic_pointer_cast<gr::block>(ours.block)->set_max_noutput_items(1);
    return { ours, make_custom_copy(ours.out_bytes) };
}

} // namespace

const std::vector<fault_scenario>& fault_scenarios()
{
    static const std::vector<fault_scenario> all = {
        { "Vectors",
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 32),
                       make_fft({ 32, false, true, true }, how) };
          } },
        { "Stream",
          [](const stage_options& how) -> stages {
              fft_parameters what{ 100 };
              what.stream = true;
              what.window = "hann";
              return { make_fft(what, how) };
          } },
        { "Overlap",
          [](const stage_options& how) -> stages {
              return { make_spectrum({ 64, sample_format::cs16, 24, 1, true }, how) };
          },
          8192,
          true },
        { "Skip",
          [](const stage_options& how) -> stages {
              return { make_spectrum({ 32, sample_format::cf32, 50, 1, false }, how) };
          } },
        { "Chain",
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 64),
                       make_fft({ 64 }, how),
                       make_fft({ 64, false, false }, how),
                       make_fft({ 64 }, how) };
          } },
        { "Mean",
          [](const stage_options& how) -> stages {
              return { make_spectrum({ 32, sample_format::cf32, 32, 5, false }, how) };
          },
          4096 },
        { "Cards",
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 32),
                       make_fft({ 32 }, how),
                       make_fft({ 32, false, false }, how) };
          },
          32768,
          false,
          { 0, 1 } },
        { "AcrossCards", // the writer's fails, and its ring outlives that
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 32),
                       make_fft({ 32 }, { { 0 }, "cpu", how.device_timeout }),
                       make_fft({ 32, false, false },
                                { { 1 }, how.on_error, how.device_timeout }) };
          },
          8192,
          false,
          { 0 },
          false,
          2000,
          true },
        { "TwoCards", // and nothing of it in host memory, with "stop"
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 32),
                       make_fft({ 32 }, how),
                       make_fft({ 32, false, false },
                                { { 1 }, how.on_error, how.device_timeout }) };
          },
          8192,
          false,
          { 0 },
          false,
          2000,
          true },
        { "Collected", // frames that the input buffer is too short for
          [](const stage_options& how) -> stages {
              fft_parameters what{ 260 };
              what.stream = true;
              return { make_fft(what, how) };
          },
          4096 },
        { "AtOnce", // beside a buffer that is mapped once
          [](const stage_options& how) -> stages {
              return in_small_calls(
                  make_spectrum({ 60, sample_format::cf32, 44, 5, false }, how));
          } },
        { "AtOnceSmoothed",
          [](const stage_options& how) -> stages {
              return in_small_calls(
                  make_logpwr({ 32, 2, false, false, false, 0.3 }, how));
          } },
        { "Smoothed",
          [](const stage_options& how) -> stages {
              return { make_logpwr({ 32, 2, false, false, false, 0.3 }, how) };
          } },
        { "Bursts",
          [](const stage_options& how) -> stages {
              return { make_burst({ 60, 64 }, how) };
          },
          8192,
          false,
          { 0 },
          true },
        { "Filter",
          [](const stage_options& how) -> stages {
              return { make_filter({ 3, 100 }, how) };
          },
          8192,
          false,
          { 0 },
          true },
        { "Rotating",
          [](const stage_options& how) -> stages {
              return { make_channels({ 3, 33, { 0.123 }, true }, how) };
          } },
        { "AtOnceRotating",
          [](const stage_options& how) -> stages {
              return in_small_calls(make_channels({ 3, 33, { 0.123 }, true }, how));
          },
          8192,
          false,
          { 0 },
          false,
          60000 },    // filters take many samples at once
        { "Function", // a user's, between two of ours
          [](const stage_options& how) -> stages {
              return { make_fft({ 16, false, true, false, true }, how),
                       make_function({ 2, 3, 2, 5 }, how),
                       make_fft({ 16, false, false, false, true }, how) };
          } },
        { "AtOnceFunction",
          [](const stage_options& how) -> stages {
              return in_small_calls(make_function({ 2, 3, 2, 5 }, how));
          },
          8192,
          false,
          { 0 },
          false,
          200 }, // each of which takes many calls
        { "Channelizer",
          [](const stage_options& how) -> stages {
              return { make_channelizer({ 16, 16, 48 }, how) };
          } },
        { "Synthesizer",
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 16),
                       make_synthesizer({ 16, 8, 48 }, how) };
          } },
        { "Zoom",
          [](const stage_options& how) -> stages {
              return { make_stream_to_vector(sizeof(gr_complex), 64),
                       make_zoom({ 64, 8 }, how) };
          } },
    };
    return all;
}

} // namespace gpufft
} // namespace gr
