// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of compiled kernels: any other bytes than those that were stored are "not there".

#include "engine/cuda/kernel_cache.h"
#include "fuzz_checks.h"
#include <gnuradio/gpufft/engine.h>

using namespace gr::gpufft;

namespace {

const std::string KEY = "key";

std::string content_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const scratch_folder folder;
    static const kernel_cache cache(folder.path("kernels"));
    std::filesystem::create_directories(folder.path("kernels"));
    const std::string path = cache.path(KEY);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (const auto found = cache.load(KEY)) {
        const std::string content = content_of(path);
        cache.store(KEY, *found);
        demand(content_of(path) == content, "what is taken is a whole file");
    }
    return 0;
}
