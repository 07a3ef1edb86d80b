// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python constructors, setters, getters and docstrings of the blocks whose make() takes a
// struct of settings, from one table of its fields. Defaults are those of the struct.

#ifndef INCLUDED_GPUFFT_SETTINGS_BINDINGS_H
#define INCLUDED_GPUFFT_SETTINGS_BINDINGS_H

#include "block_bindings.h"
#include <cctype>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

namespace gr {
namespace gpufft {

enum class field_methods { none, setter, getter, both };

// A field that the constructor takes as a keyword of the same name.
template <class Settings, class Value>
struct field {
    typedef Value value;

    const char* name;
    Value Settings::*member;
    const char* words; // for the docstrings
    field_methods methods = field_methods::both;
    const char* effect = ""; // what else the setter does

    void store(Settings& settings, const Value& value) const { settings.*member = value; }

    py::arg_v argument() const { return py::arg(name) = Settings().*member; }

    template <class Class>
    void bind(Class& python) const
    {
        typedef typename Class::type block;
        const auto member = this->member;
        std::string text = words;
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        if (methods == field_methods::setter || methods == field_methods::both)
            python.def((std::string("set_") + name).c_str(),
                       [member](block& self, const Value& now) { self.set(member, now); },
                       without_gil(),
                       py::arg(name),
                       (text + effect + ".").c_str());
        if (methods == field_methods::getter || methods == field_methods::both)
            python.def(
                name,
                [member](const block& self) { return self.settings().*member; },
                without_gil(),
                (text + ".").c_str());
    }
};

template <class Settings, class Value, class... Rest>
field(const char*, Value Settings::*, const char*, Rest...) -> field<Settings, Value>;

// The field nthreads of blocks that take all cores by default; bind_nthreads() binds its
// methods.
constexpr const char* CPU_THREADS =
    "n threads of the cpu engine; 0 is one for each core.";
template <class Settings>
field<Settings, int> threads_field(int Settings::*member)
{
    return { "nthreads",
             member,
             "threads of the cpu engine, 1 ... 1024; 0 is one for each core",
             field_methods::none };
}

// A field without default.
template <class Field>
struct required : Field {
    explicit required(const Field& given) : Field(given) {}
    py::arg argument() const { return py::arg(this->name); }
};

template <class Settings, class Fields, std::size_t... i, class... Value>
void store_fields(Settings& settings,
                  const Fields& fields,
                  std::index_sequence<i...>,
                  const Value&... values)
{
    (std::get<i>(fields).store(settings, values), ...);
}

// "name: words", wrapped as the other lines of a docstring.
inline std::string argument_doc(const char* name, const char* words)
{
    constexpr std::size_t COLUMNS = 88;
    std::istringstream source(std::string("    ") + name + ": " + words);
    std::string text, line = "   ";
    for (std::string word; source >> word; line += " " + word)
        if (line.size() + 1 + word.size() > COLUMNS) {
            text += line + "\n";
            line = "       ";
        }
    return text + line + "\n";
}

// A docstring with "Args:", a line for each field, and those of the engine.
template <class Fields>
std::string settings_doc(const char* head,
                         const Fields& fields,
                         const char* tail,
                         const char* engine = ENGINE_WORDS)
{
    std::string text = std::string(head) + "Args:\n";
    std::apply(
        [&](const auto&... each) {
            ((text += argument_doc(each.name, each.words)), ...);
        },
        fields);
    return text + engine + tail;
}

// The constructor, whose fields from `keyword` on must be given by keyword, and the
// methods of the fields and of the engine.
template <class Class, class... Positional, class... Keyword>
void bind_settings(Class& python,
                   const std::tuple<Positional...>& positional,
                   const std::tuple<Keyword...>& keyword)
{
    typedef typename Class::type block;
    const auto fields = std::tuple_cat(positional, keyword);
    const auto make = [fields](const typename Positional::value&... first,
                               const typename Keyword::value&... rest,
                               const std::string& engine,
                               const device_list& device,
                               const std::string& on_error,
                               double device_timeout) {
        typename block::settings_type settings;
        store_fields(settings,
                     fields,
                     std::index_sequence_for<Positional..., Keyword...>(),
                     first...,
                     rest...);
        return call_without_gil([&] {
            return block::make(settings, { engine, device, on_error, device_timeout });
        });
    };
    const engine_options options;
    const auto arguments = [](const auto&... each) {
        return std::make_tuple(each.argument()...);
    };
    std::apply(
        [&](const auto&... each) {
            python.def(py::init(make),
                       each...,
                       "engine"_a = options.engine,
                       "device"_a = options.device,
                       "on_error"_a = options.on_error,
                       "device_timeout"_a = options.device_timeout);
        },
        std::tuple_cat(std::apply(arguments, positional),
                       std::make_tuple(py::kw_only()),
                       std::apply(arguments, keyword)));
    std::apply([&](const auto&... each) { (each.bind(python), ...); }, fields);
    bind_engine_block(python);
}

} // namespace gpufft
} // namespace gr

#endif
