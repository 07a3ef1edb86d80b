// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the lists' text.

#include "problem_lists.h"
#include "problem_lists_text.h"
#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

struct problem_list {
    std::string name;
    std::vector<std::string> lists, batches, lengths;
};

// "pow2_mid: batch fill lengths 16384 32768"
problem_list read_line(const std::string& line)
{
    problem_list list;
    std::istringstream words(line);
    std::map<std::string, std::vector<std::string>*> parts = {
        { "lists", &list.lists },
        { "batch", &list.batches },
        { "lengths", &list.lengths },
    };
    std::vector<std::string>* part = nullptr;
    words >> list.name;
    list.name.pop_back(); // the colon
    for (std::string word; words >> word;) {
        if (parts.count(word) > 0)
            part = parts.at(word);
        else
            part->push_back(word);
    }
    return list;
}

const std::vector<problem_list>& all_lists()
{
    static const std::vector<problem_list> lists = [] {
        std::vector<problem_list> read;
        std::istringstream lines(PROBLEM_LISTS_TEXT);
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && line.front() != '#')
                read.push_back(read_line(line));
        return read;
    }();
    return lists;
}

} // namespace

std::vector<std::string> list_names()
{
    std::vector<std::string> names;
    for (const problem_list& list : all_lists())
        names.push_back(list.name);
    return names;
}

std::vector<bench_case> problems_of(const std::string& list, std::size_t elements)
{
    const auto found =
        std::find_if(all_lists().begin(),
                     all_lists().end(),
                     [&](const problem_list& each) { return each.name == list; });
    if (found == all_lists().end()) {
        std::string names;
        for (const std::string& name : list_names())
            names += (names.empty() ? "" : ", ") + name;
        throw std::invalid_argument("there is no list \"" + list + "\": use " + names);
    }
    std::vector<bench_case> cases;
    for (const std::string& part : found->lists)
        for (const bench_case& each : problems_of(part, elements))
            cases.push_back(each);
    for (const std::string& length : found->lengths)
        for (const std::string& batch : found->batches) {
            bench_case each = { list, problem() };
            each.what.n = std::stoull(length);
            each.what.batch = batch == "fill"
                                  ? std::max<std::size_t>(elements / each.what.n, 1)
                                  : std::stoull(batch);
            cases.push_back(each);
        }
    return cases;
}

} // namespace gpufft
} // namespace gr
