// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the wisdom file once a process, writes it whole and atomically.

#include "wisdom_file.h"
#include <gnuradio/gpufft/engine.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

std::mutex& wisdom_mutex()
{
    static std::mutex& mutex = *new std::mutex; // used until the process ends
    return mutex;
}

std::string wisdom_path()
{
    const std::string directory = cache_directory();
    return directory.empty() ? "" : directory + "/wisdom.txt";
}

// What the file holds now.
wisdom read_file(const std::string& path)
{
    wisdom known;
    std::ifstream file(path);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        return known;
    try {
        known.read(text.str());
    } catch (const std::invalid_argument& error) {
        std::cerr << "gpufft: wisdom in " << path << " is ignored: " << error.what()
                  << "\n";
    }
    return known;
}

wisdom& user_wisdom()
{
    static wisdom& known = *new wisdom(read_file(wisdom_path()));
    return known;
}

} // namespace

std::optional<recipe> find_wisdom(const std::string& card, const problem& what)
{
    const std::lock_guard<std::mutex> lock(wisdom_mutex());
    if (const std::optional<recipe> how = user_wisdom().find(card, what))
        return how;
    return shipped_wisdom().find(measured_relative(card), what);
}

void add_wisdom(const std::string& card, const problem& what, const recipe& how)
{
    const std::lock_guard<std::mutex> lock(wisdom_mutex());
    user_wisdom().add(card, what, how);
    const std::string path = wisdom_path();
    if (path.empty())
        return;
    wisdom all = read_file(path); // what others have added meanwhile
    all.add(card, what, how);
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                        ignored);
    const std::string part = path + "." + std::to_string(::getpid());
    std::ofstream file(part);
    file << all.write();
    file.close();
    if (!file || std::rename(part.c_str(), path.c_str()) != 0)
        std::remove(part.c_str());
}

} // namespace gpufft
} // namespace gr
