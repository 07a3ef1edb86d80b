// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of all kinds of transforms, as the text of a problem begins.

#ifndef INCLUDED_GPUFFT_TESTS_KINDS_H
#define INCLUDED_GPUFFT_TESTS_KINDS_H

#include <iterator>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

const std::string KINDS[] = { "c2c_forward", "c2c_inverse", "r2c",  "c2r",
                              "dct1",        "dct2",        "dct3", "dct4",
                              "dst1",        "dst2",        "dst3", "dst4" };

inline std::vector<std::string> all_kinds()
{
    return { std::begin(KINDS), std::end(KINDS) };
}

inline std::vector<std::string> real_kinds()
{
    return { std::begin(KINDS) + 2, std::end(KINDS) };
}

} // namespace gpufft
} // namespace gr

#endif
