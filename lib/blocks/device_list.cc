// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks of the GPUs' indices.

#include "ranges.h"
#include <algorithm>
#include <gnuradio/gpufft/device_list.h>

namespace gr {
namespace gpufft {

device_list::device_list(int index) : device_list(std::vector<int>{ index }) {}

device_list::device_list(const std::vector<int>& indices) : d_indices(indices)
{
    if (indices.empty())
        throw std::invalid_argument("device is an empty list: it needs an index");
    for (int index : indices) {
        check_range("device", index, 0, MAX_DEVICE);
        if (std::count(indices.begin(), indices.end(), index) > 1)
            throw std::invalid_argument(
                fmt::format("device {} comes twice in the list", index));
    }
}

} // namespace gpufft
} // namespace gr
