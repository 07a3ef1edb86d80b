// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problem strings: refused with std::invalid_argument, or a valid problem whose own
// string reads back as the same problem.

#include "fuzz_checks.h"
#include <gnuradio/gpufft/problem.h>

using namespace gr::gpufft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    problem what;
    if (!is_accepted([&] { what = problem::from_string(text); }))
        return 0;
    what.validate(); // what is read is valid
    const std::string name = what.to_string();
    demand(problem::from_string(name).to_string() == name, name);
    return 0;
}
