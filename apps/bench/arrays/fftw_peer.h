// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW on all cores, with its own threads, by an estimated plan.

#ifndef INCLUDED_GPUFFT_BENCH_FFTW_PEER_H
#define INCLUDED_GPUFFT_BENCH_FFTW_PEER_H

#include <functional>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// What transforms one frame from `input` to `output`, which may be the same; it may
// overwrite the input. Empty if FFTW has no such plan here.
std::function<void()>
make_fftw_peer(const problem& what, void* input, void* output, int threads);

} // namespace gpufft
} // namespace gr

#endif
