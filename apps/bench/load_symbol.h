// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function of a library that is opened at run time.

#ifndef INCLUDED_GPUFFT_BENCH_LOAD_SYMBOL_H
#define INCLUDED_GPUFFT_BENCH_LOAD_SYMBOL_H

#include <dlfcn.h>

namespace gr {
namespace gpufft {

// False if the library has no symbol of that name.
template <class Function>
bool load_symbol(void* handle, const char* name, Function*& function)
{
    function = reinterpret_cast<Function*>(dlsym(handle, name));
    return function != nullptr;
}

} // namespace gpufft
} // namespace gr

#endif
