// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the wisdom file once per process; writes it as a whole.

#include "wisdom_file.h"
#include "cache_file.h"
#include "forks.h"

#include <iostream>
#include <mutex>
#include <set>

namespace gr {
namespace gpufft {

namespace {

std::mutex& s_mutex = // used until the process ends
    free_at_forks(process_mutex::wisdom, *new std::mutex);

constexpr const char* WISDOM_FILE = "wisdom.txt";

// Parses a text read from `path`.
wisdom parse(const std::string& text, const std::string& path)
{
    wisdom known;
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

// With the mutex locked.
wisdom& user_wisdom()
{
    static wisdom& known = *[] {
        const std::string path = cache_path(WISDOM_FILE);
        return new wisdom(parse(path.empty() ? "" : read_cache_file(path), path));
    }();
    return known;
}

} // namespace

std::optional<recipe> find_wisdom(const std::string& card, const problem& what)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    if (const std::optional<recipe> how = user_wisdom().find(card, what))
        return how;
    return shipped_wisdom().find(measured_relative(card), what);
}

void tell_if_unmeasured(const std::string& card)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    static std::set<std::string>& seen = *new std::set<std::string>;
    if (seen.insert(card).second && !user_wisdom().has_card(card) &&
        !shipped_wisdom().has_card(measured_relative(card)))
        std::cerr << "gpufft: nothing was measured on " << card
                  << " yet, so plans use estimates; \"gpufft tune --board\" measures\n";
}

void add_wisdom(const std::string& card, const problem& what, const recipe& how)
{
    const std::lock_guard<std::mutex> lock(s_mutex);
    user_wisdom().add(card, what, how);
    const std::string path = cache_path(WISDOM_FILE);
    if (path.empty())
        return;
    update_cache_file(path, [&](const std::string& text) {
        wisdom all = parse(text, path); // with what other processes have added
        all.add(card, what, how);
        return all.write();
    });
}

} // namespace gpufft
} // namespace gr
