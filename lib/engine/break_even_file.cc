// SPDX-License-Identifier: GPL-3.0-or-later
//
// Break-even tables as text.

#include "break_even_file.h"
#include "cache_file.h"
#include "forks.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <map>
#include <mutex>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* BREAK_EVEN_FILE = "break_even.txt";
constexpr const char* SEPARATOR = " | ";
constexpr const char* END = " end"; // marks a complete line

typedef std::map<std::string, std::string> tables; // chunks as text, by key

std::string head() { return "gpufft " + version() + " break-even 1"; }

std::string key_of(const break_even& table)
{
    return table.card + SEPARATOR + table.cpu + SEPARATOR + table.what.to_string() +
           " t" + std::to_string(table.threads);
}

std::string to_text(const std::vector<chunk_times>& chunks)
{
    std::ostringstream text; // in the C locale, like the reader's streams
    text.imbue(std::locale::classic());
    text.precision(std::numeric_limits<double>::max_digits10); // reads back the same
    for (const chunk_times& each : chunks)
        text << (text.tellp() > 0 ? "; " : "") << each.frames << ' ' << each.cpu << ' '
             << each.cuda << ' ' << each.cuda_delay;
    return text.str() + END;
}

// The times in a text; empty if it is damaged.
std::vector<chunk_times> from_text(const std::string& text)
{
    const std::size_t end = text.rfind(END);
    if (end == std::string::npos || text.substr(end) != END)
        return {};
    std::vector<chunk_times> chunks;
    std::istringstream parts(text.substr(0, end));
    for (std::string part; std::getline(parts, part, ';');) {
        chunk_times now;
        std::istringstream numbers(part);
        std::string more;
        const bool whole =
            numbers >> now.frames >> now.cpu >> now.cuda >> now.cuda_delay &&
            !(numbers >> more);
        const std::size_t least = chunks.empty() ? 1 : chunks.back().frames + 1;
        const bool sane = now.frames >= least && now.cpu >= 0 && now.cuda >= 0 &&
                          now.cuda_delay >= 0 &&
                          std::isfinite(now.cpu + now.cuda + now.cuda_delay);
        if (!whole || !sane)
            return {};
        chunks.push_back(now);
    }
    const auto has = [&](double chunk_times::*time) {
        return std::any_of(chunks.begin(), chunks.end(), [time](const chunk_times& each) {
            return each.*time > 0;
        });
    };
    return has(&chunk_times::cpu) && has(&chunk_times::cuda) ? chunks
                                                             : std::vector<chunk_times>();
}

tables parse_tables(const std::string& text)
{
    tables found;
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != head())
        return found;
    while (std::getline(lines, line)) {
        const std::size_t end = line.rfind(SEPARATOR);
        if (end != std::string::npos)
            found[line.substr(0, end)] = line.substr(end + 3);
    }
    return found;
}

// Tables that this process has read and measured.
struct known_tables {
    std::mutex& mutex = free_at_forks(process_mutex::times, *new std::mutex);
    std::string path;
    tables all;

    // Call it with the mutex locked.
    void read()
    {
        const std::string now = cache_path(BREAK_EVEN_FILE);
        if (now != path)
            all = parse_tables(now.empty() ? "" : read_cache_file(now));
        path = now;
    }
};

known_tables& s_known = *new known_tables; // used until the process ends

} // namespace

std::optional<std::vector<chunk_times>> find_chunk_times(const break_even& table)
{
    const std::lock_guard<std::mutex> lock(s_known.mutex);
    s_known.read();
    const auto found = s_known.all.find(key_of(table));
    if (found == s_known.all.end())
        return std::nullopt;
    const std::vector<chunk_times> chunks = from_text(found->second);
    return chunks.empty() ? std::nullopt : std::make_optional(chunks);
}

void store_chunk_times(const break_even& table)
{
    const std::lock_guard<std::mutex> lock(s_known.mutex);
    s_known.read();
    s_known.all[key_of(table)] = to_text(table.chunks);
    if (s_known.path.empty())
        return;
    update_cache_file(s_known.path, [&](const std::string& now) {
        tables all = parse_tables(now); // including what other processes have added
        all[key_of(table)] = to_text(table.chunks);
        std::string text = head() + "\n";
        for (const auto& [key, chunks] : all)
            text += key + SEPARATOR + chunks + "\n";
        return text;
    });
}

} // namespace gpufft
} // namespace gr
