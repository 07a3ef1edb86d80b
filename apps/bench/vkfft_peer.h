// SPDX-License-Identifier: GPL-3.0-or-later
//
// VkFFT, to be measured against, if the benchmark was built with it.

#ifndef INCLUDED_GPUFFT_VKFFT_PEER_H
#define INCLUDED_GPUFFT_VKFFT_PEER_H

#include <cuda.h>
#include <gnuradio/gpufft/problem.h>
#include <string>

namespace gr {
namespace gpufft {

// "1.3.4" or, if there is none, "absent".
std::string vkfft_version();
std::string vkfft_obstacle(); // why there is none, empty if there is

// Transforms of one to three axes without anything fused.
bool vkfft_takes(const problem& what);

// Compiles a problem's kernels; what they are is for vkfft_peer, which then need not.
// Empty if that fails. Throws std::runtime_error if there is no VkFFT; the context must
// be current. Any threads may call it at once.
std::string
vkfft_compile(const problem& what, int device, CUdeviceptr input, CUdeviceptr output);

// A batch of transforms, in place if input and output are the same; c2r may overwrite its
// input. Throws std::runtime_error if VkFFT is absent or refuses; the context must be
// current.
class vkfft_peer
{
public:
    vkfft_peer(const problem& what,
               int device,
               CUdeviceptr input,
               CUdeviceptr output,
               CUstream stream,
               const std::string& compiled);
    ~vkfft_peer();
    vkfft_peer(const vkfft_peer&) = delete;
    vkfft_peer& operator=(const vkfft_peer&) = delete;

    void queue();

private:
    void* d_plan;
};

} // namespace gpufft
} // namespace gr

#endif
