// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the command line.

#include "settings.h"
#include "contests.h"
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <gnuradio/gpufft/engine.h>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

namespace po = boost::program_options;

std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.push_back(part);
    return parts;
}

std::vector<int> read_devices(const std::string& text)
{
    std::vector<int> devices;
    for (const std::string& part : split(text)) {
        const bool is_number = !part.empty() && part.size() <= 4 &&
                               part.find_first_not_of("0123456789") == std::string::npos;
        const int device = is_number ? std::stoi(part) : -1;
        if (!is_number ||
            std::find(devices.begin(), devices.end(), device) != devices.end())
            throw std::invalid_argument("--devices is \"" + text +
                                        "\", but must be different indices, e.g. 0,1");
        devices.push_back(device);
    }
    if (devices.empty())
        throw std::invalid_argument("--devices is empty; the first card is 0");
    return devices;
}

// Decides "auto".
std::string read_engine(const std::string& name)
{
    if (name != "auto" && name != "cuda" && name != "cpu")
        throw std::invalid_argument("--engine is \"" + name +
                                    "\", but must be cuda, cpu or auto");
    const cuda_status& status = query_cuda();
    if (name == "cuda" && !status.usable)
        throw cuda_error(0, "--engine cuda cannot run here: " + status.reason);
    if (name != "auto")
        return name;
    if (!status.usable)
        std::printf("engine cpu: %s\n", status.reason.c_str());
    return status.usable ? "cuda" : "cpu";
}

po::options_description describe_options()
{
    po::options_description all("options");
    all.add_options()("help", "show this text")("list", "show the contests, and end")(
        "engine",
        po::value<std::string>()->default_value("auto"),
        "of our blocks: cuda, cpu, or auto: cuda where it is usable")(
        "devices", po::value<std::string>()->default_value("0"), "cards, e.g. 0 or 0,1")(
        "only", po::value<std::string>(), "contests: NAME,NAME")(
        "repeats", po::value<int>(), "runs of each, 1 ... 1000; default 3, quick 1")(
        "seconds",
        po::value<double>(),
        "of a run, 0.001 ... 1000; default 0.3, quick 0.03")(
        "quick", "few lengths and short runs: to see that all works")(
        "csv", po::value<std::string>(), "write the figures to this file")(
        "commit",
        po::value<std::string>()->default_value(GPUFFT_COMMIT),
        "for the head of the CSV");
    return all;
}

void print_contests()
{
    std::printf("contests (*: by default with engine cpu only; **: with cuda only)\n");
    for (const contest& each : all_contests()) {
        const char* mark = each.runs_on == contest::both  ? ""
                           : each.runs_on == contest::cpu ? " *"
                                                          : " **";
        std::printf("  %-18s %s%s\n", each.name, each.words, mark);
    }
    std::printf("\ncolumns\n%s", COLUMNS_HELP);
}

template <class Number>
Number in_range(const char* name, Number value, Number least, Number most)
{
    std::ostringstream text;
    text << name << " is " << value << ", but must be in " << least << " ... " << most;
    if (!(value >= least && value <= most))
        throw std::invalid_argument(text.str());
    return value;
}

} // namespace

settings read_arguments(int argc, char** argv)
{
    const po::options_description described = describe_options();
    po::variables_map given;
    try {
        po::store(po::command_line_parser(argc, argv)
                      .options(described)
                      .positional(po::positional_options_description())
                      .run(),
                  given);
    } catch (const po::error& error) {
        throw std::invalid_argument(std::string(error.what()) +
                                    " (see gpufft bench --flowgraph --help)");
    }
    if (given.count("help"))
        std::cout << "gpufft-bench-flowgraph [OPTIONS]\nTimes flowgraphs of our blocks "
                     "beside GNU Radio's, the link and the kernels.\n\n"
                  << described << std::endl;
    if (given.count("help") || given.count("list")) {
        print_contests();
        std::exit(0);
    }

    settings wanted;
    wanted.command = "gpufft bench --flowgraph";
    for (int i = 1; i < argc; ++i)
        wanted.command += std::string(" ") + argv[i];
    wanted.quick = given.count("quick") > 0;
    wanted.repeats = wanted.quick ? 1 : 3;
    wanted.seconds = wanted.quick ? 0.03 : 0.3;
    if (given.count("repeats"))
        wanted.repeats = in_range("--repeats", given["repeats"].as<int>(), 1, 1000);
    if (given.count("seconds"))
        wanted.seconds =
            in_range("--seconds", given["seconds"].as<double>(), 0.001, 1000.0);
    if (given.count("only"))
        wanted.only = split(given["only"].as<std::string>());
    if (given.count("csv"))
        wanted.csv = given["csv"].as<std::string>();
    wanted.commit = given["commit"].as<std::string>();
    wanted.devices = read_devices(given["devices"].as<std::string>());
    wanted.engine = read_engine(given["engine"].as<std::string>());
    const int cards = static_cast<int>(query_cuda().devices.size());
    if (wanted.has_card())
        for (const int device : wanted.devices)
            in_range("--devices", device, 0, cards - 1);
    return wanted;
}

} // namespace gpufft
} // namespace gr
