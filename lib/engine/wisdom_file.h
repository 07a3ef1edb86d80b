// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's wisdom: a file in cache_directory(), on top of what ships with the library.

#ifndef INCLUDED_GPUFFT_WISDOM_FILE_H
#define INCLUDED_GPUFFT_WISDOM_FILE_H

#include "plan/wisdom.h"

namespace gr {
namespace gpufft {

// The recipe for the problem on the card, the user's first. A file that is damaged or of
// another version is ignored, with one line on the log.
std::optional<recipe> find_wisdom(const std::string& card, const problem& what);

// Adds it to the file, which other processes may write too; nothing happens if the
// directory cannot be written.
void add_wisdom(const std::string& card, const problem& what, const recipe& how);

} // namespace gpufft
} // namespace gr

#endif
