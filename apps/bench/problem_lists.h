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

// One line of a benchmark: a problem, and the list that it is from.
struct bench_case {
    std::string family;
    problem what;
};

// The names of all lists, as in the file.
std::vector<std::string> list_names();

// The problems of a list; where the batch is to fill, n * batch is about `elements`. A
// list of lists gives the problems of each under its own name. Throws
// std::invalid_argument, naming the lists that there are, for another name.
std::vector<bench_case> problems_of(const std::string& list, std::size_t elements);

} // namespace gpufft
} // namespace gr

#endif
