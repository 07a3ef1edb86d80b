// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds an NVRTC that fits the driver, and compiles kernels with it.

#include "nvrtc.h"
#include "driver.h"
#include "engine/environment.h"
#include "lasting.h"
#include "planner/embedded_files.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <glob.h>
#include <gnuradio/gpufft/engine.h>

namespace gr {
namespace gpufft {

constexpr int OLDEST_NVRTC = 12040;

// The file that a function of a library is in; "" if nobody knows.
static std::string file_of(const void* function)
{
    Dl_info info;
    return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname
                                                                     : "";
}

// A path as a pattern that only it matches.
static std::string escaped(const std::string& path)
{
    std::string pattern;
    for (const char each : path) {
        if (std::strchr("*?[]{},~\\", each) != nullptr)
            pattern += '\\';
        pattern += each;
    }
    return pattern;
}

// The folders of NVRTC in NVIDIA's packages on PyPI (nvidia-cuda-nvrtc, and -cu12) that
// pip has installed below a prefix, or unpacked in a folder.
static void add_pip_folders(const std::string& prefix, std::vector<std::string>& folders)
{
    if (prefix.empty())
        return;
    glob_t found;
    const std::string pattern = escaped(prefix) + "{,/lib/python3*/*-packages}/nvidia/"
                                                  "{cu[0-9]*,cuda_nvrtc}/lib";
    if (glob(pattern.c_str(), GLOB_BRACE, nullptr, &found) == 0)
        folders.insert(folders.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
}

std::vector<std::string> nvrtc_candidates(int driver_version)
{
    std::vector<std::string> names;
    for (int major = std::max(driver_version, CUDA_VERSION) / 1000; major >= 12; --major)
        names.emplace_back("libnvrtc.so." + std::to_string(major));
    names.emplace_back("libnvrtc.so");

    std::vector<std::string> candidates = names; // the loader's search path comes first
    std::vector<std::string> folders;
    for (const char* variable : { "CUDA_HOME", "CUDA_PATH" }) {
        const std::string home = path_from_environment(variable);
        if (!home.empty())
            folders.push_back(home + "/lib64");
    }
    folders.emplace_back("/usr/local/cuda/lib64");
    for (const char* variable : { "VIRTUAL_ENV", "CONDA_PREFIX" })
        add_pip_folders(path_from_environment(variable), folders);
    const std::string home = path_from_environment("HOME");
    if (!home.empty())
        add_pip_folders(home + "/.local", folders);
    add_pip_folders("/usr/local", folders);
    // in a build folder tests/setup.sh unpacks it beside this library's folder
    const std::string own = file_of(reinterpret_cast<const void*>(&nvrtc_candidates));
    add_pip_folders(own.substr(0, own.rfind('/')) + "/..", folders);
    for (const std::string& folder : folders)
        for (const std::string& name : names)
            candidates.push_back(folder + "/" + name);
    return candidates;
}

bool nvrtc_fits(int driver_version, int nvrtc_version)
{
    return driver_version == 0 || nvrtc_version / 1000 <= driver_version / 1000;
}

// NVRTC asks the loader for its builtins by name alone: where the loader does not search
// NVRTC's folder, they must be there before.
static void load_builtins(const nvrtc_library& library)
{
    const std::string folder = library.file.substr(0, library.file.rfind('/') + 1);
    const std::string name =
        "libnvrtc-builtins.so." + cuda_version_string(library.version);
    if (!folder.empty())
        dlopen((folder + name).c_str(), RTLD_LAZY | RTLD_LOCAL);
}

// Loads functions, version and architectures; false unless `handle` has all functions.
static bool load_functions(void* handle, nvrtc_library& library)
{
#define GPUFFT_LOAD(name)                                                                \
    library.name = reinterpret_cast<decltype(library.name)>(dlsym(handle, #name));       \
    if (library.name == nullptr)                                                         \
        return false;
    GPUFFT_NVRTC_FUNCTIONS(GPUFFT_LOAD)
#undef GPUFFT_LOAD

    int major = 0, minor = 0, count = 0;
    if (library.nvrtcVersion(&major, &minor) != NVRTC_SUCCESS ||
        library.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count < 1)
        return false;
    library.version = 1000 * major + 10 * minor;
    library.file = file_of(reinterpret_cast<const void*>(library.nvrtcVersion));
    library.architectures.resize(count);
    return library.nvrtcGetSupportedArchs(library.architectures.data()) == NVRTC_SUCCESS;
}

static nvrtc_library open_nvrtc(const driver& driver)
{
    nvrtc_library none;
    none.reason = "NVRTC (libnvrtc.so) was not found: install the CUDA Toolkit's NVRTC";
    for (const std::string& candidate : nvrtc_candidates(driver.version)) {
        void* handle = dlopen(candidate.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr)
            continue;
        nvrtc_library library;
        if (!load_functions(handle, library) || library.version < OLDEST_NVRTC) {
            none.reason = candidate + " is too old: install NVRTC of CUDA 12.4 or later";
        } else if (!nvrtc_fits(driver.version, library.version)) {
            none.reason = "the NVIDIA driver supports CUDA " +
                          cuda_version_string(driver.version) + ", but NVRTC is " +
                          cuda_version_string(library.version) +
                          ": update the driver or install CUDA " +
                          std::to_string(driver.version / 1000) + "'s NVRTC";
        } else {
            load_builtins(library);
            return library;
        }
        dlclose(handle);
    }
    return none;
}

static auto& s_for_driver = *new lasting<nvrtc_library>(process_mutex::compiler);
static auto& s_for_none = // a driver found later may not fit this one
    *new lasting<nvrtc_library>(process_mutex::compiler_of_no_driver);

const nvrtc_library& find_nvrtc()
{
    const driver& driver = find_driver();
    return (driver.version > 0 ? s_for_driver : s_for_none).get([&] {
        return open_nvrtc(driver);
    });
}

const nvrtc_library& nvrtc()
{
    const nvrtc_library& found = find_nvrtc();
    if (!found.reason.empty())
        throw cuda_error(NVRTC_ERROR_INTERNAL_ERROR, found.reason);
    return found;
}

std::string architecture_option(const nvrtc_library& library, int architecture)
{
    const std::vector<int>& known = library.architectures;
    if (std::find(known.begin(), known.end(), architecture) != known.end())
        return "--gpu-architecture=sm_" + std::to_string(architecture);
    const auto newer = std::upper_bound(known.begin(), known.end(), architecture);
    if (newer == known.begin())
        throw cuda_error(NVRTC_ERROR_INVALID_OPTION,
                         "NVRTC " + cuda_version_string(library.version) +
                             " compiles for sm_" + std::to_string(known.front()) +
                             " and later, not for this card's sm_" +
                             std::to_string(architecture) +
                             ": install the NVRTC of an older CUDA Toolkit");
    return "--gpu-architecture=compute_" + std::to_string(newer[-1]);
}

const std::vector<std::string>& compile_options()
{
    static const std::vector<std::string> options = {
        "--std=c++17",
        "--device-as-default-execution-space", // for lambdas
    };
    return options;
}

static const auto& s_made_options = compile_options();

namespace {

// An nvrtcProgram that is destroyed with its owner.
class nvrtc_program
{
public:
    nvrtc_program(const nvrtc_library& library, const std::string& text)
        : d_library(library)
    {
        std::vector<const char*> texts, names;
        for (const embedded_file& source : kernel_sources()) {
            texts.push_back(source.text);
            names.push_back(source.name);
        }
        check(d_library.nvrtcCreateProgram(&d_program,
                                           text.c_str(),
                                           "gpufft.cu",
                                           static_cast<int>(texts.size()),
                                           texts.data(),
                                           names.data()),
              "nvrtcCreateProgram");
    }
    ~nvrtc_program() { d_library.nvrtcDestroyProgram(&d_program); }
    nvrtc_program(const nvrtc_program&) = delete;
    nvrtc_program& operator=(const nvrtc_program&) = delete;

    operator nvrtcProgram() const { return d_program; }

    void check(nvrtcResult result, const std::string& call) const
    {
        if (result != NVRTC_SUCCESS)
            throw cuda_error(result,
                             call + " failed: " + d_library.nvrtcGetErrorString(result));
    }

    // One of NVRTC's pairs of calls: the size of a text, then the text.
    template <class GetSize, class Get>
    std::string read(GetSize get_size, Get get, const char* what) const
    {
        std::size_t bytes = 0;
        check(get_size(d_program, &bytes), what);
        std::string text(bytes, '\0');
        check(get(d_program, text.data()), what);
        return text;
    }

private:
    const nvrtc_library& d_library;
    nvrtcProgram d_program = nullptr;
};

} // namespace

kernel_image compile_kernel(const std::string& header,
                            const std::string& expression,
                            int architecture,
                            const std::vector<std::string>& more_options,
                            compiler_report* report)
{
    return compile_program("#include \"" + header +
                               "\"\nusing namespace gr::gpufft::kernels;\n",
                           expression,
                           architecture,
                           more_options,
                           report);
}

kernel_image compile_program(const std::string& text,
                             const std::string& expression,
                             int architecture,
                             const std::vector<std::string>& more_options,
                             compiler_report* report)
{
    const nvrtc_library& library = nvrtc();
    std::vector<std::string> options = compile_options();
    options.push_back(architecture_option(library, architecture));
    options.insert(options.end(), more_options.begin(), more_options.end());
    std::vector<const char*> arguments;
    for (const std::string& option : options)
        arguments.push_back(option.c_str());

    const nvrtc_program unit(library, text);
    unit.check(library.nvrtcAddNameExpression(unit, expression.c_str()),
               "nvrtcAddNameExpression(" + expression + ")");
    const bool has_parameters = std::any_of(
        more_options.begin(), more_options.end(), [](const std::string& option) {
            return option.rfind("-DGPUFFT_PARAMETERS", 0) == 0;
        });
    if (has_parameters) // else nobody outside finds them
        unit.check(library.nvrtcAddNameExpression(unit, "&gpufft_parameters"),
                   "nvrtcAddNameExpression(&gpufft_parameters)");
    const nvrtcResult result = library.nvrtcCompileProgram(
        unit, static_cast<int>(arguments.size()), arguments.data());
    std::string messages = unit.read(
        library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, "nvrtcGetProgramLog");
    messages.resize(std::strlen(messages.c_str())); // the last byte is a zero
    if (result != NVRTC_SUCCESS)
        throw cuda_error(result,
                         "NVRTC " + cuda_version_string(library.version) +
                             " does not compile " + expression + " for sm_" +
                             std::to_string(architecture) + ": " + messages);
    if (report != nullptr)
        *report = { messages,
                    unit.read(
                        library.nvrtcGetPTXSize, library.nvrtcGetPTX, "nvrtcGetPTX") };

    kernel_image kernel;
    const char* lowered = nullptr;
    unit.check(library.nvrtcGetLoweredName(unit, expression.c_str(), &lowered),
               "nvrtcGetLoweredName(" + expression + ")");
    kernel.name = lowered;
    const bool real =
        architecture_option(library, architecture).find("=sm_") != std::string::npos;
    if (real)
        kernel.code =
            unit.read(library.nvrtcGetCUBINSize, library.nvrtcGetCUBIN, "nvrtcGetCUBIN");
    else
        kernel.code =
            unit.read(library.nvrtcGetPTXSize, library.nvrtcGetPTX, "nvrtcGetPTX");
    return kernel;
}

} // namespace gpufft
} // namespace gr
