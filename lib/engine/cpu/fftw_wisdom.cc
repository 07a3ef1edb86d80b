// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading and atomically replacing the wisdom file.

#include "fftw_wisdom.h"
#include <gnuradio/gpufft/engine.h>

#include <cstdlib>
#include <fftw3.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

// Empty if there is no place for a cache.
std::string wisdom_path()
{
    const std::string folder = cache_directory();
    return folder.empty() ? "" : folder + "/fftwf_wisdom";
}

// FFTW keeps its old wisdom if the text is damaged.
void import_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file && text << file.rdbuf())
        fftwf_import_wisdom_from_string(text.str().c_str());
}

void replace_file(const std::string& path, const char* text)
{
    const std::string unfinished = path + "." + std::to_string(getpid());
    std::ofstream file(unfinished, std::ios::binary);
    file << text;
    file.close();
    std::error_code ignored;
    if (file)
        std::filesystem::rename(unfinished, path, ignored);
    if (!file || ignored)
        std::filesystem::remove(unfinished, ignored);
}

} // namespace

void load_wisdom(const planner_lock&)
{
    static std::string loaded;
    const std::string path = wisdom_path();
    if (path == loaded)
        return;
    import_file(path);
    loaded = path;
}

void save_wisdom(const planner_lock&)
{
    const std::string path = wisdom_path();
    if (path.empty())
        return;
    std::error_code ignored;
    std::filesystem::create_directories(cache_directory(), ignored);
    import_file(path);
    const std::unique_ptr<char, void (*)(void*)> text(fftwf_export_wisdom_to_string(),
                                                      fftwf_free);
    if (text)
        replace_file(path, text.get());
}

} // namespace gpufft
} // namespace gr
