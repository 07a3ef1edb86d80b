// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms in a thread block cluster: the cluster kernel with real rows at both
// ends.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_CLUSTER_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_CLUSTER_CUH

#include "cluster/cluster.cuh"
#include "real/real_two_rows.cuh"

#endif
