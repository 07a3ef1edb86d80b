// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the transform's input from a polyphase bank's samples: conversion, the sums of the
// polyphase arms, and the rotation of a running phase.

#ifndef INCLUDED_GPUFFT_BANK_LOAD_H
#define INCLUDED_GPUFFT_BANK_LOAD_H

#include "aligned_buffer.h"
#include "load_step.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class bank_load
{
public:
    // The window, if any, is all ones.
    explicit bank_load(const problem& what);

    // n * taps values; includes the output shift if shifts_output().
    void set_window(const std::vector<float>& window);

    // As load_step::shifts_output().
    bool shifts_output() const { return d_alternates; }

    // Complex points of scratch that load() needs for `frames` frames.
    std::size_t scratch_points(std::size_t frames, std::size_t hop) const;

    // y[f n + (m + position + f hop) mod n] = sum_p x[f hop + m + p n] w[m + p n]; if the
    // bank is not running, position + f hop is 0 for all frames.
    void load(const void* samples,
              std::size_t hop,
              std::size_t frames,
              std::size_t position,
              std::complex<float>* scratch,
              std::complex<float>* y) const;

    // e.g. "cs16 window taps(16) running"
    std::string describe() const;

private:
    std::size_t span(std::size_t frames, std::size_t hop) const;
    void sum_arms(const std::complex<float>* x,
                  std::size_t from,
                  std::size_t count,
                  std::complex<float>* y) const;

    const sample_format d_format;
    const std::size_t d_n, d_taps;
    const bool d_is_running;
    const bool d_alternates;
    aligned_buffer<float> d_window; // each value twice, for both parts; empty if none
};

} // namespace gpufft
} // namespace gr

#endif
