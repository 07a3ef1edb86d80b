// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paths that the environment names, and what is said of those that are not taken.

#ifndef INCLUDED_GPUFFT_ENVIRONMENT_H
#define INCLUDED_GPUFFT_ENVIRONMENT_H

#include <string>

namespace gr {
namespace gpufft {

// The absolute path in an environment variable, else "". A relative one is told of, once.
// In a program with rights that its caller has not (set-user-ID, file capabilities) the
// environment, which is the caller's, names nothing.
std::string path_from_environment(const char* name);

// The directory that is to hold the cache, whether or not it is used; "" for none.
std::string named_cache_directory();

// One line on stderr, once in a process.
void say_once(const std::string& line);

} // namespace gpufft
} // namespace gr

#endif
