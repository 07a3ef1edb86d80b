// SPDX-License-Identifier: GPL-3.0-or-later
//
// The polyphase banks that the host engine is built for.

#ifndef INCLUDED_GPUFFT_HOST_BANK_CASES_H
#define INCLUDED_GPUFFT_HOST_BANK_CASES_H

#include "recipe_case.h"
#include <vector>

namespace gr {
namespace gpufft {

// Every algorithm that takes them, and every step of their load and store.
std::vector<recipe_case> host_bank_cases();

} // namespace gpufft
} // namespace gr

#endif
