// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the command line asks for.

#ifndef INCLUDED_GPUFFT_BENCH_SETTINGS_H
#define INCLUDED_GPUFFT_BENCH_SETTINGS_H

#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct settings {
    std::string engine; // "cuda" or "cpu"; "auto" is decided
    std::vector<int> devices{ 0 };
    std::vector<std::string> only; // contests; empty: all of the engine's
    int repeats = 0;
    double seconds = 0; // of a run's timed part
    bool quick = false;
    std::string csv; // empty: none
    std::string commit;
    std::string command; // the whole line

    bool has_card() const { return engine == "cuda"; }
};

// Reads the command line. Prints a help text and ends the program for --help. Throws
// std::invalid_argument for what cannot be, cuda_error for a card that is not there.
settings read_arguments(int argc, char** argv);

} // namespace gpufft
} // namespace gr

#endif
