// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of several axes that fill a multiprocessor, one after the other: the pipelined
// kernel with the passes of a tensor shape. The first and the last pass are along the
// first axis, where butterfly j begins at point j of the frame, as with one axis.

#ifndef INCLUDED_GPUFFT_KERNELS_TENSOR_FRAMES_CUH
#define INCLUDED_GPUFFT_KERNELS_TENSOR_FRAMES_CUH

#include "axes/tensor_shape.cuh"
#include "stockham/pipelined.cuh"

#endif
