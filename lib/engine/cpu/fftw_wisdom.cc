// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts in the wisdom file.

#include "fftw_wisdom.h"
#include "engine/cache_file.h"
#include "fftw_planner.h"

#include <gnuradio/gpufft/engine.h>
#include <memory>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

// FFTW takes wisdom only from a library with the same solvers, which the text's first
// line shows; they change e.g. once a process uses FFTW's threads. The file keeps a text
// for each first line, so that processes of both kinds keep each other's wisdom.
constexpr std::size_t MOST_TEXTS = 8;

std::vector<std::string> split(const std::string& file)
{
    std::vector<std::string> texts;
    const std::string start = "(fftw";
    for (std::size_t at = file.rfind(start, 0); at != std::string::npos;) {
        const std::size_t next = file.find("\n" + start, at);
        const std::size_t end = next == std::string::npos ? file.size() : next + 1;
        texts.push_back(file.substr(at, end - at));
        at = next == std::string::npos ? next : end;
    }
    return texts;
}

std::string first_line(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

// A text that is damaged, or from another library, leaves FFTW's wisdom unchanged.
template <class T>
void import_texts(const std::string& file)
{
    for (const std::string& text : split(file))
        fftw_library<T>::import_wisdom(text.c_str());
}

// "" if FFTW has no memory for it.
template <class T>
std::string export_text()
{
    const std::unique_ptr<char, void (*)(void*)> text(fftw_library<T>::export_wisdom(),
                                                      fftw_library<T>::free);
    return text ? text.get() : "";
}

// What prefer_fftw_wisdom() was given last.
template <class T>
std::string s_preferred;

// Of two entries for one problem, FFTW keeps the first.
template <class T>
void prefer(const std::string& texts)
{
    const std::string own = export_text<T>();
    fftw_library<T>::forget_wisdom();
    import_texts<T>(texts);
    import_texts<T>(own);
}

// The file's wisdom, then FFTW's, then other libraries' texts from the file.
template <class T>
std::string merge(const std::string& file)
{
    prefer<T>(file);
    const std::string all = export_text<T>();
    if (all.empty())
        return file;
    std::string merged = all;
    std::size_t texts = 1;
    for (const std::string& text : split(file))
        if (first_line(text) != first_line(all) && ++texts <= MOST_TEXTS)
            merged += text + (text.back() == '\n' ? "" : "\n");
    return merged;
}

} // namespace

std::string fftw_wisdom()
{
    const planner_lock lock;
    load_wisdom<float>(lock);
    load_wisdom<double>(lock);
    const std::string single = export_text<float>();
    return single + (single.empty() || single.back() == '\n' ? "" : "\n") +
           export_text<double>();
}

void prefer_fftw_wisdom(const std::string& texts)
{
    const planner_lock lock;
    load_wisdom<float>(lock); // which would count first later
    load_wisdom<double>(lock);
    prefer<float>(s_preferred<float> = texts);
    prefer<double>(s_preferred<double> = texts);
}

template <class T>
void load_wisdom(const planner_lock&)
{
    static std::string loaded;
    const std::string path = cache_path(fftw_library<T>::wisdom_name);
    if (path == loaded)
        return;
    prefer<T>(path.empty() ? "" : read_cache_file(path));
    prefer<T>(s_preferred<T>);
    loaded = path;
}

template <class T>
void save_wisdom(const planner_lock&)
{
    const std::string path = cache_path(fftw_library<T>::wisdom_name);
    if (path.empty())
        return;
    update_cache_file(path, merge<T>);
    prefer<T>(s_preferred<T>);
}

template void load_wisdom<float>(const planner_lock&);
template void load_wisdom<double>(const planner_lock&);
template void save_wisdom<float>(const planner_lock&);
template void save_wisdom<double>(const planner_lock&);

} // namespace gpufft
} // namespace gr
