// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a problem that comes before powers are averaged.

#ifndef INCLUDED_GPUFFT_FRAME_ROWS_H
#define INCLUDED_GPUFFT_FRAME_ROWS_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// The problem with an unscaled row of `output` for each frame.
inline problem rows_of_frames(problem what, output_kind output)
{
    row_values unscaled;
    unscaled.hop = what.hop;
    what.set(unscaled);
    if (what.is_power()) // whose averages have the format
        what.stored = number_format::working;
    what.output = output;
    what.detector = detector_kind::mean;
    return what;
}

} // namespace gpufft
} // namespace gr

#endif
