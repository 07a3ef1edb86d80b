#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of the GPU suite, docs/results/gpu_suite_*.txt, belong to these sources; and what
gpu_suite.py makes of ctest's and compute-sanitizer's output."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gpu_sanitizer
import gpu_suite

JUNIT = """<?xml version="1.0"?><testsuite name="x" tests="3">
<testcase name="qa_a_gpu" status="run"><system-out>fine
[  SKIPPED ] Cards/Edges.TwoCards/1 (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Cards/Edges.TwoCards/1
test_two (__main__.QaCards.test_two) ... skipped 'one card'</system-out></testcase>
<testcase name="qa_b_gpu" status="fail"><failure message=""/><system-out/></testcase>
<testcase name="qa_c_gpu" status="notrun"><skipped message=""/><system-out>
a.cc:7: Skipped
no card

[  SKIPPED ] A.B (0 ms)</system-out></testcase></testsuite>"""

SANITIZER = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 8 bytes
=========     at gr::gpufft::kernels::tensor_kernel<tensor_shape<128, 16>>(load)+0x4d0
=========     by thread (65,0,0) in block (0,0,0)
========= Invalid __global__ read of size 8 bytes
=========     at void gr::gpufft::kernels::tensor_kernel<tensor_shape<128, 16>>(load)+0x4d0
========= Host API memory access error at host access to 0x7fcdd0a80400 of size 8 bytes
=========     Saved host backtrace up to driver entry point at error
========= Internal Sanitizer Error: Detected a failure to track a kernel launch.
========= Program hit CUDA_ERROR_OUT_OF_MEMORY (error 2) due to "out of memory" on CUDA API call.
========= ERROR SUMMARY: 3 errors
"""


class QaRecords(unittest.TestCase):
    def test_records_belong_to_these_sources(self):
        records = sorted((gpu_suite.PROJECT / "docs/results").glob("gpu_suite_*.txt"))
        if not records:
            self.skipTest("no record of the GPU suite yet")
        for path in records:
            with self.subTest(record=path.name):
                self.assertEqual(gpu_suite.complaints(path.read_text()), [])


class QaComplaints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name)
        for name in gpu_suite.FOLDERS:
            (self.project / name).mkdir(parents=True)
            (self.project / name / "a.cc").write_text(name)

    def git(self, *words):
        identity = ("-c", "user.name=x", "-c", "user.email=x@localhost")
        return subprocess.run(
            ["git", "-C", self.project, *identity, *words],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    def record(self, commit="0123456789ab", failed=0, more=""):
        return (
            f"commit: {commit}\nsources: {gpu_suite.hash_of_sources(self.project)}\n"
            f"tests: 5\nfailed: {failed}\n{more}\n"
        )

    def complaints(self, text):
        return gpu_suite.complaints(text, self.project)

    def test_a_record_of_these_sources(self):
        self.assertEqual(self.complaints(self.record()), [])

    def test_each_folder_counts(self):
        text = self.record()
        for name in gpu_suite.FOLDERS:
            path = self.project / name / "a.cc"
            path.write_text("other")
            self.assertRegex(self.complaints(text)[0], "here,.*there")
            path.write_text(name)
            path.rename(path.with_name("b.cc"))
            self.assertNotEqual(self.complaints(text), [])
            path.with_name("b.cc").rename(path)
        (self.project / "kernels/a.cc.orig").write_text("an editor's")
        (self.project / "kernels/a.cc").write_text('// a "comment"\n  kernels /* one\n */ // more\n\n')
        self.assertEqual(self.complaints(text), [])

    def test_a_text_with_slashes_is_code(self):
        text = self.record()
        (self.project / "kernels/a.cc").write_text('kernels "//"')
        self.assertNotEqual(self.complaints(text), [])
        (self.project / "kernels/a.cc").write_text('kernels R"X(//\n")X"')
        raw = self.record()
        (self.project / "kernels/a.cc").write_text('kernels R"X(// other\n")X"')
        self.assertNotEqual(self.complaints(raw), [])
        (self.project / "kernels/a.cc").write_text("kernels")
        self.assertEqual(self.complaints(text), [])

    def test_failed_tests(self):
        self.assertRegex(self.complaints(self.record(failed=2))[0], "2 of 5 tests failed")

    def test_a_test_skipped_without_a_reason(self):
        text = self.record(more="    skipped qa_x_gpu: no reason given")
        self.assertEqual(
            self.complaints(text), ["qa_x_gpu was skipped without a reason"]
        )
        self.assertEqual(self.complaints(text.replace("no reason given", "no card")), [])

    def test_what_is_open_is_allowed(self):
        text = self.record(failed=2, more="open: kernels of issue 18")
        (self.project / "kernels/a.cc").write_text("other")
        self.assertEqual(self.complaints(text), [])
        self.assertNotEqual(self.complaints(text.replace("kernels of issue 18", "")), [])

    def test_a_record_without_facts(self):
        self.assertRegex(self.complaints("commit: 1\n")[0], "failed, sources, tests")

    @unittest.skipUnless(shutil.which("git"), "no git")
    def test_the_commit_is_an_ancestor(self):
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        first = self.git("rev-parse", "HEAD")
        self.git("commit", "-q", "--allow-empty", "-m", "second")
        self.assertEqual(self.complaints(self.record(first)), [])
        self.git("checkout", "-q", "--orphan", "other")
        self.git("commit", "-q", "-m", "other")
        self.assertRegex(self.complaints(self.record(first))[0], "no ancestor")
        what_is_open = self.record(first, more="open: another card")
        self.assertRegex(self.complaints(what_is_open)[0], "no ancestor")
        # A clone without the history cannot tell.
        self.git("commit", "-q", "--allow-empty", "-m", "another")
        shallow = self.project / "clone"
        subprocess.run(
            ["git", "clone", "-q", "--depth", "1", f"file://{self.project}", shallow],
            check=True,
        )
        self.assertIsNone(gpu_suite.is_ancestor(first, shallow))


class QaOutput(unittest.TestCase):
    def test_results_of_ctest(self):
        self.assertEqual(
            gpu_suite.results_of(JUNIT),
            [
                ("qa_a_gpu", "passed", ""),
                ("qa_b_gpu", "failed", ""),
                ("qa_c_gpu", "skipped", "no card"),
            ],
        )

    def test_cases_skipped_in_a_test_that_passed(self):
        self.assertEqual(
            gpu_suite.skipped_cases(JUNIT),
            [
                "qa_a_gpu: Cards/Edges.TwoCards/1",
                "qa_a_gpu: test_two (__main__.QaCards.test_two)",
            ],
        )

    def test_reasons_of_unittest(self):
        for text in ("test_x ... skipped 'no card'", 'skipped "no card"'):
            self.assertEqual(gpu_suite.reason_of(text), "no card")
        self.assertEqual(gpu_suite.reason_of("OK (skipped=3)"), "no reason given")

    def test_tests_without_a_reason_are_asked_again(self):
        programs = {
            "of_a_class": "@unittest.skip('no Chromium')\nclass A(unittest.TestCase):\n"
            "    def test(self): pass\nunittest.main()",
            "of_a_set_up": "class A(unittest.TestCase):\n    @classmethod\n"
            "    def setUpClass(cls): raise unittest.SkipTest(beside.WHY)\n"
            "    def test(self): pass\nunittest.main()",
            "of_none": "print('no unittest')",
        }
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "beside.py").write_text("import os\nWHY = os.environ['WHY']")
            tests = []
            for program, text in programs.items():
                script = folder / f"{program}.py"
                script.write_text(f"import beside, unittest\n{text}\n")
                tests.append(
                    f"add_test({program} {sys.executable} {script})\n"
                    f'set_tests_properties({program} PROPERTIES ENVIRONMENT "WHY=no card")\n'
                )
            (folder / "CTestTestfile.cmake").write_text("".join(tests))
            silent = [(program, "skipped", "no reason given") for program in programs]
            others = [("qa_c", "skipped", "no screen"), ("qa_d", "passed", "")]
            self.assertEqual(
                gpu_suite.with_reasons(silent + others, folder),
                [
                    ("of_a_class", "skipped", "no Chromium"),
                    ("of_a_set_up", "skipped", "no card"),
                    ("of_none", "skipped", "no reason given"),
                    *others,
                ],
            )

    def test_findings_of_compute_sanitizer(self):
        self.assertEqual(
            gpu_sanitizer.findings_of(SANITIZER),
            {
                "Invalid __global__ read at tensor_kernel": 2,
                "Host API memory access error": 1,
                "Internal Sanitizer Error": 1,
                "Program hit CUDA_ERROR_OUT_OF_MEMORY": 1,
            },
        )


if __name__ == "__main__":
    unittest.main()
