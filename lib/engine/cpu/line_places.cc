// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts through the axes across a line, like an odometer.

#include "line_places.h"

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

std::vector<std::size_t> c_strides(const std::vector<std::size_t>& lengths)
{
    std::vector<std::size_t> strides(lengths.size(), 1);
    for (std::size_t axis = lengths.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * lengths[axis];
    return strides;
}

line_places::line_places(const std::vector<std::size_t>& lengths,
                         const std::vector<std::size_t>& strides,
                         std::size_t axis)
    : d_stride(strides[axis])
{
    for (std::size_t other = lengths.size(); other-- > 0;) {
        if (other == axis)
            continue;
        d_axes.push_back({ lengths[other], strides[other] });
        d_lines_per_frame *= lengths[other];
    }
}

void line_places::find_across(std::size_t first,
                              std::size_t count,
                              std::size_t frame_distance,
                              std::size_t* places) const
{
    std::size_t index[MAX_AXES], frame = first;
    for (std::size_t j = 0; j < d_axes.size(); ++j) {
        index[j] = frame % d_axes[j].length;
        frame /= d_axes[j].length;
    }
    for (std::size_t i = 0; i < count; ++i) {
        places[i] = frame * frame_distance;
        for (std::size_t j = 0; j < d_axes.size(); ++j)
            places[i] += index[j] * d_axes[j].stride;
        std::size_t j = 0;
        while (j < d_axes.size() && ++index[j] == d_axes[j].length)
            index[j++] = 0;
        frame += j == d_axes.size();
    }
}

} // namespace gpufft
} // namespace gr
