// SPDX-License-Identifier: GPL-3.0-or-later
//
// secure_getenv() and one line on stderr.

#include "environment.h"
#include "forks.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <set>

namespace gr {
namespace gpufft {

static std::mutex& s_said_mutex = // used until the process ends
    free_at_forks(process_mutex::said_lines, *new std::mutex);

std::string path_from_environment(const char* name)
{
    const char* value = secure_getenv(name);
    if (value == nullptr || value[0] == '\0')
        return "";
    if (value[0] == '/')
        return value;
    say_once(std::string(name) + " is \"" + value +
             "\", which is no absolute path, and is ignored");
    return "";
}

std::size_t number_from_environment(const char* name, std::size_t missing)
{
    const char* value = secure_getenv(name);
    if (value == nullptr || value[0] == '\0')
        return missing;
    const char* end = value + std::strlen(value);
    std::size_t number = 0;
    const auto [read, error] = std::from_chars(value, end, number);
    if (read == end && error == std::errc())
        return number;
    say_once(std::string(name) + " is \"" + value +
             "\", which is no number from 0 on, and is ignored");
    return missing;
}

void say_once(const std::string& line)
{
    const std::lock_guard<std::mutex> lock(s_said_mutex);
    static std::set<std::string>& said = *new std::set<std::string>;
    if (said.insert(line).second)
        std::cerr << "gpufft: " + line + "\n";
}

} // namespace gpufft
} // namespace gr
