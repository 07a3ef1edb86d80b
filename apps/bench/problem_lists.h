// SPDX-License-Identifier: GPL-3.0-or-later
//
// The named lists of problems of apps/problem_lists.txt, whose text is built in.

#ifndef INCLUDED_GPUFFT_PROBLEM_LISTS_H
#define INCLUDED_GPUFFT_PROBLEM_LISTS_H

#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// One line of a benchmark: a problem, the list that it is from, and where its output
// lies.
struct bench_case {
    std::string family;
    problem what;
    bool in_place = false; // the output overwrites the input

    std::string to_string() const // the problem, "in place" behind it
    {
        return what.to_string() + (in_place ? " in place" : "");
    }
};

// The names of all lists, as in the file.
std::vector<std::string> list_names();

// The problems of a list; where the batch is to fill, n * batch is about `elements`. A
// list of lists gives the problems of each under its own name. Throws
// std::invalid_argument, naming the lists that there are, for another name.
std::vector<bench_case> problems_of(const std::string& list, std::size_t elements);

// Each problem out of place, or in place, or first the one and then the other. In place
// are transforms of one or more axes whose rows are as long as their frames.
std::vector<bench_case>
placed_cases(const std::vector<bench_case>& cases, bool out_of_place, bool in_place);

} // namespace gpufft
} // namespace gr

#endif
