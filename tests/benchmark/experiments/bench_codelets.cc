// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiles the kernels' butterflies of 2 ... 64 points, one a thread, and writes how many
// registers each takes and how many bytes of it had to go to memory. Needs NVRTC, no GPU.
//   bench_codelets [--csv FILE] [--architecture 90] [--commit TEXT]

#include "engine/cuda/driver.h"
#include "engine/cuda/nvrtc.h"
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace gr::gpufft;

namespace {

const char* const PROGRAM = R"(
#include "butterfly.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Point k of thread t is item t + k threads, so that a warp reads and writes in one go.
template <int Points>
__global__ void codelet_kernel(const complex* in, complex* out)
{
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    complex x[Points];
#pragma unroll
    for (int k = 0; k < Points; ++k)
        x[k] = in[t + k * threads];
    butterfly<Points>(x);
#pragma unroll
    for (int k = 0; k < Points; ++k)
        out[t + k * threads] = x[k];
}

} // namespace kernels
} // namespace gpufft
} // namespace gr
)";

struct options {
    std::string csv, commit = GPUFFT_COMMIT;
    int architecture = 90;
};

options read_arguments(int argc, char** argv)
{
    options read;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc)
            throw std::invalid_argument(name + " needs a value");
        const std::string value = argv[i + 1];
        if (name == "--csv")
            read.csv = value;
        else if (name == "--commit")
            read.commit = value;
        else if (name == "--architecture" &&
                 std::regex_match(value, std::regex("[0-9]{2,3}")))
            read.architecture = std::stoi(value);
        else
            throw std::invalid_argument(
                name + " " + value +
                ": there are --csv FILE, --architecture e.g. 90, --commit TEXT");
    }
    return read;
}

// The number before or in a line of the compiler's messages.
int number_in(const std::string& log, const std::string& pattern)
{
    std::smatch found;
    if (!std::regex_search(log, found, std::regex(pattern)))
        throw std::runtime_error("the compiler said nothing of \"" + pattern + "\":\n" +
                                 log);
    return std::stoi(found[1]);
}

std::string row(int points, const char* precision, int architecture)
{
    const bool is_double = precision == std::string("double");
    std::vector<std::string> flags = { "--ptxas-options=-v" };
    if (is_double)
        flags.push_back("-DGPUFFT_DOUBLE");
    compiler_report report;
    compile_program(PROGRAM,
                    "gr::gpufft::kernels::codelet_kernel<" + std::to_string(points) + ">",
                    architecture,
                    flags,
                    &report);
    const std::string& log = report.messages;
    std::ostringstream text;
    text << points << ',' << precision << ',' << number_in(log, "Used (\\d+) registers")
         << ',' << number_in(log, "(\\d+) bytes stack frame") << '\n';
    return text.str();
}

std::string table(const options& chosen)
{
    std::ostringstream text;
    text << "# architecture: sm_" << chosen.architecture << "\n# NVRTC "
         << cuda_version_string(nvrtc().version) << "\n# commit: " << chosen.commit
         << "\n# command: bench_codelets\npoints,precision,registers,local_bytes\n";
    for (const char* precision : { "single", "double" })
        for (int points : { 2, 4, 8, 16, 32, 64 })
            text << row(points, precision, chosen.architecture);
    return text.str();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const options chosen = read_arguments(argc, argv);
        const std::string text = table(chosen);
        std::cout << text;
        if (chosen.csv.empty())
            return 0;
        std::ofstream file(chosen.csv);
        file << text;
        file.close();
        if (!file)
            throw std::runtime_error("cannot write " + chosen.csv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_codelets: %s\n", error.what());
        return 1;
    }
    return 0;
}
