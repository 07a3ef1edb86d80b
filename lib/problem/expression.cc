// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grammar is Python's: A if C else B; < <= > >= == !=; + -; * /; unary -; **; numbers
// such as 2.5 and 1j; functions.

#include "expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

namespace gr {
namespace gpufft {

const std::vector<expression_function>& expression_functions()
{
    static const std::vector<expression_function> all = {
        { "+", "plus", "cc", 's' },        { "-", "minus", "cc", 's' },
        { "*", "times", "cc", 's' },       { "/", "over", "cc", 's' },
        { "**", "power", "rr", 'r' },      { "<", "less", "rr", 'b' },
        { "<=", "less_equal", "rr", 'b' }, { "==", "equal", "rr", 'b' },
        { "!=", "unequal", "rr", 'b' },    { "minus", "negative", "c", 's' },
        { "if", "choice", "bcc", 's' },    { "j", "imaginary", "r", 'c' },
        { "abs", "abs", "c", 'r' },        { "norm", "norm", "c", 'r' },
        { "arg", "arg", "c", 'r' },        { "real", "real", "c", 'r' },
        { "imag", "imag", "c", 'r' },      { "conj", "conj", "c", 's' },
        { "exp", "exp", "c", 's' },        { "expj", "expj", "r", 'c' },
        { "sqrt", "sqrt", "r", 'r' },      { "log", "log", "r", 'r' },
        { "log2", "log2", "r", 'r' },      { "log10", "log10", "r", 'r' },
        { "sin", "sin", "r", 'r' },        { "cos", "cos", "r", 'r' },
        { "tan", "tan", "r", 'r' },        { "tanh", "tanh", "r", 'r' },
        { "floor", "floor", "r", 'r' },    { "round", "round", "r", 'r' },
        { "atan2", "atan2", "rr", 'r' },   { "min", "min", "rr", 'r' },
        { "max", "max", "rr", 'r' },       { "clip", "clip", "rrr", 'r' },
    };
    return all;
}

static const auto& s_made_functions = expression_functions();

namespace {

typedef expression_node node;

constexpr std::size_t MOST_SHOWN = 200; // characters of a text in an error
constexpr std::size_t FIRST_NAMED = 12; // functions before it have no name in a text
constexpr int DEEPEST = 60;             // parts within parts
constexpr int LONGEST = 200;            // operators in a row: NVRTC's templates end there

class expression_reader
{
public:
    expression_reader(const std::string& text, const std::string& names)
        : d_text(text),
          d_names(names)
    {
    }

    node read()
    {
        const node root = read_choice();
        if (d_at < d_text.size())
            refuse("an operator must be there");
        if (is_condition(root))
            refuse("it is a condition: must be a number, as in 1 if ...");
        return root;
    }
    const std::set<std::string>& parameters() const { return d_parameters; }

private:
    [[noreturn]] void refuse(const std::string& why) const
    {
        throw std::invalid_argument("expression \"" + cut(d_text) + "\", at \"" +
                                    cut(d_text.substr(std::min(d_at, d_text.size()))) +
                                    "\": " + why);
    }

    static std::string cut(const std::string& text)
    {
        return text.size() <= MOST_SHOWN ? text : text.substr(0, MOST_SHOWN - 3) + "...";
    }

    void limit(int count, int most, const char* what) const
    {
        if (count > most)
            refuse("at most " + std::to_string(most) + what);
    }

    static bool is_condition(const node& of)
    {
        return of.what == node::kind::call &&
               expression_functions()[of.function].gives == 'b';
    }

    void skip_spaces()
    {
        while (d_at < d_text.size() && d_text[d_at] == ' ')
            ++d_at;
    }

    // True, and after it, if this sign is next.
    bool takes(const std::string& sign)
    {
        skip_spaces();
        if (d_text.compare(d_at, sign.size(), sign) != 0)
            return false;
        d_at += sign.size();
        skip_spaces();
        return true;
    }

    // The same for a word.
    bool takes_word(const std::string& word)
    {
        skip_spaces();
        const std::size_t end = d_at + word.size();
        if (d_text.compare(d_at, word.size(), word) != 0 ||
            (end < d_text.size() && std::isalnum((unsigned char)d_text[end])))
            return false;
        d_at = end;
        skip_spaces();
        return true;
    }

    node call(const std::string& name, std::vector<node> parts) const
    {
        const auto& all = expression_functions();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
        const std::string arguments = found->arguments;
        if (parts.size() != arguments.size())
            refuse(name + " must have " + std::to_string(arguments.size()) +
                   " arguments, not " + std::to_string(parts.size()));
        bool all_real = true;
        int depth = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (is_condition(parts[i]) != (arguments[i] == 'b'))
                refuse(name + (arguments[i] == 'b' ? " must have a condition"
                                                   : " must have numbers"));
            if (arguments[i] == 'r' && !parts[i].is_real)
                refuse("an argument of " + name +
                       " is complex: take real(), imag(), abs(), norm() or arg() of it");
            all_real = all_real && parts[i].is_real;
            depth = std::max(depth, parts[i].depth + 1);
        }
        limit(depth, LONGEST, " operators may follow each other: group them by ( )");
        node made;
        made.depth = depth;
        made.what = node::kind::call;
        made.function = std::size_t(found - all.begin());
        made.is_real = found->gives == 's' ? all_real : found->gives != 'c';
        made.parts = std::move(parts);
        return made;
    }

    node read_choice()
    {
        limit(++d_depth, DEEPEST, " parts may lie within each other");
        node value = read_comparison();
        if (takes_word("if")) {
            node condition = read_comparison();
            if (!takes_word("else"))
                refuse("else must follow");
            node other = read_choice();
            value =
                call("if", { std::move(condition), std::move(value), std::move(other) });
        }
        --d_depth;
        return value;
    }

    node read_comparison()
    {
        node left = read_sum();
        for (const char* sign : { "<=", ">=", "==", "!=", "<", ">" })
            if (takes(sign)) {
                node right = read_sum();
                if (sign[0] == '>') // the other way round
                    return call(sign[1] == '=' ? "<=" : "<",
                                { std::move(right), std::move(left) });
                return call(sign, { std::move(left), std::move(right) });
            }
        return left;
    }

    node read_sum()
    {
        node left = read_product();
        for (;;) {
            if (takes("+"))
                left = call("+", { left, read_product() });
            else if (takes("-"))
                left = call("-", { left, read_product() });
            else
                return left;
        }
    }

    node read_product()
    {
        node left = read_signed();
        for (;;) {
            if (takes("*"))
                left = call("*", { left, read_signed() });
            else if (takes("/"))
                left = call("/", { left, read_signed() });
            else
                return left;
        }
    }

    node read_signed()
    {
        limit(++d_depth, DEEPEST, " parts may lie within each other");
        node found;
        if (takes("-"))
            found = call("minus", { read_signed() });
        else if (takes("+"))
            found = read_signed();
        else
            found = read_power();
        --d_depth;
        return found;
    }

    node read_power()
    {
        node base = read_leaf();
        return takes("**") ? call("**", { base, read_signed() }) : base;
    }

    node read_leaf()
    {
        skip_spaces();
        if (takes("(")) {
            node inside = read_choice();
            if (!takes(")"))
                refuse("a ) must follow");
            return inside;
        }
        const char next = d_at < d_text.size() ? d_text[d_at] : '\0';
        if (std::isdigit((unsigned char)next) || next == '.')
            return read_number();
        if (std::isalpha((unsigned char)next))
            return read_name();
        refuse("a number, a name or a ( must be there");
    }

    node read_number()
    {
        node found;
        double value = 0;
        const char* const end = d_text.data() + d_text.size();
        const auto [stop, error] = std::from_chars(d_text.data() + d_at, end, value);
        if (error != std::errc() || value > std::numeric_limits<float>::max())
            refuse("the number is none, or too large");
        found.value = static_cast<float>(value);
        d_at = std::size_t(stop - d_text.data());
        return takes_word("j") ? call("j", { found }) : found;
    }

    node read_name()
    {
        constexpr float PI = 3.14159265358979f;
        const std::size_t begin = d_at;
        while (d_at < d_text.size() && std::isalnum((unsigned char)d_text[d_at]))
            ++d_at;
        const std::string name = d_text.substr(begin, d_at - begin);
        const auto& all = expression_functions();
        const bool is_function =
            std::any_of(all.begin() + FIRST_NAMED, all.end(), [&](const auto& each) {
                return each.name == name;
            });
        node found;
        if (is_function) {
            if (!takes("("))
                refuse(name + " must have its arguments in ( )");
            std::vector<node> parts;
            do
                parts.push_back(read_choice());
            while (takes(","));
            if (!takes(")"))
                refuse("a ) must follow");
            return call(name, std::move(parts));
        }
        if (takes("("))
            refuse(name + " is no function: there are" + function_names());
        if (name == "pi") {
            found.value = PI;
        } else if (name == "x" || (name == "h" && d_names == "xh")) {
            found.what = name == "x" ? node::kind::sample : node::kind::response;
            found.is_real = false;
        } else if (name == "if" || name == "else" || name == "h" || name == "k" ||
                   name == "j") {
            refuse(name + " must not be there; parameters have other names");
        } else {
            found.what = node::kind::parameter;
            found.name = name;
            d_parameters.insert(name);
        }
        return found;
    }

    static std::string function_names()
    {
        std::string list;
        for (std::size_t i = FIRST_NAMED; i < expression_functions().size(); ++i)
            list += std::string(" ") + expression_functions()[i].name;
        return list;
    }

    const std::string& d_text;
    const std::string& d_names;
    std::size_t d_at = 0;
    int d_depth = 0;
    std::set<std::string> d_parameters;
};

std::size_t index_of(const std::string& name, const std::vector<std::string>& names)
{
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string type_of(const node& of, const std::vector<std::string>& names)
{
    switch (of.what) {
    case node::kind::sample:
        return "user_sample";
    case node::kind::response:
        return "user_response";
    case node::kind::parameter:
        return "user_parameter<" + std::to_string(index_of(of.name, names)) + ">";
    case node::kind::number: {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &of.value, sizeof(bits));
        return "user_number<" + std::to_string(bits) + "u>";
    }
    case node::kind::call:
        break;
    }
    std::string list;
    for (const node& part : of.parts)
        list += (list.empty() ? "" : ", ") + type_of(part, names);
    return std::string("user_") + expression_functions()[of.function].type + "<" + list +
           ">";
}

} // namespace

expression::expression(const std::string& text, const std::string& names) : d_text(text)
{
    expression_reader reader(d_text, names);
    d_root = reader.read();
    d_parameters.assign(reader.parameters().begin(), reader.parameters().end());
}

std::string expression::type_text(const std::vector<std::string>& names) const
{
    return type_of(d_root, names);
}

std::vector<std::string> parameters_of(const problem& what)
{
    std::set<std::string> names;
    const auto add = [&](const std::string& text, const char* values) {
        if (text.empty())
            return;
        const expression read(text, values);
        names.insert(read.parameters().begin(), read.parameters().end());
    };
    add(what.load, "x");
    add(what.product, "xh");
    add(what.store, "x");
    return { names.begin(), names.end() };
}

std::vector<std::string> problem::parameter_names() const { return parameters_of(*this); }

std::string load_type(const problem& what)
{
    return expression(what.load, "x").type_text(parameters_of(what));
}

std::string product_type(const problem& what)
{
    return expression(what.product, "xh").type_text(parameters_of(what));
}

std::string store_type(const problem& what)
{
    return expression(what.store, "x").type_text(parameters_of(what));
}

} // namespace gpufft
} // namespace gr
