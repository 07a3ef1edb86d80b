#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages whose figures come from older kernels say so: where README.md or a page of docs names a
commit whose kernels, problems, planner or engine differ from these, the paragraph (or the row of
a table) has the words "older kernels". Results of the CPU alone, whose CSV begins "# cpu:", are
left out. Comments and line breaks do not count."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import gpu_suite

WORDS = "older kernels"
HASH = re.compile(r"\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}\b")
LINK = re.compile(r"\[[^\]]*\]\(([^)]*\.csv)\)")


def git(project, *words):
    """(status, stdout as bytes)."""
    done = subprocess.run(
        ["git", "-C", project, *words], capture_output=True, check=False
    )
    return done.returncode, done.stdout


def can_tell(project):
    """Whether there is a repository with its history."""
    if shutil.which("git") is None or not (project / ".git").exists():
        return False
    return git(project, "rev-parse", "--is-shallow-repository") == (0, b"false\n")


def hash_at(project, commit):
    """Of the sources at a commit; empty if it had other folders; None if it is no commit."""
    if git(project, "cat-file", "-e", f"{commit}^{{commit}}")[0]:
        return None
    status, archive = git(project, "archive", commit, "--", *gpu_suite.KERNELS)
    if status:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        return gpu_suite.hash_of_sources(Path(folder), gpu_suite.KERNELS)


def paragraphs(text):
    """What stands between empty lines, tables by their rows."""
    for part in re.split(r"\n\s*\n", text):
        yield from part.splitlines() if part.startswith("|") else [part]


def is_of_a_cpu(page, link):
    """Whether a CSV has no kernels in it."""
    path = page.parent / link
    return path.is_file() and path.read_text(encoding="utf-8").startswith("# cpu:")


def complaints(project):
    """["page: commit"] of those that are older and do not say so."""
    now = gpu_suite.hash_of_sources(project, gpu_suite.KERNELS)
    hashes, found = {}, []
    for page in [project / "README.md", *sorted((project / "docs").glob("*.md"))]:
        for part in paragraphs(page.read_text(encoding="utf-8")):
            text = LINK.sub(
                lambda link, page=page: "" if is_of_a_cpu(page, link[1]) else link[0],
                part,
            )
            for commit in HASH.findall(text):
                if commit not in hashes:
                    hashes[commit] = hash_at(project, commit)
                if hashes[commit] not in (None, now) and WORDS not in " ".join(
                    part.split()
                ):
                    found.append(f"{page.relative_to(project)}: {commit}")
    return found


class QaPages(unittest.TestCase):
    def test_figures_of_older_kernels_are_called_so(self):
        if not can_tell(gpu_suite.PROJECT):
            self.skipTest("no repository with its history here")
        self.assertEqual(complaints(gpu_suite.PROJECT), [])


@unittest.skipIf(shutil.which("git") is None, "no git")
class QaComplaints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name)
        for name in gpu_suite.KERNELS:
            (self.project / name).mkdir(parents=True)
            (self.project / name / "a.cc").write_text(f"int {Path(name).name};\n")
        (self.project / "docs/results").mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        git(self.project, "init", "-q")
        self.commit = self.make_commit()

    def make_commit(self):
        """A commit of everything; its short name, with a letter and a digit."""
        while True:
            git(self.project, "add", "-A")
            identity = ("-c", "user.name=x", "-c", "user.email=x@localhost")
            words = ("commit", "-q", "--allow-empty", "-m", "x")
            self.assertEqual(git(self.project, *identity, *words)[0], 0)
            name = (
                git(self.project, "rev-parse", "--short=12", "HEAD")[1].decode().strip()
            )
            if HASH.fullmatch(name):
                return name

    def change_a_kernel(self):
        (self.project / "kernels/a.cc").write_text("int other;\n")

    def write(self, text):
        (self.project / "docs/page.md").write_text(text)

    def test_a_commit_with_these_kernels(self):
        self.write(f"42 GFLOPS at {self.commit}.\n")
        (self.project / "kernels/a.cc").write_text("int   kernels; // a comment\n")
        self.assertEqual(complaints(self.project), [])

    def test_a_commit_with_other_kernels(self):
        self.change_a_kernel()
        self.write(f"42 GFLOPS at\n{self.commit}.\n\nNothing about older kernels here.\n")
        self.assertEqual(complaints(self.project), [f"docs/page.md: {self.commit}"])
        self.write(f"42 GFLOPS at {self.commit}, older\nkernels.\n")
        self.assertEqual(complaints(self.project), [])

    def test_every_folder_counts_and_others_do_not(self):
        self.write(f"42 GFLOPS at {self.commit}.\n")
        (self.project / "lib/other.cc").write_text("int x;\n")
        self.assertEqual(complaints(self.project), [])
        for name in gpu_suite.KERNELS:
            path = self.project / name / "b.cc"
            path.write_text("int y;\n")
            self.assertEqual(len(complaints(self.project)), 1, name)
            path.unlink()

    def test_rows_of_a_table_speak_for_themselves(self):
        self.change_a_kernel()
        self.write(
            f"| a |\n| --- |\n| {self.commit}, older kernels |\n| {self.commit} |\n"
        )
        self.assertEqual(len(complaints(self.project)), 1)

    def test_results_of_the_cpu_are_left_out(self):
        self.change_a_kernel()
        (self.project / "docs/results/x.csv").write_text("# cpu: some\nn\n1\n")
        (self.project / "docs/results/y.csv").write_text("# card: some\nn\n1\n")
        self.write(
            f"[x, {self.commit}](results/x.csv)\n\n[y, {self.commit}](results/y.csv)\n"
        )
        self.assertEqual(len(complaints(self.project)), 1)

    def test_other_words_of_these_letters(self):
        self.change_a_kernel()
        self.write("deadbeef1 is no commit, and 12345678 no word.\n")
        self.assertEqual(complaints(self.project), [])

    def test_commits_from_before_the_folders(self):
        shutil.rmtree(self.project / "lib/engine")
        old = self.make_commit()
        (self.project / "lib/engine").mkdir()
        self.write(f"42 GFLOPS at {old}.\n")
        self.assertEqual(complaints(self.project), [f"docs/page.md: {old}"])


if __name__ == "__main__":
    unittest.main()
