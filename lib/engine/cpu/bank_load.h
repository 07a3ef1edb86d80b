// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes FFTW's input from a polyphase bank's samples: conversion, the sums of the
// polyphase arms, and the rotation of a running phase.

#ifndef INCLUDED_GPUFFT_BANK_LOAD_H
#define INCLUDED_GPUFFT_BANK_LOAD_H

#include "weighted_rows.h"
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
    //     y[f pitch + (m + s) mod n] = sum_p x[f hop + m + p n] w[m + p n]
    //
    // y is complex for c2c, real for r2c.
    void load(const void* samples,
              std::size_t first,
              std::size_t frames,
              std::size_t hop,
              std::size_t position,
              float* room,
              float* y,
              std::size_t pitch) const;

private:
    struct frames_apart {
        std::size_t count, x_distance, y_distance; // distances in numbers
    };
    std::size_t span(std::size_t frames, std::size_t hop) const;
    void
    turn_rows(const float* x, std::size_t by, const frames_apart& all, float* y) const;
    void sum_arms(const float* x,
                  std::size_t from,
                  std::size_t count,
                  const frames_apart& all,
                  float* y) const;

    const sample_format d_format;
    const std::size_t d_n, d_taps;
    const std::size_t d_parts; // numbers of a point: 2 for c2c, 1 for r2c
    const bool d_is_running;
    const bool d_converts; // samples have not the format of y
    row_weights d_weights; // each d_parts times; empty without a window
};

} // namespace gpufft
} // namespace gr

#endif
