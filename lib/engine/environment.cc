// SPDX-License-Identifier: GPL-3.0-or-later
//
// secure_getenv() and one line on stderr.

#include "environment.h"
#include "forks.h"

#include <cstdlib>
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

void say_once(const std::string& line)
{
    const std::lock_guard<std::mutex> lock(s_said_mutex);
    static std::set<std::string>& said = *new std::set<std::string>;
    if (said.insert(line).second)
        std::cerr << "gpufft: " + line + "\n";
}

} // namespace gpufft
} // namespace gr
