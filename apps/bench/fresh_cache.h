// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel cache of this run alone, so that every first plan is a cold one.

#ifndef INCLUDED_GPUFFT_BENCH_FRESH_CACHE_H
#define INCLUDED_GPUFFT_BENCH_FRESH_CACHE_H

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace gr {
namespace gpufft {

class fresh_cache
{
public:
    fresh_cache()
    {
        std::string name = std::filesystem::temp_directory_path() / "gpufft-bench-XXXXXX";
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("cannot make the folder " + name);
        d_folder = name;
        setenv("GPUFFT_CACHE_DIR", name.c_str(), 1);
    }
    ~fresh_cache()
    {
        std::error_code ignored;
        std::filesystem::remove_all(d_folder, ignored);
    }
    fresh_cache(const fresh_cache&) = delete;
    fresh_cache& operator=(const fresh_cache&) = delete;

private:
    std::filesystem::path d_folder;
};

} // namespace gpufft
} // namespace gr

#endif
