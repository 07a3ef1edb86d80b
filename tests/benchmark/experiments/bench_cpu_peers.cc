// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times FFTW and MKL, single precision, on problems such as c2c_forward_n64x64_b16, and
// writes one CSV row for each library, number of threads and problem, with the root mean
// square error of forward + inverse / n.
//   bench_cpu_peers [--csv FILE] [--libraries fftw,mkl] [--threads each|K,K...] [--commit
//   TEXT]
//                   PROBLEM...
// Both libraries have FFTW's interface and are opened when the program runs:
// libfftw3f_threads, and libmkl_rt of `pip install mkl`, whose folder LD_LIBRARY_PATH
// must name. One of the threads K may be "all", for all cores; "each" takes 1, 2, 4 ...
// and all.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fftw3.h>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

typedef std::vector<std::complex<float>> samples;

constexpr double RUN_SECONDS = 2e-3; // of one timed run; short transforms are repeated
constexpr double ALL_SECONDS = 0.3;  // after which no further run starts
constexpr int FEWEST_RUNS = 3, MOST_RUNS = 31;
constexpr std::size_t LITTLE = 1 << 20; // points of a batch
constexpr double PLAN_SECONDS = 2;      // of FFTW's measuring

struct options {
    std::string csv, commit = GPUFFT_COMMIT;
    std::string libraries = "fftw,mkl", threads = "all";
    std::vector<std::string> problems;
};

struct problem {
    std::vector<int> lengths;
    int batch;
    std::size_t n() const
    {
        std::size_t product = 1;
        for (int length : lengths)
            product *= length;
        return product;
    }
};

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

// c2c_forward_n64x64_b16
problem read_problem(const std::string& text)
{
    const std::string start = "c2c_forward_n";
    const std::size_t end = text.find("_b");
    if (text.rfind(start, 0) != 0 || end == std::string::npos)
        throw std::invalid_argument("problem is " + text +
                                    ", but must be like c2c_forward_n64x64_b16");
    problem made;
    for (const std::string& length :
         split(text.substr(start.size(), end - start.size()), 'x'))
        made.lengths.push_back(std::stoi(length));
    made.batch = std::stoi(text.substr(end + 2));
    return made;
}

// A shared library with FFTW's interface.
class library
{
public:
    library(const std::string& name, const std::vector<const char*>& files) : name(name)
    {
        for (const char* file : files)
            if ((d_handle = dlopen(file, RTLD_NOW | RTLD_LOCAL)) != nullptr)
                break;
        if (d_handle == nullptr)
            return;
        load(init_threads, "fftwf_init_threads");
        load(plan_with_nthreads, "fftwf_plan_with_nthreads");
        load(plan_many_dft, "fftwf_plan_many_dft");
        load(execute, "fftwf_execute");
        load(destroy_plan, "fftwf_destroy_plan");
        init_threads();
    }

    bool is_there() const { return d_handle != nullptr; }

    // A function that only one of the libraries has, or null.
    template <class F>
    F* find(const char* symbol) const
    {
        return reinterpret_cast<F*>(dlsym(d_handle, symbol));
    }

    std::string name;
    decltype(&fftwf_init_threads) init_threads;
    decltype(&fftwf_plan_with_nthreads) plan_with_nthreads;
    decltype(&fftwf_plan_many_dft) plan_many_dft;
    decltype(&fftwf_execute) execute;
    decltype(&fftwf_destroy_plan) destroy_plan;

private:
    template <class F>
    void load(F& function, const char* symbol)
    {
        function = reinterpret_cast<F>(dlsym(d_handle, symbol));
        if (function == nullptr)
            throw std::runtime_error(name + " has no " + symbol);
    }

    void* d_handle = nullptr;
};

fftwf_plan make_plan(const library& lib,
                     const problem& what,
                     samples& from,
                     samples& to,
                     int direction,
                     unsigned effort)
{
    const int distance = int(what.n());
    const fftwf_plan plan =
        lib.plan_many_dft(int(what.lengths.size()),
                          what.lengths.data(),
                          what.batch,
                          reinterpret_cast<fftwf_complex*>(from.data()),
                          nullptr,
                          1,
                          distance,
                          reinterpret_cast<fftwf_complex*>(to.data()),
                          nullptr,
                          1,
                          distance,
                          direction,
                          effort);
    if (plan == nullptr)
        throw std::runtime_error(lib.name + " makes no plan");
    return plan;
}

template <class F>
double seconds(const F& function)
{
    const auto start = std::chrono::steady_clock::now();
    function();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(end - start).count();
}

// Milliseconds of a transform, ascending.
std::vector<double> time_plan(const library& lib, fftwf_plan plan)
{
    const double once = seconds([&] { lib.execute(plan); }); // warm-up
    const int repeats = std::max(1, int(RUN_SECONDS / std::max(once, 1e-8)));
    std::vector<double> times;
    double sum = 0;
    while (int(times.size()) < FEWEST_RUNS ||
           (int(times.size()) < MOST_RUNS && sum < ALL_SECONDS)) {
        const double run = seconds([&] {
            for (int i = 0; i < repeats; ++i)
                lib.execute(plan);
        });
        sum += run;
        times.push_back(1e3 * run / repeats);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// Always the same ones.
samples random_samples(std::size_t count)
{
    static std::mt19937 generator(1);
    static std::uniform_real_distribution<float> uniform(-1, 1);
    static samples all;
    while (all.size() < count)
        all.push_back({ uniform(generator), uniform(generator) });
    return samples(all.begin(), all.begin() + long(count));
}

double round_trip_rmse(const samples& x, const samples& back, std::size_t n)
{
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += std::norm(std::complex<double>(back[i]) / double(n) -
                         std::complex<double>(x[i]));
    return std::sqrt(sum / double(x.size()));
}

std::string row(const library& lib, int threads, const std::string& text)
{
    const problem what = read_problem(text);
    const samples x = random_samples(what.n() * what.batch);
    samples input(x.size()), output(x.size());
    lib.plan_with_nthreads(threads);
    if (auto* set = lib.find<void(int)>("MKL_Set_Num_Threads"))
        set(threads);
    if (auto* limit = lib.find<void(double)>("fftwf_set_timelimit"))
        limit(PLAN_SECONDS);
    const fftwf_plan forward =
        make_plan(lib, what, input, output, FFTW_FORWARD, FFTW_MEASURE);
    const fftwf_plan inverse =
        make_plan(lib, what, output, input, FFTW_BACKWARD, FFTW_ESTIMATE);
    input = x;
    const std::vector<double> ms = time_plan(lib, forward);
    lib.execute(inverse);
    const double rmse = round_trip_rmse(x, input, what.n());
    lib.destroy_plan(forward);
    lib.destroy_plan(inverse);
    if (!(rmse < 1e-4))
        throw std::runtime_error(lib.name + " is wrong on " + text +
                                 ": round trip's error " + std::to_string(rmse));
    char line[200];
    std::snprintf(line,
                  sizeof line,
                  "%s,%d,%s,%.6g,%.6g,%.6g,%.3g\n",
                  lib.name.c_str(),
                  threads,
                  text.c_str(),
                  ms[ms.size() / 2],
                  ms.front(),
                  ms.back(),
                  rmse);
    return line;
}

std::string cpu_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 2);
    return "unknown";
}

// What each library says of itself.
std::string version(const library& lib)
{
    if (auto* get = lib.find<void(char*, int)>("MKL_Get_Version_String")) {
        char text[200] = "";
        get(text, sizeof text);
        return std::string(text, std::string(text, sizeof text).find('\0'));
    }
    const char* text = lib.find<const char>("fftwf_version");
    return text == nullptr ? lib.name : text;
}

std::string head(const options& chosen,
                 const std::vector<library>& libraries,
                 const std::string& command)
{
    std::ostringstream text;
    text << "# cpu: " << cpu_name() << ", " << std::thread::hardware_concurrency()
         << " cores\n";
    double load = 0;
    if (getloadavg(&load, 1) == 1)
        text << "# load: " << load << " processes ran before (mean of a minute)\n";
    for (const library& lib : libraries)
        text << "# " << lib.name << ": " << version(lib) << "\n";
    text << "# commit: " << chosen.commit << "\n"
         << "# command: " << command << "\n"
         << "# single precision, out of place; median of " << FEWEST_RUNS << " to "
         << MOST_RUNS << " runs; plans are measured for " << PLAN_SECONDS
         << " s at most; rmse of forward + inverse / n\n";
    return text.str();
}

std::vector<int> thread_counts(const std::string& text, std::size_t points)
{
    const int all = std::max(1, int(std::thread::hardware_concurrency()));
    std::vector<int> counts;
    if (text == "best") {
        if (points <= LITTLE && all > 1)
            counts.push_back(1);
        counts.push_back(all);
    } else if (text == "each") {
        for (int count = 1; count < all; count *= 2)
            counts.push_back(count);
        counts.push_back(all);
    } else {
        for (const std::string& count : split(text, ','))
            counts.push_back(count == "all" ? all : std::stoi(count));
    }
    return counts;
}

options read_options(int count, char** words)
{
    options chosen;
    for (int i = 1; i < count; ++i) {
        const std::string name = words[i];
        if (name.rfind("--", 0) != 0) {
            chosen.problems.push_back(name);
            continue;
        }
        if (i + 1 == count)
            throw std::invalid_argument(name + " needs a value");
        const std::string value = words[++i];
        if (name == "--csv")
            chosen.csv = value;
        else if (name == "--libraries")
            chosen.libraries = value;
        else if (name == "--threads")
            chosen.threads = value;
        else if (name == "--commit")
            chosen.commit = value;
        else
            throw std::invalid_argument("unknown option " + name);
    }
    return chosen;
}

library open_library(const std::string& name)
{
    if (name == "fftw")
        return { name, { "libfftw3f_threads.so.3" } };
    if (name == "mkl")
        return { name, { "libmkl_rt.so.3", "libmkl_rt.so.2" } };
    throw std::invalid_argument("library is " + name + ", but must be fftw or mkl");
}

void run(const options& chosen, const std::string& command)
{
    setenv("MKL_THREADING_LAYER", "GNU", 0); // the wheel mkl alone has no Intel threads
    std::vector<library> libraries;
    for (const std::string& name : split(chosen.libraries, ',')) {
        const library lib = open_library(name);
        if (lib.is_there())
            libraries.push_back(lib);
        else
            std::cerr << "bench_cpu_peers: no " << name
                      << " on LD_LIBRARY_PATH: it is left out\n";
    }
    if (libraries.empty())
        throw std::runtime_error("there is no library to time");
    std::string text = head(chosen, libraries, command) +
                       "library,threads,problem,ms,min_ms,max_ms,rmse\n";
    std::cout << text << std::flush;
    for (const std::string& name : chosen.problems) {
        const problem what = read_problem(name);
        const std::size_t points = what.n() * std::size_t(what.batch);
        for (const library& lib : libraries)
            for (int threads : thread_counts(chosen.threads, points)) {
                const std::string line = row(lib, threads, name);
                std::cout << line << std::flush;
                text += line;
            }
    }
    if (chosen.csv.empty())
        return;
    std::ofstream file(chosen.csv);
    if (!(file << text).flush())
        throw std::runtime_error("cannot write " + chosen.csv);
}

} // namespace

int main(int count, char** words)
{
    std::string command = "bench_cpu_peers";
    for (int i = 1; i < count; ++i)
        command += std::string(" ") + words[i];
    try {
        run(read_options(count, words), command);
    } catch (const std::exception& error) {
        std::cerr << "bench_cpu_peers: " << error.what() << "\n";
        return 1;
    }
}
