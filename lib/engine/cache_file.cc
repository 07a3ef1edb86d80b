// SPDX-License-Identifier: GPL-3.0-or-later
//
// Splits a path into a cache_folder and a name in it.

#include "cache_file.h"
#include "cache_folder.h"
#include <gnuradio/gpufft/engine.h>

#include <filesystem>

namespace gr {
namespace gpufft {

namespace fs = std::filesystem;

std::string cache_path(const std::string& name)
{
    const std::string directory = cache_directory();
    return directory.empty() ? "" : directory + "/" + name;
}

std::string read_cache_file(const std::string& path)
{
    const cache_folder folder(fs::path(path).parent_path());
    return folder ? folder.read(fs::path(path).filename()) : "";
}

void update_cache_file(const std::string& path,
                       const std::function<std::string(const std::string&)>& change)
{
    const cache_folder folder(fs::path(path).parent_path(),
                              cache_folder::if_missing::make);
    if (!folder)
        return;
    const std::string name = fs::path(path).filename();
    const cache_folder::lock lock(folder);
    folder.replace(name, change(folder.read(name)));
    for (const cache_folder::file& file : folder.files())
        if (is_stale(file))
            folder.remove(file.name);
}

} // namespace gpufft
} // namespace gr
