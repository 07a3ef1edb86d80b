// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cuda engine of a library that was built without CUDA headers.

#include "engine/async_device.h"
#include "engine/engines.h"
#include "engine/user_kernel.h"
#include <gnuradio/gpufft/tuning.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

static const char* const REASON = "this library was built without the cuda engine (CUDA "
                                  "headers of 12.4 or later were not found)";

plan::uptr make_cuda_plan(const problem& what, const plan_options&)
{
    throw std::invalid_argument(std::string(REASON) + ": " + what.to_string() +
                                " can run on engine cpu");
}

async_device::sptr make_cuda_device(int) { throw cuda_error(0, REASON); }

std::vector<std::string> recipes(const problem&, int, std::size_t)
{
    throw cuda_error(0, REASON);
}

plan::uptr make_plan_by(const std::string&, const problem&, int)
{
    throw cuda_error(0, REASON);
}

std::unique_ptr<user_kernel> make_user_kernel(int, const std::string&, const std::string&)
{
    throw cuda_error(0, REASON);
}

void check_user_kernel(const std::string&, const std::string&, int)
{
    throw cuda_error(0, REASON);
}

std::string broken_reason(int) { return ""; }

std::vector<timed_recipe> tune(const problem&, int, std::size_t)
{
    throw cuda_error(0, REASON);
}

const cuda_status& query_cuda()
{
    static const cuda_status status = [] {
        cuda_status absent;
        absent.reason = REASON;
        return absent;
    }();
    return status;
}

} // namespace gpufft
} // namespace gr
