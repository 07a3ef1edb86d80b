// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the fuzzers share: the one exception that is allowed, and a check that stops.

#ifndef INCLUDED_GPUFFT_FUZZ_CHECKS_H
#define INCLUDED_GPUFFT_FUZZ_CHECKS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

// Whether it is done; refused is by std::invalid_argument, and any other exception ends
// the fuzzer.
template <class Action>
bool is_accepted(Action&& action)
{
    try {
        action();
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

inline void demand(bool condition, const std::string& what)
{
    if (condition)
        return;
    std::cerr << "not so: " << what << "\n";
    std::abort();
}

// A folder of this process, gone when it ends.
class scratch_folder
{
public:
    scratch_folder()
        : d_path(std::filesystem::temp_directory_path() /
                 ("gpufft-fuzz-" + std::to_string(getpid())))
    {
        umask(022); // what others may write is not used
        std::filesystem::create_directories(d_path);
    }
    ~scratch_folder() { std::filesystem::remove_all(d_path); }

    std::string path(const std::string& name) const { return (d_path / name).string(); }

    void write(const std::string& name, const void* data, std::size_t size) const
    {
        std::ofstream(path(name), std::ios::binary)
            .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    }

private:
    std::filesystem::path d_path;
};

#endif
