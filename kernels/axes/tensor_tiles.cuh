// SPDX-License-Identifier: GPL-3.0-or-later
//
// Short frames of several axes: the kernel of short vectors with the passes of a tensor
// shape.

#ifndef INCLUDED_GPUFFT_KERNELS_TENSOR_TILES_CUH
#define INCLUDED_GPUFFT_KERNELS_TENSOR_TILES_CUH

#include "axes/tensor.cuh"
#include "stockham/stockham_tiles.cuh"

#endif
