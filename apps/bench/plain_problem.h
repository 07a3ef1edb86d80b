// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which problems libraries for transforms and nothing else can do.

#ifndef INCLUDED_GPUFFT_BENCH_PLAIN_PROBLEM_H
#define INCLUDED_GPUFFT_BENCH_PLAIN_PROBLEM_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

constexpr std::size_t PEER_AXES = 3;

// True if a problem is a transform of one to three axes without fused steps, from frames
// without gaps to rows without gaps, in single or double precision.
inline bool is_plain(const problem& what)
{
    const bool reads_natural =
        what.kind == transform_kind::r2c || what.is_real_to_real()
            ? what.input == sample_format::f32 || what.input == sample_format::f64
            : what.input == sample_format::cf32 || what.input == sample_format::cf64;
    return reads_natural && what.stored == number_format::working && !what.is_power() &&
           what.axes().size() <= PEER_AXES && !what.window && !what.is_polyphase_bank() &&
           !what.shift_input && !what.shift_output && !what.orthogonal &&
           what.scale == 1.0 && what.input_strides.empty() &&
           what.effective_hop() == what.frame_samples() && what.has_plain_rows();
}

} // namespace gpufft
} // namespace gr

#endif
