// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which frames of a filter bank share samples (kernels/load_bank.cuh).

#ifndef INCLUDED_GPUFFT_FILTER_BANK_H
#define INCLUDED_GPUFFT_FILTER_BANK_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// Frames `apart` apart begin shift n + drift samples apart, shift > 0.
struct sample_sharing {
    long apart, shift, drift;
};

// The nearest frames with a small drift. A hop that has none gives those that are as many
// frames apart as there are points: no block holds two of them.
sample_sharing sharing_of(const problem& what);

// What reading samples and weights more than once adds to a kernel's cost, if it reads so
// many frames of a block together (1: point by point); 0 of other problems.
double bank_cost(const problem& what, int frames);

} // namespace gpufft
} // namespace gr

#endif
