# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds a target with a preset of CMakePresets.json in a folder of its own:
#   cmake -DSOURCE=... -DPRESET=fuzz -DTARGET=fuzzers -DFOLDER=... [-DCOMPILER=clang++] -P ...

set(options)
if(COMPILER)
    set(options -DCMAKE_CXX_COMPILER=${COMPILER})
endif()
execute_process(
    COMMAND ${CMAKE_COMMAND} --preset ${PRESET} -S ${SOURCE} -B ${FOLDER} ${options}
    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target ${TARGET}
                COMMAND_ERROR_IS_FATAL ANY)
