// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file of the cache is a header (magic, sizes, CRC-32 of the rest), then key, name and
// code. It is written under another name and renamed, so that no reader sees half a file.

#include "kernel_cache.h"
#include "engine/cache_folder.h"
#include <algorithm>
#include <boost/crc.hpp>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

namespace gr {
namespace gpufft {

static constexpr std::string_view KERNEL_SUFFIX = ".kernel";

bool is_kernel_file(const std::string& name)
{
    return name.size() > KERNEL_SUFFIX.size() &&
           name.compare(
               name.size() - KERNEL_SUFFIX.size(), std::string::npos, KERNEL_SUFFIX) == 0;
}

namespace {
struct file_header {
    char magic[8] = { 'G', 'P', 'U', 'F', 'F', 'T', 'K', '1' }; // 1: format version
    std::uint64_t key_bytes = 0;
    std::uint64_t name_bytes = 0;
    std::uint64_t code_bytes = 0;
    std::uint64_t crc = 0;
};
} // namespace

static file_header
make_header(const std::string& key, const std::string& name, const std::string& code)
{
    boost::crc_32_type crc;
    for (const std::string* part : { &key, &name, &code })
        crc.process_bytes(part->data(), part->size());
    file_header header;
    header.key_bytes = key.size();
    header.name_bytes = name.size();
    header.code_bytes = code.size();
    header.crc = crc.checksum();
    return header;
}

std::uint64_t fnv_hash(const std::string& text, std::uint64_t hash)
{
    for (unsigned char byte : text)
        hash = (hash ^ byte) * 1099511628211u;
    return hash;
}

static std::string hex(std::uint64_t value, int digits)
{
    char text[17];
    std::snprintf(text,
                  sizeof(text),
                  "%0*llx",
                  digits,
                  static_cast<unsigned long long>(value >> (64 - 4 * digits)));
    return text;
}

// The beginning of the file names for a key's version.
static std::string version_prefix(const std::string& key)
{
    const std::size_t second = key.find('\n', key.find('\n') + 1);
    return hex(fnv_hash(key.substr(0, second)), 8) + "-";
}

static std::string file_name(const std::string& key)
{
    return version_prefix(key) + hex(fnv_hash(key), 16) + std::string(KERNEL_SUFFIX);
}

kernel_cache::kernel_cache(const std::string& directory, std::size_t most_bytes)
    : d_directory(directory),
      d_most_bytes(most_bytes)
{
}

std::string kernel_cache::path(const std::string& key) const
{
    return d_directory + "/" + file_name(key);
}

std::optional<kernel_image> kernel_cache::load(const std::string& key) const
{
    const cache_folder folder(d_directory);
    if (!folder)
        return std::nullopt;
    const std::string content = folder.read(file_name(key));

    file_header header;
    if (content.size() < sizeof(header))
        return std::nullopt;
    std::memcpy(&header, content.data(), sizeof(header));
    const std::size_t rest = content.size() - sizeof(header);
    if (header.key_bytes != key.size() || header.key_bytes > rest ||
        header.name_bytes > rest - header.key_bytes ||
        header.code_bytes != rest - header.key_bytes - header.name_bytes)
        return std::nullopt;

    kernel_image kernel;
    kernel.name = content.substr(sizeof(header) + header.key_bytes, header.name_bytes);
    kernel.code = content.substr(content.size() - header.code_bytes);
    const file_header expected = make_header(key, kernel.name, kernel.code);
    if (content.compare(sizeof(header), key.size(), key) != 0 ||
        std::memcmp(&header, &expected, sizeof(header)) != 0)
        return std::nullopt;
    folder.touch(file_name(key));
    return kernel;
}

void kernel_cache::store(const std::string& key, const kernel_image& kernel) const
{
    const cache_folder folder(d_directory, cache_folder::if_missing::make);
    if (!folder)
        return;
    const file_header header = make_header(key, kernel.name, kernel.code);
    std::string content(reinterpret_cast<const char*>(&header), sizeof(header));
    content += key + kernel.name + kernel.code;
    folder.replace(file_name(key), content);
    make_room(folder, version_prefix(key));
}

void kernel_cache::make_room(const cache_folder& folder, const std::string& version) const
{
    const std::time_t now = std::time(nullptr);
    const auto is_other = [&version](const cache_folder::file& file) {
        return file.name.rfind(version, 0) != 0;
    };
    std::vector<cache_folder::file> kept;
    std::size_t bytes = 0;
    for (const cache_folder::file& file : folder.files()) {
        const bool is_kernel = is_kernel_file(file.name);
        const bool is_forgotten = is_kernel && is_other(file) && now - file.used > MONTH;
        if (is_forgotten || is_stale(file)) {
            folder.remove(file.name);
        } else if (is_kernel) {
            bytes += file.bytes;
            kept.push_back(file);
        }
    }
    if (bytes <= d_most_bytes)
        return;
    std::sort(kept.begin(), kept.end(), [&](const auto& a, const auto& b) {
        return is_other(a) != is_other(b) ? is_other(a) : a.used < b.used;
    });
    for (const cache_folder::file& file : kept) {
        folder.remove(file.name);
        bytes -= file.bytes;
        if (bytes <= d_most_bytes)
            return;
    }
}

} // namespace gpufft
} // namespace gr
