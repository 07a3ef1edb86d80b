// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of several axes that fit a thread block cluster: the cluster kernel with the
// load and store steps of kernels/axes/tensor.cuh.

#ifndef INCLUDED_GPUFFT_KERNELS_TENSOR_CLUSTER_CUH
#define INCLUDED_GPUFFT_KERNELS_TENSOR_CLUSTER_CUH

#include "axes/tensor.cuh"
#include "cluster/cluster.cuh"

#endif
