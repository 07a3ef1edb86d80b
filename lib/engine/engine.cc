// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of the engines, version of the library, directory of its cache.

#include "cache_folder.h"
#include "environment.h"
#include <gnuradio/gpufft/engine.h>
#include <pwd.h>
#include <unistd.h>

namespace gr {
namespace gpufft {

const char* to_string(engine_kind kind)
{
    switch (kind) {
    case engine_kind::automatic:
        return "auto";
    case engine_kind::cuda:
        return "cuda";
    case engine_kind::cpu:
        return "cpu";
    case engine_kind::host:
        return "host";
    }
    return "?";
}

engine_kind engine_from_string(const std::string& name)
{
    for (engine_kind kind : { engine_kind::automatic,
                              engine_kind::cuda,
                              engine_kind::cpu,
                              engine_kind::host })
        if (name == to_string(kind))
            return kind;
    // host is for tests
    throw std::invalid_argument("engine \"" + name + "\" is none of auto, cuda, cpu");
}

std::string named_cache_directory()
{
    const std::string own = path_from_environment("GPUFFT_CACHE_DIR");
    if (!own.empty())
        return own;
    const std::string cache = path_from_environment("XDG_CACHE_HOME");
    if (!cache.empty())
        return cache + "/gpufft";
    std::string home = path_from_environment("HOME");
    if (home.empty())
        if (const passwd* user = getpwuid(geteuid()))
            home = user->pw_dir;
    return home.empty() ? "" : home + "/.cache/gpufft";
}

std::string cache_directory()
{
    const std::string directory = named_cache_directory();
    return cache_folder(directory).reason().empty() ? directory : "";
}

std::string version() { return GPUFFT_VERSION; }

} // namespace gpufft
} // namespace gr
