// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of recipe cases that their problems alone tell apart.

#ifndef INCLUDED_GPUFFT_PROBLEM_CASES_H
#define INCLUDED_GPUFFT_PROBLEM_CASES_H

#include "recipe_checks.h"

#include <ostream>
#include <string>

namespace gr {
namespace gpufft {

inline std::string name_of_case(const ::testing::TestParamInfo<recipe_case>& info)
{
    return with_letters_only(info.param.what.to_string());
}

// For messages.
inline void PrintTo(const recipe_case& each, std::ostream* stream)
{
    *stream << each.what.to_string();
}

} // namespace gpufft
} // namespace gr

#endif
