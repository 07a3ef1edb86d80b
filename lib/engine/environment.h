// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values from the environment, and messages about unused ones.

#ifndef INCLUDED_GPUFFT_ENVIRONMENT_H
#define INCLUDED_GPUFFT_ENVIRONMENT_H

#include <cstddef>
#include <string>

namespace gr {
namespace gpufft {

// The absolute path in an environment variable, else "". A relative path is reported
// once. A program with more rights than its caller (set-user-ID, file capabilities)
// ignores the caller's environment.
std::string path_from_environment(const char* name);

// The number in an environment variable, or `missing` without one. Anything else than
// decimal digits is reported once.
std::size_t number_from_environment(const char* name, std::size_t missing);

// The directory for the cache, whether or not it is used; "" for none.
std::string named_cache_directory();

// Writes a line to stderr, once in a process.
void say_once(const std::string& line);

} // namespace gpufft
} // namespace gr

#endif
