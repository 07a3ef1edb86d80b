// SPDX-License-Identifier: GPL-3.0-or-later
//
// Transforms whose rows are stored side by side, as channelisers want them.

#ifndef INCLUDED_GPUFFT_COLUMNS_H
#define INCLUDED_GPUFFT_COLUMNS_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm columns_algorithm();

} // namespace gpufft
} // namespace gr

#endif
