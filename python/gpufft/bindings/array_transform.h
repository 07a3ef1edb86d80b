// SPDX-License-Identifier: GPL-3.0-or-later
//
// A transform along any axes of arrays in host memory, without copies: axes become a
// problem's strides, the longest run of other axes its frames, the rest a loop.

#ifndef INCLUDED_GPUFFT_ARRAY_TRANSFORM_H
#define INCLUDED_GPUFFT_ARRAY_TRANSFORM_H

#include <cstddef>
#include <gnuradio/gpufft/plan.h>
#include <vector>

namespace gr {
namespace gpufft {

// Elements along each axis, and bytes from one to the next.
struct host_array {
    char* data;
    std::vector<std::size_t> shape;
    std::vector<std::ptrdiff_t> strides;
};

struct array_request {
    transform_kind kind = transform_kind::c2c;
    // c2c: the direction. r2c: inverse conjugates the bins. Others: ignored.
    direction dir = direction::forward;
    bool from_real = false; // c2c of real samples
    bool is_double = false;
    bool orthogonal = false;
    double scale = 1.0;
    std::vector<std::size_t> axes;    // the last one is halved by r2c and c2r
    std::vector<std::size_t> lengths; // of the transform along each
    int threads = 1;
    engine_kind engine = engine_kind::automatic;
    int device = 0;
};

// True if the strides of every axis that is longer than 1 are positive multiples of
// item_bytes, as a problem has them.
bool has_plain_strides(const host_array& array, std::size_t item_bytes);

// Both arrays have plain strides, do not overlap, and have the same shape except along
// the axes. With from_real the input holds reals. Takes its plans from plan_cache. Throws
// as plan::make() and plan::execute().
void transform_array(const array_request& what,
                     const host_array& input,
                     const host_array& output);

} // namespace gpufft
} // namespace gr

#endif
