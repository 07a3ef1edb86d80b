// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels whose text a user gives.

#ifndef INCLUDED_GPUFFT_USER_KERNEL_H
#define INCLUDED_GPUFFT_USER_KERNEL_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct user_launch {
    struct area {
        void* address = nullptr;
        std::size_t bytes = 0;
    };
    std::vector<area> inputs, outputs; // of all ports
    std::size_t frames = 0;
    std::vector<std::vector<char>> parameters; // bytes of each
    std::size_t blocks = 1, threads = 1;
    void* stream = nullptr;
};

// A kernel on one card: __global__ void name(const In* input, ..., Out* output, ..., long
// long frames, parameters ...).
class GPUFFT_API user_kernel
{
public:
    virtual ~user_kernel() = default;
    virtual void launch(const user_launch& how) const = 0;
};

// The kernel `name` of this text, compiled or from the cache. Throws
// std::invalid_argument with the compiler's messages, cuda_error for device trouble.
GPUFFT_API std::unique_ptr<user_kernel>
make_user_kernel(int device, const std::string& text, const std::string& name);

// Compiles it for cards of this architecture, e.g. 90, without a card. Throws as above.
GPUFFT_API void
check_user_kernel(const std::string& text, const std::string& name, int architecture);

} // namespace gpufft
} // namespace gr

#endif
