// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpufft-bench-flowgraph: flowgraphs with our blocks, beside GNU Radio's own and beside
// what the link and the kernels reach by themselves, in one run.

#include "contests.h"
#include <cstdio>
#include <gnuradio/logger.h>
#include <stdexcept>

using namespace gr::gpufft;

namespace {

int run(int argc, char** argv)
{
    gr::logging::singleton().set_default_level(gr::log_level::critical);
    const settings wanted = read_arguments(argc, argv);
    const std::vector<contest> chosen = chosen_contests(wanted);
    report out(wanted);
    bench with(wanted, out);
    for (const contest& each : chosen)
        each.run(with);
    if (!wanted.csv.empty())
        std::printf("written: %s\n", wanted.csv.c_str());
    return with.failed || (with.measured == 0 && with.left_out > 0) ? 1 : 0;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "gpufft-bench-flowgraph: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpufft-bench-flowgraph: %s\n", error.what());
        return 1;
    }
}
