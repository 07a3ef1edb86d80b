// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints what the planner decides: one line a problem with its recipe and its kernels,
// for comparing before and after a change that must not change plans. The problems are
// those on stdin, one in each line, and COUNT random ones, and the wisdom; --ptx compiles
// each kernel for compute capability 9.0 and prints a hash of its PTX, without the names
// of functions and registers and without the loads of arguments.
//
//     gpufft bench --list | grep -o '[a-z0-9]*2[a-z0-9_]*_n[^ ]*' |
//         build/tests/print_plans 2500 --ptx > after.txt

#include "kinds.h"
#include "planner/planner.h"
#include "planner/wisdom.h"

#ifdef GPUFFT_HAVE_CUDA
#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#endif

#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

using namespace gr::gpufft;

namespace {

std::string random_problem(std::mt19937& random)
{
    const auto up_to = [&](std::size_t most) { return random() % most + 1; };
    const auto one_of = [&](const std::vector<std::string>& all) {
        return all[random() % all.size()];
    };
    const std::string kind =
        one_of(random() % 4 ? all_kinds() : std::vector<std::string>{ "c2c_forward" });
    const std::size_t n = std::size_t(1) << up_to(22);
    std::string length = std::to_string(n + random() % n);
    if (random() % 3 == 0) // smooth
        for (std::size_t value = 1; value < n; length = std::to_string(value))
            value *= std::vector<int>{ 2, 2, 3, 4, 5, 7, 8, 16 }[random() % 8];
    if (random() % 6 == 0)
        length = std::to_string(up_to(300)) + "x" + std::to_string(up_to(300));
    std::string text =
        kind + "_n" + length + "_b" + std::to_string(up_to(random() % 2 ? 20 : 1 << 20));
    if (random() % 4 == 0)
        text += "_f64";
    else if (kind.substr(0, 3) == "c2c" && random() % 3 == 0)
        text += one_of({ "_cs16", "_cs8", "_cf16", "_real" }) +
                one_of({ "", "_window", "_window_power", "_power_avg10", "_decibel" });
    return text;
}

std::string hash_of(const std::string& text)
{
    return std::to_string(std::hash<std::string>()(text));
}

#ifdef GPUFFT_HAVE_CUDA
// A PTX text without comments, declarations of registers, loads of arguments and the
// names of functions; its registers have numbers in the order in which they come.
std::string without_names(const std::string& ptx)
{
    const auto is_word = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
    };
    std::map<std::string, std::size_t> numbers;
    std::string result;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find("//"));
        if (line == "}") // registers are a function's own
            numbers.clear();
        if (line.rfind("\t.reg", 0) == 0 || line.rfind("\tld.param", 0) == 0)
            continue;
        for (std::size_t at = 0; at < line.size();) {
            std::size_t end = at + 1;
            if (is_word(line[at]) || line[at] == '%')
                while (end < line.size() && is_word(line[end]))
                    ++end;
            const std::string word = line.substr(at, end - at);
            const bool is_name = word.rfind("_Z", 0) == 0;
            if (is_name && end < line.size() && (line[end] == '+' || line[end] == '['))
                for (++end; end < line.size() && is_word(line[end]);)
                    ++end;
            if (word[0] == '%')
                result += "%" + std::to_string(
                                    numbers.emplace(word, numbers.size()).first->second);
            else if (!is_name)
                result += word;
            at = end;
        }
        result += "\n";
    }
    return result;
}
#endif

void print(const std::string& text, bool with_ptx)
{
    std::cout << text << " | ";
    try {
        const problem what = problem::from_string(text);
        const recipe how = make_recipe(what);
        std::cout << how.to_text() << " | " << how.to_string();
        for (const launch_step& step : build_program(what, how).steps) {
            std::cout << " | "
                      << hash_of(step.kernel.header + " " + step.kernel.expression());
#ifdef GPUFFT_HAVE_CUDA
            if (!with_ptx)
                continue;
            compiler_report report;
            compile_kernel(step.kernel.header,
                           step.kernel.expression(),
                           90,
                           precision_options(step.kernel),
                           &report);
            std::cout << " " << hash_of(without_names(report.ptx));
#endif
        }
    } catch (const std::exception& error) {
        std::cout << error.what();
    }
    std::cout << "\n";
}

} // namespace

int main(int count, char** words)
{
    bool with_ptx = false;
    std::size_t problems = 0;
    for (int i = 1; i < count; ++i) {
        if (words[i] == std::string("--ptx"))
            with_ptx = true;
        else
            problems = std::stoul(words[i]);
    }
    for (std::string line; std::getline(std::cin, line);)
        print(line, with_ptx);
    std::cout << shipped_wisdom().write();
    std::mt19937 random(1);
    for (std::size_t i = 0; i < problems; ++i)
        print(random_problem(random), with_ptx);
}
