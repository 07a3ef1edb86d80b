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

// c2c, r2c and c2r of one to three axes without anything fused.
bool cufft_takes(const problem& what);

// A batch of transforms, also in place, r2c and c2r with n/2 + 1 bins in a row; c2r may
// overwrite its input. Frames of c2c may lie closer or farther apart than their length.
// Throws std::runtime_error if cuFFT is absent or refuses; the context must be current.
class cufft_peer
{
public:
    cufft_peer(const problem& what, CUstream stream);
    ~cufft_peer();
    cufft_peer(const cufft_peer&) = delete;
    cufft_peer& operator=(const cufft_peer&) = delete;

    void queue(CUdeviceptr input, CUdeviceptr output);

private:
    int d_plan = 0;
    transform_kind d_kind;
    direction d_direction;
    bool d_is_double;
};

} // namespace gpufft
} // namespace gr

#endif
