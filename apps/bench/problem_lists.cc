// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the lists' text.

#include "problem_lists.h"
#include "plain_problem.h"
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
    std::vector<std::string> lists, kinds, batches, lengths, options, problems;
};

// "real: kinds r2c batch fill lengths 256 1024"
problem_list read_line(const std::string& line)
{
    problem_list list;
    std::istringstream words(line);
    std::map<std::string, std::vector<std::string>*> parts = {
        { "lists", &list.lists },     { "kinds", &list.kinds },
        { "batch", &list.batches },   { "lengths", &list.lengths },
        { "options", &list.options }, { "problems", &list.problems },
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
    if (list.kinds.empty())
        list.kinds.emplace_back("c2c_forward");
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

// Null if there is none of that name.
const problem_list* find_list(const std::string& name)
{
    for (const problem_list& each : all_lists())
        if (each.name == name)
            return &each;
    return nullptr;
}

// Those of lists that it names included.
std::vector<std::string> lengths_of(const problem_list& list)
{
    std::vector<std::string> lengths;
    for (const std::string& word : list.lengths) {
        const problem_list* other = find_list(word);
        for (const std::string& length :
             other == nullptr ? std::vector<std::string>{ word } : lengths_of(*other))
            lengths.push_back(length);
    }
    return lengths;
}

problem
make_problem(const std::string& text, const std::string& batch, std::size_t elements)
{
    problem what = problem::from_string(text);
    const std::size_t of_frame = what.kind == transform_kind::filter ? 1 : what.n;
    what.batch = batch == "fill" ? std::max<std::size_t>(elements / of_frame, 1)
                                 : std::stoull(batch);
    return what;
}

// Every kind with every length, and the problems that are written out; without batch.
std::vector<std::string> texts_of(const problem_list& list)
{
    std::vector<std::string> texts;
    for (const std::string& kind : list.kinds)
        for (const std::string& length : lengths_of(list)) {
            texts.push_back(kind + "_n" + length);
            for (const std::string& option : list.options)
                texts.back() += "_" + option;
        }
    texts.insert(texts.end(), list.problems.begin(), list.problems.end());
    return texts;
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
    const problem_list* found = find_list(list);
    if (found == nullptr) {
        std::string names;
        for (const std::string& name : list_names())
            names += (names.empty() ? "" : ", ") + name;
        throw std::invalid_argument("there is no list \"" + list + "\": use " + names);
    }
    std::vector<bench_case> cases;
    for (const std::string& part : found->lists)
        for (const bench_case& each : problems_of(part, elements))
            cases.push_back(each);
    for (const std::string& text : texts_of(*found))
        for (const std::string& batch : found->batches)
            cases.push_back({ list, make_problem(text, batch, elements) });
    return cases;
}

std::vector<bench_case>
placed_cases(const std::vector<bench_case>& cases, bool out_of_place, bool in_place)
{
    std::vector<bench_case> placed;
    for (bench_case each : cases) {
        if (out_of_place)
            placed.push_back(each);
        each.in_place = is_plain(each.what) &&
                        each.what.frame_samples() * each.what.input_item_bytes() ==
                            each.what.row_bins() * each.what.output_item_bytes();
        if (in_place && each.in_place)
            placed.push_back(each);
    }
    return placed;
}

} // namespace gpufft
} // namespace gr
