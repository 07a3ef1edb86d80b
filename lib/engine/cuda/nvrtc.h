// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC, the run-time compiler of CUDA C++, opened at run time like the driver. It needs
// no GPU: tests compile for absent cards.

#ifndef INCLUDED_GPUFFT_CUDA_NVRTC_H
#define INCLUDED_GPUFFT_CUDA_NVRTC_H

#include "kernel_cache.h"
#include <nvrtc.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

#define GPUFFT_NVRTC_FUNCTIONS(X)                                                        \
    X(nvrtcVersion)                                                                      \
    X(nvrtcGetErrorString)                                                               \
    X(nvrtcGetNumSupportedArchs)                                                         \
    X(nvrtcGetSupportedArchs)                                                            \
    X(nvrtcCreateProgram)                                                                \
    X(nvrtcDestroyProgram)                                                               \
    X(nvrtcAddNameExpression)                                                            \
    X(nvrtcCompileProgram)                                                               \
    X(nvrtcGetProgramLogSize)                                                            \
    X(nvrtcGetProgramLog)                                                                \
    X(nvrtcGetLoweredName)                                                               \
    X(nvrtcGetCUBINSize)                                                                 \
    X(nvrtcGetCUBIN)                                                                     \
    X(nvrtcGetPTXSize)                                                                   \
    X(nvrtcGetPTX)

struct nvrtc_library {
#define GPUFFT_DECLARE(name) decltype(&::name) name = nullptr;
    GPUFFT_NVRTC_FUNCTIONS(GPUFFT_DECLARE)
#undef GPUFFT_DECLARE

    int version = 0;                // e.g. 13000
    std::string file;               // where it was found
    std::vector<int> architectures; // supported ones, ascending, e.g. 75 ... 121
    std::string reason;             // why there is no NVRTC, in one sentence; else empty
};

// File names to try for a driver of this CUDA version (0: none), best first.
std::vector<std::string> nvrtc_candidates(int driver_version);

// True if a driver of this CUDA version loads kernels of that NVRTC version: if the
// driver's major version is not older, or without a driver (0).
bool nvrtc_fits(int driver_version, int nvrtc_version);

// The NVRTC that fits the driver, opened once in a process. If there is none, `reason`
// says why, and later calls search again (see lasting.h).
const nvrtc_library& find_nvrtc();

// The same, but throws cuda_error with the reason if there is none.
const nvrtc_library& nvrtc();

// "--gpu-architecture=sm_90" for 90. For a card newer than NVRTC, the newest architecture
// that NVRTC knows, "...=compute_121", which the driver translates. Throws cuda_error for
// a card that is too old for this NVRTC.
std::string architecture_option(const nvrtc_library& library, int architecture);

// Options of all kernels, except the architecture.
const std::vector<std::string>& compile_options();

// The compiler's output besides the kernel.
struct compiler_report {
    std::string messages;
    std::string ptx; // the intermediate code
};

// Compiles the kernel `expression`, a name in gr::gpufft::kernels, of the file `header`
// of kernel_sources(). `more_options` are added to compile_options(). Throws cuda_error
// with the compiler's messages if it does not compile.
kernel_image compile_kernel(const std::string& header,
                            const std::string& expression,
                            int architecture,
                            const std::vector<std::string>& more_options = {},
                            compiler_report* report = nullptr);

// The same for any program text, which may include the files of kernel_sources().
kernel_image compile_program(const std::string& text,
                             const std::string& expression,
                             int architecture,
                             const std::vector<std::string>& more_options = {},
                             compiler_report* report = nullptr);

} // namespace gpufft
} // namespace gr

#endif
