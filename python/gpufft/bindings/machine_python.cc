// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the machine offers, what the library keeps on it, and what tuning finds.

#include "block_bindings.h"
#include <gnuradio/gpufft/engine.h>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/gpufft/tuning.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

namespace {

py::dict to_dict(const cuda_device_info& device)
{
    return py::dict("index"_a = device.index,
                    "name"_a = device.name,
                    "compute_capability"_a =
                        py::make_tuple(device.compute_major, device.compute_minor),
                    "multiprocessors"_a = device.multiprocessors,
                    "memory_bytes"_a = device.memory_bytes,
                    "l2_bytes"_a = device.l2_bytes,
                    "shared_bytes_per_block"_a = device.shared_bytes_per_block);
}

py::dict cuda_status_dict()
{
    const cuda_status& status =
        *call_without_gil([] { return &gr::gpufft::query_cuda(); });
    py::list devices;
    for (const cuda_device_info& device : status.devices)
        devices.append(to_dict(device));
    return py::dict("built"_a = status.built,
                    "usable"_a = status.usable,
                    "reason"_a = status.reason,
                    "driver"_a = status.driver,
                    "nvrtc"_a = status.nvrtc,
                    "nvrtc_file"_a = status.nvrtc_file,
                    "devices"_a = devices);
}

py::dict cache_info_dict(cache_info (*call)())
{
    const cache_info info = call_without_gil(call);
    return py::dict("directory"_a = info.directory,
                    "reason"_a = info.reason,
                    "kernels"_a = info.kernels,
                    "bytes"_a = info.bytes);
}

py::list tune_list(const std::string& text, int device, std::size_t candidates)
{
    const problem what = problem::from_string(text);
    py::list timed;
    for (const timed_recipe& each :
         call_without_gil([&] { return gr::gpufft::tune(what, device, candidates); }))
        timed.append(py::dict("recipe"_a = each.description,
                              "milliseconds"_a = each.milliseconds,
                              "wisdom"_a = each.wisdom,
                              "was_used"_a = each.was_used));
    return timed;
}

std::vector<std::string>
recipes_of(const std::string& text, int device, std::size_t candidates)
{
    const problem what = problem::from_string(text);
    return call_without_gil([&] { return recipes(what, device, candidates); });
}

} // namespace

void bind_machine(py::module& module)
{
    module.def("query_cuda",
               &cuda_status_dict,
               "What the cuda engine finds: dict of built, usable, reason, driver, "
               "nvrtc, nvrtc_file, "
               "devices (a list of dicts).");
    module.def("cache_directory",
               &cache_directory,
               "Directory of compiled kernels, wisdom and break-even tables.");
    module.def(
        "query_cache",
        [] { return cache_info_dict(&gr::gpufft::query_cache); },
        "What is kept on this machine: dict of directory, reason (why it is not used, "
        "or \"\"), kernels (compiled ones), bytes (of all files).");
    module.def(
        "clear_cache",
        [] { return cache_info_dict(&gr::gpufft::clear_cache); },
        "Removes the files of this module from cache_directory(). Returns what "
        "query_cache() said before.");
    module.def("fftw_wisdom",
               &fftw_wisdom,
               without_gil(),
               "What FFTW has measured for the CPU engine, in this process and in the "
               "cache, as text.");
    module.def(
        "prefer_fftw_wisdom",
        &prefer_fftw_wisdom,
        "texts"_a,
        without_gil(),
        "Later plans use `texts`, another process's fftw_wisdom(), before this process's "
        "own wisdom, and so give that process's bits on the same kind of CPU.");
    module.def("algorithm_names",
               &algorithm_names,
               "The names that algorithm=<name> in a problem may have.");
    module.def(
        "tune",
        &tune_list,
        "problem"_a,
        "device"_a = 0,
        "candidates"_a = 24,
        "Times `candidates` ways to compute a problem on the NVIDIA GPU of that index "
        "(device) and keeps the fastest as wisdom. "
        "Returns a list, fastest first, of dicts of recipe, milliseconds, wisdom (the "
        "line \"card | problem | recipe\"), was_used (plans took it before).");
    module.def(
        "recipes",
        &recipes_of,
        "problem"_a,
        "device"_a = 0,
        "candidates"_a = 24,
        "The recipes that a plan of `problem`, a string, may get on GPU `device`: the "
        "one in the wisdom, and at most `candidates` others, best first. tune() chooses "
        "from these.");
}

} // namespace gpufft
} // namespace gr
