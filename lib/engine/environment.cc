// SPDX-License-Identifier: GPL-3.0-or-later
//
// secure_getenv() and one line on stderr.

#include "environment.h"

#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>

namespace gr {
namespace gpufft {

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

void say_once(const std::string& line)
{
    static std::mutex& mutex = *new std::mutex; // used until the process ends
    static std::set<std::string>& said = *new std::set<std::string>;
    const std::lock_guard<std::mutex> lock(mutex);
    if (said.insert(line).second)
        std::cerr << "gpufft: " + line + "\n";
}

} // namespace gpufft
} // namespace gr
