// SPDX-License-Identifier: GPL-3.0-or-later
//
// cuFFT, to be measured against, opened at run time if it is there.

#ifndef INCLUDED_GPUFFT_CUFFT_PEER_H
#define INCLUDED_GPUFFT_CUFFT_PEER_H

#include <cstddef>
#include <cuda.h>
#include <gnuradio/gpufft/problem.h>
#include <string>

namespace gr {
namespace gpufft {

// "12.0.0" or, if there is no cuFFT, "absent".
std::string cufft_version();

// A batch of complex transforms, out of place. Throws std::runtime_error if cuFFT is
// absent or refuses; the context must be current.
class cufft_peer
{
public:
    cufft_peer(std::size_t n,
               std::size_t batch,
               CUstream stream,
               direction dir = direction::forward);
    ~cufft_peer();
    cufft_peer(const cufft_peer&) = delete;
    cufft_peer& operator=(const cufft_peer&) = delete;

    void queue(CUdeviceptr input, CUdeviceptr output);

private:
    int d_plan = 0;
    direction d_direction;
};

} // namespace gpufft
} // namespace gr

#endif
