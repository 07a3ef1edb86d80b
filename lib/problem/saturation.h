// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which plans count the integers that saturate.

#ifndef INCLUDED_GPUFFT_SATURATION_H
#define INCLUDED_GPUFFT_SATURATION_H

#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

// The kernels of real transforms, except for polyphase banks, store some numbers twice,
// so these are not counted.
inline bool counts_saturated(const problem& what)
{
    return what.stores_integers() && (!is_real(what.kind) || what.is_polyphase_bank());
}

} // namespace gpufft
} // namespace gr

#endif
