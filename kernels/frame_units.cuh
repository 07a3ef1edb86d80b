// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a launch's frames are shared among units, of which several make a row.

#ifndef INCLUDED_GPUFFT_KERNELS_FRAME_UNITS_CUH
#define INCLUDED_GPUFFT_KERNELS_FRAME_UNITS_CUH

#include "device.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

struct frame_range {
    unsigned long long begin, end; // empty if begin >= end
    bool is_stored;                // the row is one that the frames touch
};

// Frames of unit u: part u mod parts of row floor(u / parts), see transform_arguments.
template <class Arguments>
GPUFFT_DEVICE frame_range frames_of_unit(const Arguments& arguments,
                                         unsigned long long unit)
{
    const unsigned long long row = unit / arguments.units.parts;
    const unsigned long long part = unit % arguments.units.parts;
    const unsigned long long taken = arguments.frames_in_row;
    const unsigned long long row_begin = row == 0 ? 0 : row * arguments.average - taken;
    unsigned long long row_end = (row + 1) * arguments.average - taken;
    if (row_end > arguments.frames)
        row_end = arguments.frames;
    const unsigned long long begin = row_begin + part * arguments.units.group;
    const unsigned long long end = begin + arguments.units.group;
    return { begin, end < row_end ? end : row_end, row_begin < arguments.frames };
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
