// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small texts in cache_directory() that several processes read and replace.

#ifndef INCLUDED_GPUFFT_CACHE_FILE_H
#define INCLUDED_GPUFFT_CACHE_FILE_H

#include <string>

namespace gr {
namespace gpufft {

// "" if nothing is to be kept.
std::string cache_path(const std::string& name);

// What the file holds now; "" if there is none.
std::string read_cache_file(const std::string& path);

// Atomically, with the folder if need be. Nothing happens where that cannot be written.
void replace_cache_file(const std::string& path, const std::string& text);

} // namespace gpufft
} // namespace gr

#endif
