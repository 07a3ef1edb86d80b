// SPDX-License-Identifier: GPL-3.0-or-later
//
// Discrete sine transform of vectors.

#ifndef INCLUDED_GPUFFT_DST_VFF_H
#define INCLUDED_GPUFFT_DST_VFF_H

#include <gnuradio/gpufft/dct_vff.h>

#endif
