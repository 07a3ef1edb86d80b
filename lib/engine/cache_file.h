// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files in cache_directory() that several processes read and replace.

#ifndef INCLUDED_GPUFFT_CACHE_FILE_H
#define INCLUDED_GPUFFT_CACHE_FILE_H

#include <functional>
#include <string>

namespace gr {
namespace gpufft {

// "" if there is no cache.
std::string cache_path(const std::string& name);

// The file's content; "" if there is no usable file, see cache_folder.h.
std::string read_cache_file(const std::string& path);

// Replaces the file's content by change(content), atomically, and makes the folder if
// there is none. Other processes wait to update the file. Does nothing if the file cannot
// be written.
void update_cache_file(const std::string& path,
                       const std::function<std::string(const std::string&)>& change);

} // namespace gpufft
} // namespace gr

#endif
