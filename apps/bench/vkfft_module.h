// SPDX-License-Identifier: GPL-3.0-or-later
//
// VkFFT as a library of its own, that the benchmark opens at run time: VkFFT calls the
// NVIDIA driver and NVRTC by name, so that what holds it does not load without them.

#ifndef INCLUDED_GPUFFT_VKFFT_MODULE_H
#define INCLUDED_GPUFFT_VKFFT_MODULE_H

#include <cstddef>

extern "C" {

struct gpufft_vkfft_request {
    int device;
    int axes;
    std::size_t lengths[3]; // the axis without strides first
    std::size_t batch;
    int dct, dst;      // the type, or 0
    bool r2c, inverse; // r2c and inverse is c2r
    bool is_double;
    void* dev_buffer;     // transformed in place
    void* dev_input;      // read in place of the buffer, or null
    void* dev_output;     // written in place of the buffer, or null
    std::size_t bytes;    // of each of them; rows have no gaps if r2c reads dev_input and
                          // c2r writes dev_output
    void* stream;         // a CUstream
    const void* compiled; // what an earlier call has saved, or null
    void (*save)(void* where, const void* compiled, std::size_t bytes); // or null
    void* where;
};

// A plan, or null with VkFFT's reason in *error. The context must be current.
__attribute__((visibility("default"))) void*
gpufft_vkfft_make(const gpufft_vkfft_request* request, const char** error);
// Queues the transform; VkFFT's reason if that fails, else null.
__attribute__((visibility("default"))) const char* gpufft_vkfft_queue(void* plan);
__attribute__((visibility("default"))) void gpufft_vkfft_destroy(void* plan);
__attribute__((visibility("default"))) int gpufft_vkfft_version(); // 10304 for 1.3.4
}

#endif
