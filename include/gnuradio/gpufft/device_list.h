// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which NVIDIA GPUs a block runs on.

#ifndef INCLUDED_GPUFFT_DEVICE_LIST_H
#define INCLUDED_GPUFFT_DEVICE_LIST_H

#include <gnuradio/gpufft/api.h>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief The index of one GPU, or of several that take turns chunk by chunk. */
class GPUFFT_API device_list
{
public:
    /*! \throws std::invalid_argument for an index that is not 0 ... 1023 */
    device_list(int index = 0);

    /*! \throws std::invalid_argument for an empty list, or an index that is out of range
     * or repeated */
    device_list(const std::vector<int>& indices);

    const std::vector<int>& indices() const { return d_indices; }

private:
    std::vector<int> d_indices;
};

} // namespace gpufft
} // namespace gr

#endif
