// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file of the cache is a header (magic, sizes, CRC-32 of the rest), then key, name and
// code. It is written under another name and renamed, so no reader meets half a file.

#include "kernel_cache.h"
#include <boost/crc.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gnuradio/gpufft/engine.h>
#include <iterator>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace fs = std::filesystem;

static const char* const SUFFIX = ".kernel";

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

kernel_cache::kernel_cache(const std::string& directory) : d_directory(directory) {}

std::string kernel_cache::path(const std::string& key) const
{
    char name[17];
    std::snprintf(
        name, sizeof(name), "%016llx", static_cast<unsigned long long>(fnv_hash(key)));
    return d_directory + "/" + name + SUFFIX;
}

std::optional<kernel_image> kernel_cache::load(const std::string& key) const
{
    if (d_directory.empty())
        return std::nullopt;
    std::ifstream file(path(key), std::ios::binary);
    const std::string content{ std::istreambuf_iterator<char>(file), {} };

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
    return kernel;
}

void kernel_cache::store(const std::string& key, const kernel_image& kernel) const
{
    std::error_code ignored;
    if (d_directory.empty())
        return;
    fs::create_directories(d_directory, ignored);
    std::string scratch = d_directory + "/writing-XXXXXX";
    const int descriptor = mkstemp(scratch.data());
    if (descriptor < 0)
        return;
    const file_header header = make_header(key, kernel.name, kernel.code);
    std::string content(reinterpret_cast<const char*>(&header), sizeof(header));
    content += key + kernel.name + kernel.code;
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    const bool closed = ::close(descriptor) == 0;
    if (!closed || written != static_cast<ssize_t>(content.size()) ||
        std::rename(scratch.c_str(), path(key).c_str()) != 0)
        fs::remove(scratch, ignored);
}

cache_info query_cache()
{
    cache_info info;
    info.directory = cache_directory();
    if (info.directory.empty())
        return info;
    std::error_code error;
    for (fs::directory_iterator file(info.directory + "/kernels", error), end;
         !error && file != end;
         file.increment(error)) {
        std::error_code gone; // another process may remove it
        const std::uintmax_t bytes = fs::file_size(file->path(), gone);
        if (!gone && file->path().extension() == SUFFIX) {
            ++info.kernels;
            info.bytes += bytes;
        }
    }
    return info;
}

} // namespace gpufft
} // namespace gr
