// SPDX-License-Identifier: GPL-3.0-or-later
//
// Places in memory of the lines along one axis of frames with several axes. Lines are
// counted in C order of the other axes, then of the frames.

#ifndef INCLUDED_GPUFFT_LINE_PLACES_H
#define INCLUDED_GPUFFT_LINE_PLACES_H

#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

// Strides of C order without gaps.
std::vector<std::size_t> c_strides(const std::vector<std::size_t>& lengths);

class line_places
{
public:
    line_places() = default;

    // Points of each axis, and their strides.
    line_places(const std::vector<std::size_t>& lengths,
                const std::vector<std::size_t>& strides,
                std::size_t axis);

    // Distance from point to point of a line.
    std::size_t stride() const { return d_stride; }

    std::size_t lines_per_frame() const { return d_lines_per_frame; }

    // Finds where the lines first ... first+count-1 begin, in frames frame_distance
    // apart.
    void find(std::size_t first,
              std::size_t count,
              std::size_t frame_distance,
              std::size_t* places) const
    {
        if (!d_axes.empty())
            return find_across(first, count, frame_distance, places);
        for (std::size_t i = 0; i < count; ++i)
            places[i] = (first + i) * frame_distance;
    }

private:
    void find_across(std::size_t first,
                     std::size_t count,
                     std::size_t frame_distance,
                     std::size_t* places) const;

    struct axis_of_lines {
        std::size_t length, stride;
    };
    std::vector<axis_of_lines> d_axes; // fastest first
    std::size_t d_stride = 1;
    std::size_t d_lines_per_frame = 1;
};

} // namespace gpufft
} // namespace gr

#endif
