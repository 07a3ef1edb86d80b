// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the loads and stores of real transforms take their roots of unity from.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_ROOTS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_ROOTS_CUH

#include "real/real_rows.cuh"
#include "roots.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

GPUFFT_DEVICE complex conjugate(complex a) { return { a.re, -a.im }; }
GPUFFT_DEVICE complex times_j(complex a) { return { -a.im, a.re }; }

// The sources of the roots of unity: the kernel, or a table in arguments.chirp (see
// real_roots() in lib/planner/real/real_kernels.h), which needs fewer instructions.
// `split` is exp(-2 pi j k / N); `turn` is the dct's own root, exp(-j pi k / 2N).
struct computed_roots {
    template <int N>
    static GPUFFT_DEVICE void split_and_turn(const transform_arguments& arguments,
                                             int k,
                                             complex& split,
                                             complex& turn)
    {
        split = root_of_unity<N>(k);
        turn = root_of_unity<4 * N>(k);
    }

    template <int N>
    static GPUFFT_DEVICE complex split(const transform_arguments&, int k)
    {
        return root_of_unity<N>(k);
    }

    // exp(-j pi (4m + 1) / 4N) and exp(-j pi k / N), of dct4
    template <int N>
    static GPUFFT_DEVICE complex first_turn(const transform_arguments&, int m)
    {
        return root_of_unity<8 * N>(4 * m + 1);
    }

    template <int N>
    static GPUFFT_DEVICE complex last_turn(const transform_arguments&, int k)
    {
        return root_of_unity<2 * N>(k);
    }
};

// Each root is followed by `Beside` others of the same k.
template <int Beside>
struct roots_of_table {
    // Both roots at once.
    template <int N>
    static GPUFFT_DEVICE void split_and_turn(const transform_arguments& arguments,
                                             int k,
                                             complex& split,
                                             complex& turn)
    {
        struct alignas(16) roots {
            complex split, turn;
        };
        const roots both = reinterpret_cast<const roots*>(arguments.chirp)[k];
        split = both.split;
        turn = both.turn;
    }

    template <int N>
    static GPUFFT_DEVICE complex split(const transform_arguments& arguments, int k)
    {
        return load_constant(arguments.chirp + k * (1 + Beside));
    }

    template <int N>
    static GPUFFT_DEVICE complex first_turn(const transform_arguments& arguments, int m)
    {
        return load_constant(arguments.chirp + m * (1 + Beside));
    }

    template <int N>
    static GPUFFT_DEVICE complex last_turn(const transform_arguments& arguments, int k)
    {
        return load_constant(arguments.chirp + k * (1 + Beside) + 1);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
