# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes OUTPUT, a C++ source with the function NAME() of lib/planner/embedded_files.h, which
# returns the text of every file in FILES (a ; list of paths below FOLDER):
#   cmake -DOUTPUT=x.cc -DNAME=kernel_sources -DFOLDER=kernels "-DFILES=load.cuh;real/real.cuh"
#         -P embed_files.cmake

set(entries "")
foreach(name IN LISTS FILES)
    file(READ ${FOLDER}/${name} text)
    string(APPEND entries "    { \"${name}\",\n      R\"EMBEDDED(${text})EMBEDDED\" },\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from ${FOLDER} by cmake/embed_files.cmake.

#include \"planner/embedded_files.h\"

namespace gr {
namespace gpufft {

const std::vector<embedded_file>& ${NAME}()
{
    static const std::vector<embedded_file> files = {
${entries}    };
    return files;
}

} // namespace gpufft
} // namespace gr
")
