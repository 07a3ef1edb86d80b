// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bank of correlators as a user of cuFFT puts it together.

#ifndef INCLUDED_GPUFFT_BENCH_CUFFT_CORRELATION_H
#define INCLUDED_GPUFFT_BENCH_CUFFT_CORRELATION_H

#include "chain_kernel.h"
#include "cufft_peer.h"
#include <optional>

namespace gr {
namespace gpufft {

// The peaks of every template in complex64 samples, without periods to add.
bool correlation_chain_takes(const problem& what);

/* A kernel that mixes the fractions of the shifts in; transforms of these; then, for
 * groups of pairs of template and shift whose products fit the second-level cache, a
 * kernel for the products, inverse transforms in place, and a kernel for the largest
 * power of each pair; at last a kernel for the peak of each template. With
 * window_of(what). The context must be current, here and in queue(). Throws
 * std::runtime_error if cuFFT is absent or refuses. */
class cufft_correlation
{
public:
    cufft_correlation(const problem& what,
                      const device_context& context,
                      CUstream stream);
    void queue(CUdeviceptr input, CUdeviceptr output);

private:
    const problem d_what;
    const CUstream d_stream;
    const std::size_t d_templates, d_fractions;
    const std::size_t d_cells; // pairs of template and shift in all frames
    const std::size_t d_group; // of them whose products are in memory at once
    chain_kernel d_mix, d_multiply, d_detect, d_choose;
    memory_buffer d_turns, d_responses, d_places, d_spectra, d_products, d_peaks;
    cufft_peer d_forward, d_inverse;
    std::optional<cufft_peer> d_inverse_last; // of a group that is smaller
};

} // namespace gpufft
} // namespace gr

#endif
