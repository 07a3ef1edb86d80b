// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of them.

#include "fault_scenarios.h"

namespace gr {
namespace gpufft {

namespace {

// The stage before a buffer that is mapped once, so that each call waits for the device.
std::vector<stage> in_small_calls(const stage& ours)
{
    std::dynamic_pointer_cast<gr::block>(ours.block)->set_max_noutput_items(1);
    return { ours, make_custom_copy(ours.out_bytes) };
}

} // namespace

const std::vector<fault_scenario>& fault_scenarios()
{
    static const std::vector<fault_scenario> all = {
        { "Vectors",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_stream_to_vector(sizeof(gr_complex), 32),
                                         make_fft({ 32, false, true, true }, how) };
          } },
        { "Stream",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              fft_parameters what{ 100 };
              what.stream = true;
              what.window = "hann";
              return std::vector<stage>{ make_fft(what, how) };
          } },
        { "Overlap",
          true,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_spectrum(
                  { 64, sample_format::cs16, 24, 1, true }, how) };
          } },
        { "Skip",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_spectrum(
                  { 32, sample_format::cf32, 50, 1, false }, how) };
          } },
        { "Chain",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_stream_to_vector(sizeof(gr_complex), 64),
                                         make_fft({ 64 }, how),
                                         make_fft({ 64, false, false }, how),
                                         make_fft({ 64 }, how) };
          } },
        { "Mean",
          false,
          { 0 },
          4096,
          [](const stage_options& how) {
              return std::vector<stage>{ make_spectrum(
                  { 32, sample_format::cf32, 32, 5, false }, how) };
          } },
        { "Cards",
          false,
          { 0, 1 },
          32768,
          [](const stage_options& how) {
              return std::vector<stage>{ make_stream_to_vector(sizeof(gr_complex), 32),
                                         make_fft({ 32 }, how),
                                         make_fft({ 32, false, false }, how) };
          } },
        { "AcrossCards", // the writer's fails, and its ring outlives that
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{
                  make_stream_to_vector(sizeof(gr_complex), 32),
                  make_fft({ 32 }, { { 0 }, "cpu", how.device_timeout }),
                  make_fft({ 32, false, false },
                           { { 1 }, how.on_error, how.device_timeout })
              };
          } },
        { "TwoCards", // and nothing of it in host memory, with "stop"
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{
                  make_stream_to_vector(sizeof(gr_complex), 32),
                  make_fft({ 32 }, how),
                  make_fft({ 32, false, false },
                           { { 1 }, how.on_error, how.device_timeout })
              };
          } },
        { "Collected", // frames that the input buffer is too short for
          false,
          { 0 },
          4096,
          [](const stage_options& how) {
              fft_parameters what{ 260 };
              what.stream = true;
              return std::vector<stage>{ make_fft(what, how) };
          } },
        { "AtOnce", // beside a buffer that is mapped once
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return in_small_calls(
                  make_spectrum({ 60, sample_format::cf32, 44, 5, false }, how));
          } },
        { "AtOnceSmoothed",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return in_small_calls(
                  make_logpwr({ 32, 2, false, false, false, 0.3 }, how));
          } },
        { "Smoothed",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_logpwr({ 32, 2, false, false, false, 0.3 },
                                                     how) };
          } },
        { "Bursts",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_burst({ 60, 64 }, how) };
          },
          true },
        { "Filter",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_filter({ 3, 100 }, how) };
          },
          true },
        { "Channelizer",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_channelizer({ 16, 16, 48 }, how) };
          } },
        { "Synthesizer",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_stream_to_vector(sizeof(gr_complex), 16),
                                         make_synthesizer({ 16, 8, 48 }, how) };
          } },
        { "Zoom",
          false,
          { 0 },
          8192,
          [](const stage_options& how) {
              return std::vector<stage>{ make_stream_to_vector(sizeof(gr_complex), 64),
                                         make_zoom({ 64, 8 }, how) };
          } },
    };
    return all;
}

} // namespace gpufft
} // namespace gr
