# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests that need a GPU: label `gpu`, and skipped where they did nothing. GoogleTest has then
# passed 0 tests and none has failed, or its environment has skipped all, which it then counts
# as passed; unittest has run none or skipped all.

set(GPUFFT_NOTHING_DONE "\\[  PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)*$"
    "Global test environment set-up\\.\n[^\n]*: Skipped\n"
    "Ran 0 tests in [^\n]*\n\nOK \\(skipped" "NO TESTS RAN \\(skipped")
foreach(n RANGE 1 60)
    list(APPEND GPUFFT_NOTHING_DONE "Ran ${n} tests? in [^\n]*\n\nOK \\(skipped=${n}\\)")
endforeach()

# Of tests of this folder.
function(set_gpu_tests)
    set_tests_properties(${ARGN} PROPERTIES LABELS gpu
        SKIP_REGULAR_EXPRESSION "${GPUFFT_NOTHING_DONE}")
endfunction()
