// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the kernels of users come from.

#ifndef INCLUDED_GPUFFT_KERNELS_OF_USERS_H
#define INCLUDED_GPUFFT_KERNELS_OF_USERS_H

#include "engine/user_kernel.h"
#include <functional>
#include <gnuradio/gpufft/kernel_function.h>

namespace gr {
namespace gpufft {

struct kernels_of_users {
    // make_user_kernel. Tests replace it by kernels of simulated cards.
    static std::function<std::unique_ptr<user_kernel>(int device,
                                                      const std::string& text,
                                                      const std::string& name)>
        s_make;
};

} // namespace gpufft
} // namespace gr

#endif
