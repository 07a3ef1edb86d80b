# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DSOURCE=... -DFOLDER=... -DCOMPILER=clang++ -P build.cmake: builds the fuzzers.

execute_process(
    COMMAND ${CMAKE_COMMAND} --preset fuzz -S ${SOURCE} -B ${FOLDER}
            -DCMAKE_CXX_COMPILER=${COMPILER}
    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target fuzzers
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB fuzzers RELATIVE ${SOURCE}/tests/fuzz/seeds ${SOURCE}/tests/fuzz/seeds/*)
foreach(name IN LISTS fuzzers)
    file(MAKE_DIRECTORY ${FOLDER}/corpus_${name})
endforeach()
