// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the wisdom file once a process, writes it whole.

#include "wisdom_file.h"
#include "cache_file.h"

#include <iostream>
#include <mutex>

namespace gr {
namespace gpufft {

namespace {

std::mutex& wisdom_mutex()
{
    static std::mutex& mutex = *new std::mutex; // used until the process ends
    return mutex;
}

constexpr const char* FILE_NAME = "wisdom.txt";

// What the file holds now.
wisdom read_file(const std::string& path)
{
    wisdom known;
    const std::string text = read_cache_file(path);
    if (text.empty())
        return known;
    try {
        known.read(text);
    } catch (const std::invalid_argument& error) {
        std::cerr << "gpufft: wisdom in " << path << " is ignored: " << error.what()
                  << "\n";
    }
    return known;
}

wisdom& user_wisdom()
{
    static wisdom& known = *new wisdom(read_file(cache_path(FILE_NAME)));
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
    const std::string path = cache_path(FILE_NAME);
    if (path.empty())
        return;
    wisdom all = read_file(path); // what others have added meanwhile
    all.add(card, what, how);
    replace_cache_file(path, all.write());
}

} // namespace gpufft
} // namespace gr
