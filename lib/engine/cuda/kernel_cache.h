// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled kernels on disk. A kernel's key is a text with all that the kernel depends on;
// the key's first two lines have the version of this module. The cache only saves time: a
// damaged, foreign or unwritable cache costs a compilation. If it is too large, the least
// recently used kernels are removed, kernels of other versions first; these are also
// removed after a month without use.

#ifndef INCLUDED_GPUFFT_KERNEL_CACHE_H
#define INCLUDED_GPUFFT_KERNEL_CACHE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

// A compiled kernel: the code for the driver, and the mangled name to look up in it.
struct kernel_image {
    std::string name;
    std::string code; // cubin, or PTX text with its terminating zero
};

class cache_folder;

// FNV-1a, 64 bits, of text, continued from an earlier hash.
constexpr std::uint64_t FNV_START = 14695981039346656037u;
std::uint64_t fnv_hash(const std::string& text, std::uint64_t hash = FNV_START);

// True if a file of this name is a kernel's.
bool is_kernel_file(const std::string& name);

class kernel_cache
{
public:
    static constexpr std::size_t MOST_BYTES = std::size_t(1) << 29;
    static constexpr int MONTH = 30 * 24 * 3600; // seconds

    // With an empty directory name the cache stores nothing.
    explicit kernel_cache(const std::string& directory,
                          std::size_t most_bytes = MOST_BYTES);

    // The kernel stored under exactly this key, verified by its checksum.
    std::optional<kernel_image> load(const std::string& key) const;

    // Stores a kernel, also for other processes, which see the whole file or nothing.
    void store(const std::string& key, const kernel_image& kernel) const;

    // The file of a key.
    std::string path(const std::string& key) const;

private:
    void make_room(const cache_folder& folder, const std::string& version) const;

    std::string d_directory;
    std::size_t d_most_bytes;
};

} // namespace gpufft
} // namespace gr

#endif
