// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading and atomically replacing the wisdom file.

#include "fftw_wisdom.h"
#include "fftw_library.h"
#include <gnuradio/gpufft/engine.h>

#include <cstdlib>
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
template <class T>
std::string wisdom_path()
{
    const std::string folder = cache_directory();
    return folder.empty() ? "" : folder + "/" + fftw_library<T>::wisdom_name;
}

// FFTW keeps its old wisdom if the text is damaged.
template <class T>
void import_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file && text << file.rdbuf())
        fftw_library<T>::import_wisdom(text.str().c_str());
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

template <class T>
void load_wisdom(const planner_lock&)
{
    static std::string loaded;
    const std::string path = wisdom_path<T>();
    if (path == loaded)
        return;
    import_file<T>(path);
    loaded = path;
}

template <class T>
void save_wisdom(const planner_lock&)
{
    const std::string path = wisdom_path<T>();
    if (path.empty())
        return;
    std::error_code ignored;
    std::filesystem::create_directories(cache_directory(), ignored);
    import_file<T>(path);
    const std::unique_ptr<char, void (*)(void*)> text(fftw_library<T>::export_wisdom(),
                                                      fftw_library<T>::free);
    if (text)
        replace_file(path, text.get());
}

template void load_wisdom<float>(const planner_lock&);
template void load_wisdom<double>(const planner_lock&);
template void save_wisdom<float>(const planner_lock&);
template void save_wisdom<double>(const planner_lock&);

} // namespace gpufft
} // namespace gr
