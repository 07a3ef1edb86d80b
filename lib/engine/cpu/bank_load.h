// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes FFTW's input from a polyphase bank's samples: conversion, the sums of the
// polyphase arms, and the rotation of a running phase.

#ifndef INCLUDED_GPUFFT_BANK_LOAD_H
#define INCLUDED_GPUFFT_BANK_LOAD_H

#include "aligned_buffer.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

class bank_load
{
public:
    explicit bank_load(const problem& what);

    // Sets n * taps values; without a call there is no window.
    void set_window(const std::vector<float>& window);

    // Numbers of scratch that load() needs for `frames` frames.
    std::size_t room(std::size_t frames, std::size_t hop) const;

    // Loads the frames from `first` on; frame 0 begins at `samples` and, if the bank is
    // running, at stream position `position`. With s the position of frame f, or 0,
    //
    //     y[f n + (m + s) mod n] = sum_p x[f hop + m + p n] w[m + p n]
    void load(const void* samples,
              std::size_t first,
              std::size_t frames,
              std::size_t hop,
              std::size_t position,
              float* room,
              std::complex<float>* y) const;

private:
    std::size_t span(std::size_t frames, std::size_t hop) const;
    void sum_arms(const std::complex<float>* x,
                  std::size_t from,
                  std::size_t count,
                  std::complex<float>* y) const;

    const sample_format d_format;
    const std::size_t d_n, d_taps;
    const bool d_is_running;
    aligned_buffer<float> d_window; // each value twice, for both parts; empty if none
};

} // namespace gpufft
} // namespace gr

#endif
