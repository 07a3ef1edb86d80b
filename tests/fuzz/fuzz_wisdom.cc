// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wisdom: a damaged text is refused with std::invalid_argument and changes nothing; what
// is read is written as a text that reads back the same.

#include "fuzz_checks.h"
#include "planner/wisdom.h"

using namespace gr::gpufft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    wisdom known;
    if (!is_accepted([&] { known.read(text); })) {
        demand(known.size() == 0, "a refused text changes nothing");
        return 0;
    }
    const std::string written = known.write();
    wisdom again;
    again.read(written);
    demand(again.write() == written, written);
    return 0;
}
