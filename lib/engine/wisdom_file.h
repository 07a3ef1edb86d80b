// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's wisdom: a file in cache_directory(), in addition to the library's own.

#ifndef INCLUDED_GPUFFT_WISDOM_FILE_H
#define INCLUDED_GPUFFT_WISDOM_FILE_H

#include "planner/wisdom.h"

namespace gr {
namespace gpufft {

// The recipe for the problem on the card, from the user's wisdom, else from the library's
// own. A damaged file, or one of another version, is ignored with one log line.
std::optional<recipe> find_wisdom(const std::string& card, const problem& what);

// Says on stderr, once for each card, if neither has a recipe for the card.
void tell_if_unmeasured(const std::string& card);

// Adds the recipe to the file, which other processes may write, too; does nothing if the
// directory cannot be written.
void add_wisdom(const std::string& card, const problem& what, const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
