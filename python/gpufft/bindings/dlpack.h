// SPDX-License-Identifier: GPL-3.0-or-later
//
// The structures that DLPack passes arrays by, in the layout of its version 0.
// https://dmlc.github.io/dlpack/latest/c_api.html

#ifndef INCLUDED_GPUFFT_DLPACK_H
#define INCLUDED_GPUFFT_DLPACK_H

#include <cstdint>

namespace gr {
namespace gpufft {
namespace dlpack {

constexpr std::int32_t CPU = 1, CUDA = 2, CUDA_HOST = 3, CUDA_MANAGED = 13;

enum type_code : std::uint8_t {
    signed_integer = 0,
    unsigned_integer = 1,
    floating = 2,
    complex = 5
};

struct tensor {
    void* data;
    struct {
        std::int32_t type, index;
    } device;
    std::int32_t axes;
    struct {
        std::uint8_t code, bits;
        std::uint16_t lanes;
    } type;
    std::int64_t* shape;
    std::int64_t* strides; // in elements; null for C order without gaps
    std::uint64_t byte_offset;
};

// In a capsule "dltensor", which whoever takes it over renames to "used_dltensor".
struct managed_tensor {
    tensor array;
    void* manager;
    void (*deleter)(managed_tensor* self);
};

constexpr const char* NAME = "dltensor";
constexpr const char* USED_NAME = "used_dltensor";

} // namespace dlpack
} // namespace gpufft
} // namespace gr

#endif
