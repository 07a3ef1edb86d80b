// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user of cuFFT puts together for polyphase banks, filters and correlations:
// separate kernels around its transforms, with all between them in memory.

#ifndef INCLUDED_GPUFFT_BENCH_CUFFT_CHAIN_H
#define INCLUDED_GPUFFT_BENCH_CUFFT_CHAIN_H

#include "cufft_peer.h"
#include "engine/cuda/device.h"
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

// polyphase banks and filters of complex64 samples without anything else fused, the
// filters without decimation; correlations as cufft_correlation.h has them.
bool chain_takes(const problem& what);

/* A polyphase bank: one kernel for the sums of the arms, each thread one arm in 64 frames
 * with its taps, and where frames lie n apart its samples, in registers; then a batch of
 * transforms in place.
 *
 * A filter by overlap-save: transforms of the power of two that is at least eight times
 * the taps, of segments that overlap; a kernel for the products with the response;
 * inverse transforms in place; a copy of what is valid.
 *
 * Both with window_of(what). The context must be current, here and in queue(). Throws
 * std::runtime_error if cuFFT is absent or refuses. */
class cufft_chain
{
public:
    cufft_chain(const problem& what, const device_context& context, CUstream stream);
    ~cufft_chain();
    cufft_chain(const cufft_chain&) = delete;
    cufft_chain& operator=(const cufft_chain&) = delete;

    void queue(CUdeviceptr input, CUdeviceptr output);

private:
    class step;
    class bank_step;
    class filter_step;
    class correlation_step;

    std::unique_ptr<step> d_step;
};

} // namespace gpufft
} // namespace gr

#endif
