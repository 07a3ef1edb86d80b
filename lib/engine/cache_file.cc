// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading and atomically replacing a file.

#include "cache_file.h"
#include <gnuradio/gpufft/engine.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace gr {
namespace gpufft {

std::string cache_path(const std::string& name)
{
    const std::string directory = cache_directory();
    return directory.empty() ? "" : directory + "/" + name;
}

std::string read_cache_file(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        return "";
    return text.str();
}

void replace_cache_file(const std::string& path, const std::string& text)
{
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                        ignored);
    const std::string part = path + "." + std::to_string(::getpid());
    std::ofstream file(part);
    file << text;
    file.close();
    if (!file || std::rename(part.c_str(), path.c_str()) != 0)
        std::remove(part.c_str());
}

} // namespace gpufft
} // namespace gr
