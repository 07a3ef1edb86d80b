// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled kernels on disk. A kernel is stored under a text that holds all it depends on.
// The cache is only ever a help: a damaged, foreign or unwritable one costs a
// compilation.

#ifndef INCLUDED_GPUFFT_KERNEL_CACHE_H
#define INCLUDED_GPUFFT_KERNEL_CACHE_H

#include <cstdint>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

// A compiled kernel: what the driver loads, and the mangled name to look up in it.
struct kernel_image {
    std::string name;
    std::string code; // cubin, or PTX text with its terminating zero
};

// FNV-1a, 64 bits, of text, continued from an earlier hash.
constexpr std::uint64_t FNV_START = 14695981039346656037u;
std::uint64_t fnv_hash(const std::string& text, std::uint64_t hash = FNV_START);

class kernel_cache
{
public:
    // An empty directory name is a cache that keeps nothing.
    explicit kernel_cache(const std::string& directory);

    // The kernel stored under exactly this key, verified by its checksum.
    std::optional<kernel_image> load(const std::string& key) const;

    // Stores a kernel for other processes too: they see all of the file or nothing.
    void store(const std::string& key, const kernel_image& kernel) const;

    // The file that a key is stored in.
    std::string path(const std::string& key) const;

private:
    std::string d_directory;
};

} // namespace gpufft
} // namespace gr

#endif
