// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a launch's frames are divided among units; several units make a row.

#ifndef INCLUDED_GPUFFT_KERNELS_FRAME_UNITS_CUH
#define INCLUDED_GPUFFT_KERNELS_FRAME_UNITS_CUH

#include "device.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

struct frame_range {
    unsigned long long begin, end; // empty if begin >= end
    bool is_stored;                // whether the frames touch the row
    bool goes_on;                  // continues a group of the previous launch
};

// Frames of unit u: part u mod parts of row floor(u / parts), see transform_arguments. A
// part has the frames of a group (problem/frame_groups.h) that are in this launch. The
// first row's parts begin with the group of its first new frame.
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
    const unsigned long long group = arguments.units.group;
    const unsigned long long passed = row == 0 ? taken % group : 0; // of the first part
    const unsigned long long begin = row_begin + part * group;
    const unsigned long long end = begin + group - passed;
    return { part == 0 ? begin : begin - passed,
             end < row_end ? end : row_end,
             row_begin < arguments.frames,
             part == 0 && passed > 0 };
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
