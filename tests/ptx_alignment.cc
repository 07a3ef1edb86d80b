// SPDX-License-Identifier: GPL-3.0-or-later
//
// A register's zeros are the fewest that any instruction gives it, so the order of the
// instructions does not matter: all registers begin with the most zeros there are, and
// lose some until no instruction takes any more away.

#include "ptx_alignment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

constexpr int MOST_ZEROS = 64; // of the number 0
constexpr int OF_POINTERS = 4; // multiples of 16 bytes

struct instruction {
    std::string text;
    std::vector<std::string> name;     // "ld.global.v2.f32" by its dots
    std::vector<std::string> operands; // "{%f1, %f2}" is one
};

std::vector<std::string> split(const std::string& text, const char* at)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    for (char c : text) {
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (*at == c && depth == 0)
            parts.emplace_back();
        else if (!std::isspace(static_cast<unsigned char>(c)))
            parts.back() += c;
    }
    return parts;
}

// Lines such as "@%p1 add.s64 %rd1, %rd2, 8;".
std::vector<instruction> instructions_of(const std::string& ptx)
{
    std::vector<instruction> all;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = line.find_first_not_of(" \t"), end = line.rfind(';');
        if (begin == std::string::npos || end == std::string::npos ||
            std::string("./{}$").find(line[begin]) != std::string::npos)
            continue;
        std::string text = line.substr(begin, end - begin);
        const std::string whole = text;
        if (text[0] == '@')
            text.erase(0, text.find_first_of(" \t") + 1);
        const std::size_t space = text.find_first_of(" \t");
        if (space == std::string::npos)
            continue;
        all.push_back(
            { whole, split(text.substr(0, space), "."), split(text.substr(space), ",") });
    }
    return all;
}

bool is_number(const std::string& operand)
{
    return std::isdigit(static_cast<unsigned char>(operand[0])) || operand[0] == '-';
}

int zeros_of_number(long long number)
{
    return number == 0 ? MOST_ZEROS : __builtin_ctzll(number);
}

bool has(const instruction& each, const char* part)
{
    return std::find(each.name.begin(), each.name.end(), part) != each.name.end();
}

class zeros_of_registers
{
public:
    int of(const std::string& operand) const
    {
        if (is_number(operand))
            return zeros_of_number(std::strtoll(operand.c_str(), nullptr, 0));
        if (operand[0] != '%')
            return OF_POINTERS; // an array
        const auto found = d_zeros.find(operand);
        return found != d_zeros.end()         ? found->second
               : std::isdigit(operand.back()) ? MOST_ZEROS
                                              : 0; // %tid.x
    }

    // Whether that changes anything.
    bool run(const instruction& each)
    {
        const std::string& to = each.operands[0];
        if (each.name[0] == "st" || each.name[0] == "red" || each.name[0] == "setp" ||
            each.name[0] == "bra" || each.name[0] == "cp")
            return false;
        bool changed = false;
        if (to[0] == '{') {
            const int zeros = each.name[0] == "mov" ? of(each.operands[1])
                              : has(each, "param")  ? OF_POINTERS
                                                    : 0;
            int part = 0;
            for (const std::string& one : split(to.substr(1, to.size() - 2), ","))
                changed |= lower(one, each.name[0] == "mov" && part++ > 0 ? 0 : zeros);
            return changed;
        }
        return lower(to, result_of(each));
    }

private:
    bool lower(const std::string& name, int zeros)
    {
        int& now = d_zeros.emplace(name, MOST_ZEROS).first->second;
        const int before = now;
        now = std::min(now, std::max(zeros, 0));
        return now < before;
    }

    int least(const instruction& each, std::size_t begin, std::size_t end) const
    {
        int zeros = MOST_ZEROS;
        for (std::size_t i = begin; i < end && i < each.operands.size(); ++i)
            zeros = std::min(zeros, of(each.operands[i]));
        return zeros;
    }

    int result_of(const instruction& each) const
    {
        const std::string& name = each.name[0];
        const auto number = [&](std::size_t i) {
            return std::atoi(each.operands[i].c_str());
        };
        if (name == "ld")
            return has(each, "param") && has(each, "u64") ? OF_POINTERS : 0;
        if (name == "mov" && each.operands[1][0] == '{')
            return of(split(each.operands[1].substr(1, each.operands[1].size() - 2), ",")
                          .front());
        if (name == "and")
            return std::max(of(each.operands[1]), of(each.operands[2]));
        if (name == "shl")
            return of(each.operands[1]) + (is_number(each.operands[2]) ? number(2) : 0);
        if (name == "shr")
            return is_number(each.operands[2]) ? of(each.operands[1]) - number(2) : 0;
        if ((name == "mul" || name == "mad") && !has(each, "hi")) {
            const int product =
                std::min(of(each.operands[1]) + of(each.operands[2]), MOST_ZEROS);
            return name == "mul" ? product : std::min(product, of(each.operands[3]));
        }
        if (name == "mapa") // the same address in another block
            return of(each.operands[1]);
        if (name == "bfi")
            return std::min(of(each.operands[1]) + number(3), of(each.operands[2]));
        for (const char* same : { "mov",
                                  "cvta",
                                  "cvt",
                                  "add",
                                  "sub",
                                  "or",
                                  "xor",
                                  "min",
                                  "max",
                                  "neg",
                                  "rem",
                                  "selp" })
            if (name == same)
                return least(each, 1, 3);
        return 0;
    }

    std::map<std::string, int> d_zeros;
};

// What the address must be a multiple of, 0 if the instruction has none. Two points that
// the compiler moves together count as one: it has proved more than can be seen here.
int needed_multiple(const instruction& each)
{
    const std::string& name = each.name[0];
    if ((name != "ld" && name != "st" && name != "red" && name != "atom") ||
        has(each, "param"))
        return 0;
    const std::string& type = each.name.back(); // f32
    const int bits = std::atoi(type.c_str() + 1);
    return bits / 8 * (has(each, "v2") || has(each, "v4") ? 2 : 1);
}

// Of one function: registers of others may have the same names.
void find_unaligned(const std::string& function,
                    bool in_samples,
                    bool in_tiles,
                    std::vector<std::string>& found)
{
    const std::vector<instruction> all = instructions_of(function);
    zeros_of_registers zeros;
    for (bool changed = true; changed;) {
        changed = false;
        for (const instruction& each : all)
            changed |= zeros.run(each);
    }
    for (const instruction& each : all) {
        const bool is_of_table = has(each, "nc"); // read by __ldg()
        if (!in_samples && has(each, "global") && !is_of_table)
            continue;
        if (!in_tiles && has(each, "shared") && has(each, "ld"))
            continue;
        const int bytes = needed_multiple(each);
        for (const std::string& operand : each.operands) {
            if (bytes == 0 || operand[0] != '[')
                continue;
            const std::size_t plus = operand.find('+');
            const std::string base =
                operand.substr(1, std::min(plus, operand.size() - 1) - 1);
            const long long offset =
                plus == std::string::npos ? 0 : std::atoll(operand.c_str() + plus + 1);
            if (1 << std::min({ zeros.of(base), zeros_of_number(offset), 4 }) < bytes)
                found.push_back(each.text);
        }
    }
}

} // namespace

std::vector<std::string>
unaligned_accesses(const std::string& ptx, bool in_samples, bool in_tiles)
{
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin < ptx.size();) {
        const std::size_t end = std::min(ptx.find("\n}", begin), ptx.size());
        find_unaligned(ptx.substr(begin, end - begin), in_samples, in_tiles, found);
        begin = end + 1;
    }
    return found;
}

} // namespace gpufft
} // namespace gr
