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

// The problem with the rows as VkFFT leaves them in the buffer: those of c2r have the
// length of their n/2 + 1 bins. The samples of r2c must lie so, too.
problem vkfft_layout(const problem& what);

// Compiles a problem's kernels; what they are is for vkfft_peer, which then need not.
// Empty if that fails. Throws std::runtime_error if there is no VkFFT; the context must
// be current. Any threads may call it at once.
std::string vkfft_compile(const problem& what, int device, CUdeviceptr buffer);

// A batch of transforms in a buffer, in place, as VkFFT is meant to be used.
// Throws std::runtime_error if VkFFT is absent or refuses; the context must be current.
class vkfft_peer
{
public:
    vkfft_peer(const problem& what,
               int device,
               CUdeviceptr buffer,
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
