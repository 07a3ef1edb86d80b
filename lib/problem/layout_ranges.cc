// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ranges of the fields that say where frames and rows lie.

#include "problem_axes.h"
#include "range_check.h"

#include <limits>
#include <numeric>

namespace gr {
namespace gpufft {

namespace {

using ranges::check;

constexpr std::size_t MAX_SIZE = std::numeric_limits<std::size_t>::max();

// The bytes of `batch` frames, up to the last point, must fit std::size_t.
void check_bytes(const problem& what, std::size_t distance, std::size_t span)
{
    const std::size_t items = MAX_SIZE / 16;
    check(distance <= items / what.batch && span <= items - (what.batch - 1) * distance,
          "batch " + std::to_string(what.batch) + " of FFT size",
          std::to_string(what.n) + " and distance " + std::to_string(distance),
          "small enough for the bytes to fit 64 bits");
}

void check_strides(const char* name,
                   const axis_lengths& lengths,
                   const std::vector<std::size_t>& strides)
{
    if (strides.empty())
        return;
    check(strides.size() == lengths.count(),
          std::string("number of ") + name,
          strides.size(),
          "one for each of the " + std::to_string(lengths.count()) + " axes, or none");
    for (std::size_t axis = 0; axis < lengths.count(); ++axis)
        check(strides[axis] <= MAX_SIZE / 32 / lengths.count() / lengths[axis],
              name,
              strides[axis],
              "small enough for the bytes to fit 64 bits");
}

struct axis_of_rows {
    std::string name;
    std::size_t length, stride;
};

// Whether steps along both axes lead to the same place.
bool meet(const axis_of_rows& a, const axis_of_rows& b)
{
    const std::size_t common = std::gcd(a.stride, b.stride);
    return common == 0 ? a.length > 1 && b.length > 1
                       : b.stride / common < a.length && a.stride / common < b.length;
}

// Every two axes of the rows, and every axis alone.
void check_places(const problem& what)
{
    const axis_lengths lengths = output_lengths(what);
    std::vector<axis_of_rows> axes = {
        { "output_distance", what.batch, what.effective_output_distance() }
    };
    std::size_t stride = 1;
    for (std::size_t axis = lengths.count(); axis-- > 0; stride *= lengths[axis])
        axes.push_back(
            { "output_strides[" + std::to_string(axis) + "]",
              lengths[axis],
              what.output_strides.empty() ? stride : what.output_strides[axis] });
    for (std::size_t i = 0; i < axes.size(); ++i) {
        check(axes[i].stride > 0 || axes[i].length == 1,
              axes[i].name,
              axes[i].stride,
              "1 or more");
        for (std::size_t k = 0; k < i; ++k)
            check(!meet(axes[i], axes[k]),
                  axes[i].name,
                  std::to_string(axes[i].stride) + " for " +
                      std::to_string(axes[i].length) + " points and " + axes[k].name +
                      " " + std::to_string(axes[k].stride) + " for " +
                      std::to_string(axes[k].length),
                  "such that no two points lie at the same place");
    }
}

} // namespace

void check_layout(const problem& what)
{
    check(what.has_plain_rows() || !what.is_power(),
          "output",
          what.output,
          "complex or real when rows have strides or a distance");
    check_strides("input_strides", input_lengths(what), what.input_strides);
    check_strides("output_strides", output_lengths(what), what.output_strides);
    check_bytes(what, what.effective_hop(), what.input_span());
    check_bytes(what, what.effective_output_distance(), what.output_span());
    if (!what.has_plain_rows())
        check_places(what);
}

} // namespace gpufft
} // namespace gr
