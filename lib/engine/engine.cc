// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of the engines, version of the library, place of its cache.

#include <cstdlib>
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
    throw std::invalid_argument("engine \"" + name +
                                "\" is none of auto, cuda, cpu, host");
}

// An environment variable that holds an absolute path, else "".
static std::string path_from_environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr && value[0] == '/' ? value : "";
}

std::string cache_directory()
{
    const char* own = std::getenv("GPUFFT_CACHE_DIR");
    if (own != nullptr && own[0] != '\0')
        return own;
    const std::string cache = path_from_environment("XDG_CACHE_HOME");
    if (!cache.empty())
        return cache + "/gpufft";
    std::string home = path_from_environment("HOME");
    if (home.empty())
        if (const passwd* user = getpwuid(getuid()))
            home = user->pw_dir;
    return home.empty() ? "" : home + "/.cache/gpufft";
}

std::string version() { return GPUFFT_VERSION; }

} // namespace gpufft
} // namespace gr
