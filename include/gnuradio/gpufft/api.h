// SPDX-License-Identifier: GPL-3.0-or-later
//
// Symbol visibility of the two libraries: gpufft-core (plans and engines, no GNU Radio)
// and gnuradio-gpufft (the blocks).

#ifndef INCLUDED_GPUFFT_API_H
#define INCLUDED_GPUFFT_API_H

#define GPUFFT_API __attribute__((visibility("default")))

#endif
