// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts and removes the files of this module in cache_directory().

#include "cache_folder.h"
#include "cuda/kernel_cache.h"
#include "environment.h"
#include <gnuradio/gpufft/engine.h>

#include <algorithm>
#include <cctype>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

bool begins(const std::string& text, const std::string& start)
{
    return text.rfind(start, 0) == 0;
}

// True for files that are not kernels: texts, also unfinished ones of earlier versions
// (NAME.PID), and the scene of `gpufft analyzer`.
bool is_other_file(const std::string& name)
{
    for (const std::string text :
         { "wisdom.txt", "tuned.txt", "break_even.txt", "fftwf_wisdom", "fftw_wisdom" })
        if (begins(name, text) &&
            std::all_of(name.begin() + text.size(), name.end(), [](unsigned char letter) {
                return letter == '.' || std::isdigit(letter);
            }))
            return true;
    return is_unfinished(name) || begins(name, "scene_") || begins(name, ".scene_");
}

// Counts this module's files in the folder, and removes them if `removes` is true.
template <class IsOurs>
void visit(const cache_folder& folder,
           const IsOurs& is_ours,
           bool removes,
           cache_info& info)
{
    for (const cache_folder::file& file : folder.files()) {
        if (!is_ours(file.name))
            continue;
        info.kernels += is_kernel_file(file.name);
        info.bytes += file.bytes;
        if (removes)
            folder.remove(file.name);
    }
}

cache_info visit_cache(bool removes)
{
    cache_info info;
    info.directory = named_cache_directory();
    const cache_folder folder(info.directory);
    info.reason = folder.reason();
    if (!folder)
        return info;
    visit(folder, is_other_file, removes, info);
    const std::string kernels = info.directory + "/kernels";
    const cache_folder kernel_folder(kernels);
    info.reason = kernel_folder.reason();
    if (!kernel_folder)
        return info;
    const auto is_kept = [](const std::string& name) {
        return is_kernel_file(name) || is_unfinished(name);
    };
    visit(kernel_folder, is_kept, removes, info);
    if (removes)
        ::rmdir(kernels.c_str()); // if nothing else is there
    return info;
}

} // namespace

cache_info query_cache() { return visit_cache(false); }

cache_info clear_cache() { return visit_cache(true); }

} // namespace gpufft
} // namespace gr
