// SPDX-License-Identifier: GPL-3.0-or-later
//
// An NVIDIA driver with one card that computes nothing, for what no real card does when
// it is told to: fail. The linker puts functions of ours in the place of dlopen() and
// dlsym() (--wrap), which hand it out as libcuda.so.1; nothing in the library knows of
// it.
//
// Its primary context is made and destroyed as the driver's is. Streams, events, modules
// and memory are the context's: they end with it, and to use one later is a violation
// (the real driver would crash).

#ifndef INCLUDED_GPUFFT_FAKE_DRIVER_H
#define INCLUDED_GPUFFT_FAKE_DRIVER_H

#include <cuda.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class fake_driver
{
public:
    // A sound card, no violations, no calls. What lives on the card stays there.
    static void reset();

    // The context breaks: all its calls return this error from now on.
    static void break_context(CUresult error);
    static void break_at_next_launch(CUresult error);

    // The next call of this function fails, and nothing else.
    static void fail_once(const std::string& function, CUresult error);

    // cuInit fails as long as this is not CUDA_SUCCESS.
    static void refuse_to_start(CUresult error);

    // Another library of the process retains the primary context, or releases it.
    static void retain_for_others(bool retained);

    static int contexts(); // made so far
    static int handles();  // in the context that is there
    static long calls();   // in it, since reset()
    static long calls(const char* function);
    static std::vector<std::string> violations();
};

} // namespace gpufft
} // namespace gr

#endif
