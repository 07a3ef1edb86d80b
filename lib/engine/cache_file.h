// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files in cache_directory() that several processes read and replace.

#ifndef INCLUDED_GPUFFT_CACHE_FILE_H
#define INCLUDED_GPUFFT_CACHE_FILE_H

#include <functional>
#include <string>

namespace gr {
namespace gpufft {

// "" if nothing is to be kept.
std::string cache_path(const std::string& name);

// What the file holds now; "" if there is none that can be used (cache_folder.h).
std::string read_cache_file(const std::string& path);

// Puts change(what the file holds now) in its place, atomically, with the folder if need
// be; another process that updates it waits. Nothing happens where that cannot be
// written.
void update_cache_file(const std::string& path,
                       const std::function<std::string(const std::string&)>& change);

} // namespace gpufft
} // namespace gr

#endif
