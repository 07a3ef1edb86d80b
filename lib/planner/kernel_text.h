// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts of C++ template instantiations.

#ifndef INCLUDED_GPUFFT_KERNEL_TEXT_H
#define INCLUDED_GPUFFT_KERNEL_TEXT_H

#include <string>
#include <type_traits>
#include <utility>

namespace gr {
namespace gpufft {

// Appends a template argument: a text, a number, a flag, or all elements of a container.
// An empty text appends nothing.
template <class T>
void add_argument(std::string& list, const T& argument)
{
    std::string text;
    if constexpr (std::is_same_v<T, bool>)
        text = argument ? "true" : "false";
    else if constexpr (std::is_arithmetic_v<T>)
        text = std::to_string(argument);
    else if constexpr (std::is_convertible_v<T, std::string>)
        text = argument;
    else
        for (const auto& each : argument)
            add_argument(text, each);
    if (!text.empty())
        list += (list.empty() ? "" : ", ") + text;
}

// "a, b"
template <class... T>
std::string list_of(const T&... arguments)
{
    std::string list;
    (add_argument(list, arguments), ...);
    return list;
}

// "name<a, b>"
template <class... T>
std::string text_of(const std::string& name, const T&... arguments)
{
    return name + "<" + list_of(arguments...) + ">";
}

// A load or store step, alone or as the first argument of another template: "step" or
// "around<step, further>".
struct step_text {
    std::string step, around, further;

    step_text(std::string step = "", std::string around = "", std::string further = "")
        : step(std::move(step)),
          around(std::move(around)),
          further(std::move(further))
    {
    }
    std::string to_text() const
    {
        return around.empty() ? step : text_of(around, step, further);
    }
};

} // namespace gpufft
} // namespace gr

#endif
