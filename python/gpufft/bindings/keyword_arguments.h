// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the keywords of a Python call into fields.

#ifndef INCLUDED_GPUFFT_KEYWORD_ARGUMENTS_H
#define INCLUDED_GPUFFT_KEYWORD_ARGUMENTS_H

#include "problem/problem_names.h"
#include "shown.h"

#include <cstddef>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace gr {
namespace gpufft {

namespace py = pybind11;

// The value with this name.
template <class Value, std::size_t COUNT>
Value named(const char* what,
            const value_name<Value> (&names)[COUNT],
            const std::string& name)
{
    if (const auto value = value_in(names, name))
        return *value;
    std::string all;
    for (const auto& each : names)
        all += std::string(all.empty() ? "" : ", ") + each.second;
    throw std::invalid_argument(
        fmt::format("{} is \"{}\", but must be one of {}", what, name, all));
}

// Keywords, each taken once. `others` are names that the caller takes itself.
class keywords
{
public:
    keywords(const py::dict& given, const std::vector<std::string>& others)
        : d_left(given.attr("copy")()),
          d_names(py::cast(others))
    {
    }

    py::object take(const char* name)
    {
        d_names.append(name);
        return d_left.attr("pop")(name, py::none());
    }

    template <class T>
    void read(const char* name, T& field)
    {
        const py::object value = take(name);
        if (!value.is_none())
            field = cast<T>(name, value);
    }

    template <class T, class Parse>
    void read(const char* name, T& field, const Parse& parse)
    {
        const py::object value = take(name);
        if (!value.is_none())
            field = parse(cast<std::string>(name, value));
    }

    template <class T, std::size_t COUNT>
    void read(const char* name, T& field, const value_name<T> (&names)[COUNT])
    {
        read(name, field, [&](const std::string& value) {
            return named(name, names, value);
        });
    }

    void expect_none_left() const
    {
        for (const auto& [name, value] : d_left)
            throw py::type_error(fmt::format("there is no keyword \"{}\" of a problem{}",
                                             std::string(py::str(name)),
                                             nearest(name)));
    }

private:
    std::string nearest(const py::handle& name) const
    {
        const py::list found =
            py::module_::import("difflib").attr("get_close_matches")(name, d_names, 1);
        return found.empty() ? ""
                             : fmt::format("; did you mean \"{}\"?",
                                           std::string(py::str(found[0])));
    }

    template <class T>
    static T cast(const char* name, const py::object& value)
    {
        try {
            return py::cast<T>(value);
        } catch (const py::cast_error&) {
            const std::string text = fmt::format("{} is {}, but must be {}",
                                                 name,
                                                 shown(value),
                                                 words_of(static_cast<T*>(nullptr)));
            if (std::is_integral_v<T> && PyLong_Check(value.ptr())) // below 0, or huge
                throw std::invalid_argument(text);
            throw py::type_error(text);
        }
    }

    // What a value of a type is in Python.
    static const char* words_of(bool*) { return "True or False"; }
    static const char* words_of(std::size_t*)
    {
        return "a whole number in 0 ... 2^64 - 1";
    }
    static const char* words_of(std::string*) { return "a str"; }
    static const char* words_of(std::vector<std::size_t>*)
    {
        return "a list of whole numbers in 0 ... 2^64 - 1";
    }
    template <class T>
    static const char* words_of(T*)
    {
        return "a number in double precision";
    }

    py::dict d_left;
    py::list d_names; // others, and those that have been asked for
};

} // namespace gpufft
} // namespace gr

#endif
