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

// Whether steps along both axes of a row lead to the same place.
bool meet(std::size_t points, std::size_t stride, std::size_t others, std::size_t other)
{
    const std::size_t common = std::gcd(stride, other);
    return other / common < points && stride / common < others;
}

// Every two axes of a row, and every axis alone. Any number of rows may be asked for, so
// the distance of rows is not checked.
void check_places(const std::vector<std::size_t>& strides, const axis_lengths& lengths)
{
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const std::string name = "output_strides[" + std::to_string(i) + "]";
        check(strides[i] > 0 || lengths[i] == 1, name, strides[i], "1 or more");
        for (std::size_t k = 0; k < i; ++k)
            check(lengths[i] == 1 || lengths[k] == 1 ||
                      !meet(lengths[i], strides[i], lengths[k], strides[k]),
                  name,
                  std::to_string(strides[i]) + " for " + std::to_string(lengths[i]) +
                      " points and output_strides[" + std::to_string(k) + "] " +
                      std::to_string(strides[k]) + " for " + std::to_string(lengths[k]),
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
    check_places(what.output_strides, output_lengths(what));
}

} // namespace gpufft
} // namespace gr
