// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's expression for each sample, bin or product of a problem: read from its text,
// written as a type for the kernels (kernels/user_steps.cuh), evaluated on the CPU.

#ifndef INCLUDED_GPUFFT_EXPRESSION_H
#define INCLUDED_GPUFFT_EXPRESSION_H

#include <complex>
#include <cstddef>
#include <gnuradio/gpufft/problem.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// Most parameters of a problem.
constexpr std::size_t MAX_PARAMETERS = 16;

// Part of an expression: an operator, a function, or a leaf.
struct expression_node {
    enum class kind {
        number,    // `value`
        parameter, // `name`
        sample,    // x
        response,  // h
        call       // function number `function` of the parts
    };
    kind what = kind::number;
    float value = 0;
    std::string name = "";
    std::size_t function = 0;
    bool is_real = true;
    int depth = 0; // calls within it
    std::vector<expression_node> parts = {};
};

class expression
{
public:
    // `names`: the values that it may have, "x" or "xh". Throws std::invalid_argument
    // that quotes the text, with the place and what is allowed.
    expression(const std::string& text, const std::string& names);

    bool is_real() const { return d_root.is_real; }
    const std::vector<std::string>& parameters() const { return d_parameters; } // sorted

    // Its type, where parameter i is names[i].
    std::string type_text(const std::vector<std::string>& names) const;

    // out[i] of x[i] and h[i], which may be null if it has none. names as above.
    void evaluate(std::size_t count,
                  const std::complex<float>* x,
                  const std::complex<float>* h,
                  const std::vector<std::string>& names,
                  const std::vector<float>& values,
                  std::complex<float>* out) const;

private:
    std::string d_text;
    expression_node d_root;
    std::vector<std::string> d_parameters;
};

// A function that expressions call; operators are some, too.
struct expression_function {
    const char* name; // in the text; an operator's sign
    const char* type; // in kernels/user_steps.cuh
    const char*
        arguments; // for each "r", real, "c", real or complex, or "b", a condition
    char gives;    // 'r', 'c', 'b', or 's': real if all arguments are
};
const std::vector<expression_function>& expression_functions();

// The names of the parameters in a problem's expressions, sorted.
std::vector<std::string> parameters_of(const problem& what);

// Throws std::invalid_argument unless a problem may have its expressions.
void check_expressions(const problem& what);

// The type of the expression in a problem's step.
std::string load_type(const problem& what);
std::string product_type(const problem& what);
std::string store_type(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
