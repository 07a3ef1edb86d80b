// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of a problem's frames and rows, and the points that they span.

#ifndef INCLUDED_GPUFFT_PROBLEM_AXES_H
#define INCLUDED_GPUFFT_PROBLEM_AXES_H

#include <gnuradio/gpufft/problem.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

// The axes of frames or rows: the last one is halved on the complex side of r2c and c2r.
// The class owns no memory, because executing a plan asks for the sizes.
class axis_lengths
{
public:
    axis_lengths(const problem& what, transform_kind halving, std::size_t points = 0)
        : d_what(what),
          d_is_halved(what.kind == halving),
          d_points(points)
    {
    }

    std::size_t count() const { return std::max(d_what.lengths.size(), std::size_t(1)); }

    std::size_t operator[](std::size_t axis) const
    {
        if (d_points > 0)
            return d_points;
        const std::size_t n = d_what.lengths.empty() ? d_what.n : d_what.lengths[axis];
        return d_is_halved && axis + 1 == count() ? n / 2 + 1 : n;
    }

    std::size_t points() const
    {
        std::size_t all = 1;
        for (std::size_t axis = 0; axis < count(); ++axis)
            all *= (*this)[axis];
        return all;
    }

    // The distance from the first point to the end of the last. It also works for an
    // invalid problem, which may have fewer strides than axes: messages quote its text.
    std::size_t span(const std::vector<std::size_t>& strides) const
    {
        if (strides.empty())
            return points();
        std::size_t last = 0;
        for (std::size_t axis = 0; axis < std::min(count(), strides.size()); ++axis)
            last += ((*this)[axis] - 1) * strides[axis];
        return last + 1;
    }

private:
    const problem& d_what;
    bool d_is_halved;
    std::size_t d_points; // length of the one axis, if that is not n
};

axis_lengths input_lengths(const problem& what);
axis_lengths output_lengths(const problem& what);

// Delays of a correlation.
std::size_t delays_of(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
