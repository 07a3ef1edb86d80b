// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the transform's input from a frame of samples: conversion to complex with full
// scale 1, window and input shift.

#ifndef INCLUDED_GPUFFT_LOAD_STEP_H
#define INCLUDED_GPUFFT_LOAD_STEP_H

#include "aligned_buffer.h"
#include <complex>
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// y[m] = x[m], m < count, with full scale 1. For cf32, f32, cs16 and cs8.
void convert_samples(sample_format format,
                     const void* x,
                     std::size_t count,
                     std::complex<float>* y);

class load_step
{
public:
    // The window is all ones.
    explicit load_step(const problem& what);

    // n taps; includes the output shift if shifts_output().
    void set_window(const std::vector<float>& taps);

    // True if the window does the output shift: for even n, bins shifted by n/2 are the
    // transform of y[m] (-1)^m.
    bool shifts_output() const { return d_alternates; }

    // True if a frame already is the transform's input.
    bool is_identity() const;

    // y[(m - floor(n/2) if shifted) mod n] = x[m] w[m], n samples from `frame`.
    void load(const void* frame, std::complex<float>* y) const;

    // e.g. "cs16 window shift"
    std::string describe() const;

private:
    void load_run(const void* frame,
                  std::size_t from,
                  std::size_t count,
                  std::complex<float>* y) const;

    sample_format d_format;
    std::size_t d_n;
    std::size_t d_rotation;         // of the samples, see for_each_run()
    bool d_alternates;              // shifts_output()
    aligned_buffer<float> d_window; // empty if none
};

} // namespace gpufft
} // namespace gr

#endif
