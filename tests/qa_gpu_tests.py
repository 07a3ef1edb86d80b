#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test with the label gpu is reported as skipped where it did nothing, only there."""

import json
import os
import re
import subprocess
import unittest

GOOGLETEST_ENDED = "[==========] 3 tests from 1 test suite ran. (5 ms total)\n"
SKIPPED = (
    GOOGLETEST_ENDED + "[  PASSED  ] 0 tests.\n[  SKIPPED ] 2 tests, listed below:\n"
    "[  SKIPPED ] A.Gpu\n[  SKIPPED ] B.Gpu\n",
    GOOGLETEST_ENDED + "[  PASSED  ] 0 tests.\n",
    "Ran 0 tests in 0.000s\n\nOK (skipped=1)\n",
    "Ran 7 tests in 0.100s\n\nOK (skipped=7)\n",
    "Ran 0 tests in 0.000s\n\nNO TESTS RAN (skipped=1)\n",
)
NOT_SKIPPED = (
    GOOGLETEST_ENDED + "[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test, listed below:\n"
    "[  SKIPPED ] A.Gpu\n",
    GOOGLETEST_ENDED + "[  PASSED  ] 10 tests.\n",
    GOOGLETEST_ENDED + "[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test, listed below:\n"
    "[  SKIPPED ] A.Gpu\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] B.Gpu\n",
    GOOGLETEST_ENDED + "[  PASSED  ] 0 tests.\n[  FAILED  ] 1 test, listed below:\n",
    "Ran 7 tests in 0.100s\n\nOK (skipped=6)\n",
    "Ran 17 tests in 0.100s\n\nOK (skipped=7)\n",
    "Ran 7 tests in 0.100s\n\nOK\n",
    "Ran 7 tests in 0.100s\n\nFAILED (failures=1, skipped=6)\n",
)


class QaGpuTests(unittest.TestCase):
    def test_all_that_need_a_gpu(self):
        command = ["ctest", "--show-only=json-v1", "-L", "gpu"]
        found = json.loads(
            subprocess.check_output(command, cwd=os.environ["GPUFFT_BUILD_DIR"])
        )["tests"]
        self.assertGreater(len(found), 20)
        for test in found:
            properties = {each["name"]: each["value"] for each in test["properties"]}
            with self.subTest(test=test["name"]):
                skips = properties["SKIP_REGULAR_EXPRESSION"]
                for text in SKIPPED:
                    self.assertTrue(any(re.search(each, text) for each in skips), text)
                for text in NOT_SKIPPED:
                    self.assertFalse(any(re.search(each, text) for each in skips), text)


if __name__ == "__main__":
    unittest.main()
