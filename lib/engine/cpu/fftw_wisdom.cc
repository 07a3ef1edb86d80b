// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts in the wisdom file.

#include "fftw_wisdom.h"
#include "engine/cache_file.h"
#include "fftw_planner.h"

#include <algorithm>
#include <gnuradio/gpufft/engine.h>
#include <memory>
#include <sstream>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

// The file keeps the newest.
constexpr std::size_t MOST_TEXTS = 4096;

// In the file a line with the problem, then FFTW's text: "(fftw... SOLVERS", lines that
// begin with spaces, and ")".
struct wisdom_entry {
    std::string problem, text;

    // FFTW takes wisdom only from a library with the same solvers, which the text's first
    // line shows; they differ e.g. between versions.
    std::string solvers() const { return text.substr(0, text.find('\n')); }
};

typedef std::vector<wisdom_entry> wisdom_entries;

wisdom_entries parse_wisdom(const std::string& file)
{
    wisdom_entries found;
    std::istringstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const bool is_text =
            !line.empty() && std::string("( )").find(line[0]) != line.npos;
        if (!is_text)
            found.push_back({ line, "" });
        else if (!found.empty())
            found.back().text += line + "\n";
    }
    return found;
}

std::string to_text(const wisdom_entries& all)
{
    std::string file;
    for (const wisdom_entry& each : all)
        file += each.problem + "\n" + each.text;
    return file;
}

template <class It>
It find_like(It begin, It end, const wisdom_entry& like)
{
    return std::find_if(begin, end, [&](const wisdom_entry& each) {
        return each.problem == like.problem && each.solvers() == like.solvers();
    });
}

// The text becomes what is kept.
void keep_in(wisdom_entries& all,
             const std::string& problem,
             std::string& text,
             const std::string& unusable)
{
    const wisdom_entry kept = { problem, text };
    const auto at = find_like(all.begin(), all.end(), kept);
    if (at != all.end() && at->text != unusable) {
        text = at->text;
        return;
    }
    if (at != all.end())
        all.erase(at);
    all.push_back(kept);
    if (all.size() > MOST_TEXTS)
        all.erase(all.begin(), all.end() - MOST_TEXTS);
}

// "" if FFTW has no memory for it.
template <class T>
std::string export_text()
{
    const std::unique_ptr<char, void (*)(void*)> text(fftw_library<T>::export_wisdom(),
                                                      fftw_library<T>::free);
    return text ? text.get() : "";
}

// What prefer_fftw_wisdom() was given last, and what this process has used of its file.
template <class T>
wisdom_entries s_preferred;
template <class T>
wisdom_entries s_known;
template <class T>
std::string s_path;

template <class T>
std::string current_path()
{
    const std::string path = cache_path(fftw_library<T>::wisdom_name);
    if (path != s_path<T>)
        s_known<T>.clear();
    return s_path<T> = path;
}

// Those of this precision, e.g. of "(fftwf-3.3.10 fftwf_wisdom #x...".
template <class T>
wisdom_entries of_precision(wisdom_entries all)
{
    const std::string name = std::string(" ") + fftw_library<T>::wisdom_name + " ";
    const auto is_other = [&](const wisdom_entry& each) {
        return each.solvers().find(name) == std::string::npos;
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
    return all;
}

template <class T>
wisdom_entries all_wisdom()
{
    const std::string path = current_path<T>();
    wisdom_entries all = s_preferred<T>;
    for (const wisdom_entries& more :
         { s_known<T>, parse_wisdom(path.empty() ? "" : read_cache_file(path)) })
        for (const wisdom_entry& each : of_precision<T>(more))
            if (find_like(all.begin(), all.end(), each) == all.end())
                all.push_back(each);
    return all;
}

} // namespace

template <class T>
wisdom_apart<T>::wisdom_apart(const planner_lock&)
    : d_others(export_text<T>()),
      d_threads(fftw_library<T>::planner_threads())
{
    fftw_library<T>::forget_wisdom();
    fftw_library<T>::plan_with_threads(1);
}

template <class T>
wisdom_apart<T>::~wisdom_apart()
{
    fftw_library<T>::plan_with_threads(d_threads);
    fftw_library<T>::forget_wisdom();
    if (d_others.find("\n  (") != std::string::npos)
        fftw_library<T>::import_wisdom(d_others.c_str());
}

template <class T>
bool use_wisdom(const wisdom_apart<T>&, const std::string& text)
{
    fftw_library<T>::forget_wisdom();
    return fftw_library<T>::import_wisdom(text.c_str()) == 1;
}

template <class T>
std::string find_wisdom(const wisdom_apart<T>& apart, const std::string& problem)
{
    const wisdom_entry like = { problem, apart.others() };
    const std::string path = current_path<T>();
    for (const wisdom_entries* known : { &s_preferred<T>, &s_known<T> }) {
        const auto at = find_like(known->begin(), known->end(), like);
        if (at != known->end())
            return at->text;
    }
    if (path.empty())
        return "";
    const wisdom_entries file = parse_wisdom(read_cache_file(path));
    const auto at = find_like(file.begin(), file.end(), like);
    if (at == file.end())
        return "";
    s_known<T>.push_back(*at);
    return at->text;
}

template <class T>
std::string keep_wisdom(const wisdom_apart<T>&,
                        const std::string& problem,
                        const std::string& unusable)
{
    std::string text = export_text<T>();
    const std::string path = current_path<T>();
    if (!path.empty())
        update_cache_file(path, [&](const std::string& file) {
            wisdom_entries all = of_precision<T>(parse_wisdom(file));
            keep_in(all, problem, text, unusable);
            return to_text(all);
        });
    keep_in(s_known<T>, problem, text, unusable);
    return text;
}

std::string fftw_wisdom()
{
    const planner_lock lock;
    return to_text(all_wisdom<float>()) + to_text(all_wisdom<double>());
}

void prefer_fftw_wisdom(const std::string& texts)
{
    const planner_lock lock;
    const wisdom_entries all = parse_wisdom(texts);
    s_preferred<float> = of_precision<float>(all);
    s_preferred<double> = of_precision<double>(all);
}

template class wisdom_apart<float>;
template class wisdom_apart<double>;
template bool use_wisdom(const wisdom_apart<float>&, const std::string&);
template bool use_wisdom(const wisdom_apart<double>&, const std::string&);
template std::string find_wisdom(const wisdom_apart<float>&, const std::string&);
template std::string find_wisdom(const wisdom_apart<double>&, const std::string&);
template std::string
keep_wisdom(const wisdom_apart<float>&, const std::string&, const std::string&);
template std::string
keep_wisdom(const wisdom_apart<double>&, const std::string&, const std::string&);

} // namespace gpufft
} // namespace gr
