// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiles functions for several generations of vector instructions; the loader takes the
// best version for the CPU.

#ifndef INCLUDED_GPUFFT_FOR_THIS_CPU_H
#define INCLUDED_GPUFFT_FOR_THIS_CPU_H

// Sanitizers start too late for this choice; other compilers make one version. Names of
// processors, as haswell, would choose for these alone; levels are for all that have
// them.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 &&  \
    !defined(__clang__) && !defined(__SANITIZE_THREAD__) &&                              \
    !defined(__SANITIZE_ADDRESS__)
#define GPUFFT_FOR_THIS_CPU                                                              \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GPUFFT_FOR_THIS_CPU
#endif

#endif
