# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes OUTPUT, a C++ source that holds the text of every file in FILES (a ; list of paths
# below FOLDER), for NVRTC:
#   cmake -DOUTPUT=x.cc -DFOLDER=kernels "-DFILES=load.cuh;real/real.cuh" -P embed_kernels.cmake

set(entries "")
foreach(name IN LISTS FILES)
    file(READ ${FOLDER}/${name} text)
    string(APPEND entries "    { \"${name}\",\n      R\"KERNEL(${text})KERNEL\" },\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from kernels/ by cmake/embed_kernels.cmake.

#include \"engine/kernel_sources.h\"

namespace gr {
namespace gpufft {

const std::vector<kernel_source>& kernel_sources()
{
    static const std::vector<kernel_source> sources = {
${entries}    };
    return sources;
}

} // namespace gpufft
} // namespace gr
")
