#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gpufft command refuses bad input in one line: the value, and what is allowed."""

import io
import json
import os
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import numpy as np

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.main import main
from gnuradio.gpufft.cli.recording import open_recording


def sigmf(*captures, **facts):
    """Text of a .sigmf-meta file with these global facts (core: is put before)."""
    return json.dumps(
        {
            "global": {f"core:{name}": value for name, value in facts.items()},
            "captures": captures,
        }
    ).encode()


FILES = {
    "good.cf32": cli.encode(cli.tones(8192, (0.1,), (0.5,)), "cf32"),
    "empty.cu8": b"",
    "one.cs16": bytes(4),
    "part.cf32": bytes(7),
    "noname": bytes(4096),
    "nan.cf32": cli.encode(np.full(8192, np.nan + 0j), "cf32"),
    "text.sigmf-meta": b"no JSON",
    "list.sigmf-meta": b"[1, 2]",
    "bad.sigmf-meta": b'{"global": 3}',
    "type.sigmf-meta": sigmf(sample_rate=1e6),
    "type.sigmf-data": bytes(4096),
    "big.sigmf-meta": sigmf(sample_rate=1e6, datatype="cf16_be"),
    "big.sigmf-data": bytes(4096),
    "rate.sigmf-meta": sigmf(sample_rate="fast", datatype="ci8"),
    "rate.sigmf-data": bytes(4096),
    "zero.sigmf-meta": sigmf(sample_rate=0, datatype="ci8"),
    "zero.sigmf-data": bytes(4096),
    "nan.sigmf-meta": sigmf(sample_rate=float("nan"), datatype="ci8"),
    "nan.sigmf-data": bytes(4096),
    "alone.sigmf-meta": sigmf(sample_rate=1e6, datatype="ci8"),
    "head.sigmf-meta": sigmf({"core:header_bytes": 3.7}, datatype="ci8"),
    "head.sigmf-data": bytes(4096),
    "root.sigmf-meta": sigmf(dataset="/proc/self/exe", datatype="ci8"),
    "above.sigmf-meta": sigmf(dataset="../x/good.cf32", datatype="ci8"),
    "nul.sigmf-meta": sigmf(dataset="good.cf32\0", datatype="ci8"),
    "tone.sigmf-meta": sigmf(sample_rate=1e6, datatype="ci8"),
    "tone.sigmf-data": bytes(4096),
    "good.csv": b"# gpufft 0\n",
    "x.sigmf": bytes(1024),
    "noise.wav": bytes(range(256)),
    "short.wav": cli.wav(bytes(64), 1, 16, 2, 48000)[:30],
    "deep.wav": cli.wav(bytes(600), 1, 20, 2, 48000),
    "five.wav": cli.wav(bytes(600), 1, 16, 5, 48000),
}

# arguments after `spectrum`, exit status, what the line says
SPECTRUM_CASES = [
    (["nope.cf32"], 2, "nope.cf32 cannot be read: No such file"),
    (["."], 2, "is a directory"),
    (["empty.cu8"], 2, "empty.cu8 holds no samples: 0 bytes of cu8 (2 bytes a sample)"),
    (["part.cf32"], 2, "part.cf32 holds no samples: 7 bytes"),
    (["one.cs16"], 2, "1 sample is too short"),
    (["noname"], 2, "--format"),
    (["/proc/self/mem"], 2, "/proc/self/mem cannot be read: Input/output error"),
    (["good.cf32", "--format", "cq7"], 2, "'cq7' is unknown: use cf32, cs16"),
    (["text.sigmf-meta"], 2, "text.sigmf-meta is not SigMF metadata"),
    (["list.sigmf-meta"], 2, "no JSON object"),
    (["bad.sigmf-meta"], 2, "'global' is no object"),
    (["type.sigmf-meta"], 2, "has no core:datatype"),
    (["big.sigmf-meta"], 2, "'cf16_be' cannot be read: only cf32_le"),
    (["rate.sigmf-data"], 2, "core:sample_rate is 'fast', it must be a number"),
    (["zero"], 2, "core:sample_rate is 0, it must be at least"),
    (["nan"], 2, "core:sample_rate is nan, it must be a number"),
    (["alone"], 2, "alone.sigmf-data is missing"),
    (["x.sigmf"], 2, "unpack it first"),
    (["head"], 2, "core:header_bytes is 3.7, it must be a whole number"),
    (["root"], 2, "'/proc/self/exe', it must be the name of a file beside it"),
    (["above"], 2, "'../x/good.cf32', it must be the name of a file beside it"),
    (["nul"], 2, "it must be the name of a file beside it"),
    (["pipe"], 2, "pipe.sigmf-meta is a pipe or a device, not a recording"),
    (["noise.wav"], 2, "noise.wav is not a WAV file"),
    (["short.wav"], 2, "cut short or damaged"),
    (["deep.wav"], 2, "2 channels of 20 bits"),
    (["five.wav"], 2, "5 channels of 16 bits"),
    (["good.cf32", "--rate", "fast"], 2, "--rate 'fast' is not a number"),
    (["good.cf32", "--rate", "0"], 2, "--rate '0' must be greater than 0"),
    (["good.cf32", "--rate", "-2M"], 2, "--rate"),
    (["good.cf32", "--freq", "inf"], 2, "--freq 'inf' is not a number"),
    (["good.cf32", "--size", "1"], 2, "--size 1 is out of range: it must be 2 or more"),
    (["good.cf32", "--size", "4q"], 2, "--size '4q' is not a length"),
    (["good.cf32", "--size", "8193"], 2, "--size 8193 is more than the 8192 samples"),
    (["good.cf32", "--overlap", "1"], 2, "--overlap 1 is out of range: 0 <= overlap < 1"),
    (["good.cf32", "--overlap", "-0.5"], 2, "--overlap"),
    (["good.cf32", "--hop", "0"], 2, "--hop 0 is out of range: it must be 1 or more"),
    (["good.cf32", "--size", "64", "--hop", "65"], 2, "it must be 64 or less"),
    (
        ["good.cf32", "--hop", "9", "--overlap", "0"],
        2,
        "--hop and --overlap say the same",
    ),
    (["good.cf32", "--average", "0"], 2, "--average 0 is out of range"),
    (
        ["good.cf32", "--size", "4096", "--average", "4"],
        2,
        "--average 4 is more than the 3 frames",
    ),
    (["good.cf32", "--start", "1"], 2, "give the sample rate"),
    (["good.cf32", "--rate", "1k", "--start", "9"], 2, "which has 8.192 s"),
    (["good.cf32", "--rate", "1e18", "--start", "1e300"], 2, "is outside the recording"),
    (
        ["good.cf32", "--rate", "1e18", "--duration", "1e300", "--size", "8193"],
        2,
        "is more than the 8192 samples",
    ),
    (
        ["good.cf32", "--rate", "1k", "--duration", "0"],
        2,
        "--duration '0' must be greater",
    ),
    (["good.cf32", "--engine", "abacus"], 2, "abacus"),
    (["good.cf32", "--engine", "abacus"], 2, "auto"),
    (["good.cf32", "--window", "glass"], 2, "glass"),
    (["good.cf32", "--window", "glass"], 2, "hann"),
    (["good.cf32", "--device", "-1"], 2, "--device"),
    (["good.cf32", "--device", "1" + "0" * 30], 2, "1023 or less"),
    (["good.cf32", "--size", "1" + "0" * 30], 2, "or less"),
    (["good.cf32", "-o", "no/such/folder/x.png"], 2, "cannot be written: No such file"),
    (["good.cf32", "-o", "folder.png"], 2, "is a directory"),
    (["good.cf32", "-o", "x.jpg"], 2, "must end in .png"),
    (
        ["good.cf32", "--csv", "no/such/folder/x.csv"],
        2,
        "cannot be written: No such file",
    ),
    (["good.cf32", "--csv", "/dev/full"], 1, "/dev/full cannot be written: No space"),
    (["good.cf32", "--window", "kaiser:soft"], 2, "--window 'soft' is not a number"),
    (["good.cf32", "--window", "kaiser:nan"], 2, "--window 'nan' is not a number"),
    (["good.cf32", "--window", "kaiser:-1"], 2, "'kaiser' has beta -1: must be 0 ... "),
    (["good.cf32", "--window", "kaiser"], 2, "parameter beta, as in kaiser:0.5\n"),
    (["good.cf32", "--size", "2"], 2, "--window hann is 0 at all 2 samples of a frame"),
    (["good.cf32", "--window", "kaiser:1e12"], 2, "'kaiser' with beta 1000000000000 has"),
    (["good.cf32", "--window", "tukey:1.5"], 2, "has alpha 1.5: must be 0 ... 1"),
    (["good.cf32", "--window", "hann:5"], 2, "'hann' has no parameter, but 5 is given"),
    (["good.cf32", "--colour", "red"], 2, "--colour red (see: gpufft spectrum --help)"),
    ([], 2, "required: file"),
    (["nan.cf32"], 1, "rows has NaN or Inf"),
]

# whole command lines whose output is a file that they read, or another output
SAME_FILES = [
    ["spectrum", "good.cf32", "--csv", "good.cf32"],
    ["spectrum", "good.cf32", "--csv", "./folder.png/../good.cf32"],
    ["spectrum", "good.cf32", "--csv", "symbolic.png"],
    ["spectrum", "good.cf32", "--csv", "hard.cf32"],
    ["spectrum", "good.cf32", "-o", "symbolic.png"],
    ["spectrum", "symbolic.png", "--format", "cf32", "--csv", "good.cf32"],
    ["spectrum", "tone", "--csv", "tone.sigmf-data"],
    ["spectrum", "tone", "--csv", "tone.sigmf-meta"],
    ["spectrum", "good.cf32", "-o", "a.png", "--csv", "a.png"],
    ["spectrum", "good.cf32", "-o", "a.png", "--csv", "folder.png/../a.png"],
    ["spectrum", "good.cf32", "-o", "dangling.png", "--csv", "new.csv"],
    ["verify", "--from", "nan.cf32,good.csv", "--csv", "good.csv"],
    ["verify", "--from", "symbolic.png", "--plot", "symbolic.png"],
    ["verify", "--lengths", "8", "--plot", "a.png", "--csv", "a.png"],
    ["bench", "--from", "symbolic.png", "--plot", "symbolic.png"],
    ["bench", "c2c_forward_n8_b1", "--csv", "a.png", "--plot", "a.png"],
]

# whole command lines of the others, exit status, what the line says
OTHER_CASES = [
    (["bench", "--from", "good.cf32"], 2, "--from CSV goes with --plot PNG"),
    (
        ["bench", "--from", "no.csv", "--plot", "x.png"],
        2,
        "no.csv cannot be read: No such",
    ),
    (["bench", "--from", "good.cf32", "--plot", "x.png"], 2, "good.cf32 cannot be read"),
    (["bench", "--from", "list.sigmf-meta", "--plot", "x.png"], 2, "holds no times"),
    (["bench", "--from", "x.csv", "--plot", "x.jpg"], 2, "must end in .png"),
    (["bench", "--experiment", "moon"], 2, "'moon'"),
    (["bench", "--experiment", "moon", "--plot", "x.png"], 2, "--experiment takes no"),
    (["verify", "--engine", "abacus"], 2, "'abacus' is unknown: use auto, cuda, cpu"),
    (
        ["verify", "--lengths", "0"],
        2,
        "--lengths 0 is out of range: it must be 1 or more",
    ),
    (["verify", "--lengths", "8-4"], 2, "--lengths 4 is out of range: it must be 8"),
    (["verify", "--lengths", "8,x"], 2, "--lengths 'x' is not a whole number"),
    (["verify", "--lengths", "1-200000"], 2, "more than 100000 lengths"),
    (["verify", "--lengths", "8", "--chirp"], 2, "holds no prime"),
    (["verify", "--sample", "0"], 2, "--sample 0 is out of range"),
    (["verify", "--jobs", "-1"], 2, "--jobs -1 is out of range"),
    (["verify", "--device", "-1"], 2, "--device"),
    (["verify", "--chirp", "--engine", "cpu"], 2, "it has no --engine cpu"),
    (["verify", "--plot", "x.jpg"], 2, "must end in .png"),
    (["verify", "--algorithm", "abacus"], 2, "'abacus' is unknown: use stockham"),
    (["verify", "--algorithm", "rader", "--engine", "cpu"], 2, "it has no --engine cpu"),
    (["advise"], 2, "required: SIZE, RATE"),
    (["advise", "1024"], 2, "required: RATE"),
    (["advise", "4q", "1M"], 2, "SIZE '4q' is not a length: write it like 1024, 64k"),
    (["advise", "0", "1M"], 2, "SIZE 0 is out of range: it must be 1 or more"),
    (["advise", "2G", "1M"], 2, "SIZE 2147483648 is out of range"),
    (["advise", "c2c_sideways_n8_b1", "1M"], 2, "sideways"),
    (["advise", "1024", "fast"], 2, "RATE 'fast' is not a number"),
    (["advise", "1024", "0sps"], 2, "RATE '0sps' must be greater than 0"),
    (["advise", "1024", "1M", "--threads", "2000"], 2, "--threads 2000 is out of range"),
    (["advise", "1024", "1M", "--device", "-1"], 2, "--device"),
    (["advise", "1024", "1M", "--csv", "folder.png"], 2, "is a directory"),
    (["tune"], 2, "no problem to measure"),
    (["tune", "c2c_forward_n0_b1"], 2, "0"),
    (["tune", "--family", "nope"], 2, "there is no list 'nope': use board, pow2_small"),
    (["tune", "--board", "--elements", "x"], 2, "--elements 'x' is not a whole number"),
    (["tune", "c2c_forward_n8_b1", "--elements", "9"], 2, "--elements goes with --board"),
    (["tune", "--board", "--rows", "9"], 2, "--rows goes with --random SEED only"),
]
NEED_CUDA = [
    ["spectrum", "good.cf32", "--engine", "cuda"],
    ["verify", "--engine", "cuda"],
    ["verify", "--chirp"],
    ["verify", "--algorithm", "stockham"],
    ["tune", "c2c_forward_n8_b1"],
]


class QaCliInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, data in FILES.items():
            (self.folder / name).write_bytes(data)
        (self.folder / "folder.png").mkdir()
        (self.folder / "symbolic.png").symlink_to("good.cf32")
        (self.folder / "dangling.png").symlink_to("new.csv")
        (self.folder / "hard.cf32").hardlink_to(self.folder / "good.cf32")
        os.mkfifo(self.folder / "pipe.sigmf-meta")

    def check(self, arguments, status, text):
        """One line on stderr with `text` in it, nothing on stdout, no file left."""
        before = sorted(os.listdir(self.folder))
        done = gpufft(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("gpufft: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        for name, data in FILES.items():
            self.assertEqual((self.folder / name).read_bytes(), data)

    def test_spectrum(self):
        for arguments, status, text in SPECTRUM_CASES:
            with self.subTest(arguments=arguments):
                self.check(["spectrum", *arguments], status, text)

    def test_outputs_are_neither_inputs_nor_each_other(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        before = sorted(os.listdir())
        for arguments in SAME_FILES:
            with self.subTest(arguments=arguments):
                with redirect_stderr(io.StringIO()) as said:
                    self.assertEqual(main(arguments), 2)
                line = ", which the command reads or writes, too\n"
                self.assertTrue(said.getvalue().endswith(line), said.getvalue())
                self.assertEqual(sorted(os.listdir()), before)
                for name, data in FILES.items():
                    self.assertEqual(Path(name).read_bytes(), data)

    def test_outputs_that_replace_nothing_may_be_the_same(self):
        both = ("--csv", "/dev/null", "-o", "a.png")
        done = gpufft("spectrum", "good.cf32", *both, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_names_with_a_nul(self):
        with self.assertRaisesRegex(InputError, "cannot be read: embedded null"):
            open_recording("a\0b.cf32")

    def test_others(self):
        for arguments, status, text in OTHER_CASES:
            with self.subTest(arguments=arguments):
                self.check(arguments, status, text)

    def test_command(self):
        self.check([], 2, "required: COMMAND")
        self.check(["paint"], 2, "'paint'")

    def test_cuda_that_is_not_there(self):
        information = json.loads(gpufft("info", "--json", cwd=self.folder).stdout)
        if information["engines"]["cuda"]["usable"]:
            self.skipTest("there is a GPU here")
        for arguments in NEED_CUDA:
            with self.subTest(arguments=arguments):
                self.check(arguments, 1, "cuda cannot be used")

    @unittest.skipIf(os.geteuid() == 0, "root may read and write everything")
    def test_permissions(self):
        (self.folder / "good.cf32").chmod(0)
        self.check(["spectrum", "good.cf32"], 2, "Permission denied")

    def test_help_and_version(self):
        for arguments, text in (
            (["--help"], "spectrum"),
            (["spectrum", "--help"], "--overlap"),
            (["advise", "--help"], "--measure"),
            (["bench", "--help"], "--board"),
            (["verify", "--help"], "--chirp"),
            (["tune", "--help"], "--family"),
            (["info", "--help"], "--json"),
            (["--version"], "gpufft "),
        ):
            done = gpufft(*arguments, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(text, done.stdout)

    def test_info(self):
        done = gpufft("info", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        facts = json.loads(gpufft("info", "--json", cwd=self.folder).stdout)
        self.assertTrue(facts["engines"]["cpu"]["usable"])
        cuda = facts["engines"]["cuda"]
        self.assertEqual(cuda["usable"], cuda["reason"] == "")
        self.assertEqual(cuda["usable"], facts["cards"] != [])
        self.assertRegex(facts["versions"]["GNU Radio"], r"^3\.10")
        if facts["versions"]["NVRTC"]:
            version, word, file = facts["versions"]["NVRTC"].split(" ", 2)
            self.assertRegex(f"{version} {word}", r"^\d+\.\d+ in$")
            self.assertTrue(Path(file).is_file(), file)
            self.assertTrue(Path(file).name.startswith("libnvrtc.so"), file)
            self.assertIn(f"NVRTC        {version} in {file}\n", done.stdout)
        self.assertRegex(facts["versions"]["FFTW"], r"^fftw-3\.")
        self.assertRegex(facts["versions"]["VOLK"], r"^\d")
        for text in (
            facts["gpufft"],
            facts["versions"]["VOLK machine"],
            cuda["reason"],
            facts["cache"]["directory"],
        ):
            self.assertIn(text, done.stdout)

    def test_the_cache_is_shown_and_emptied(self):
        cache = self.folder / "cache"
        recording = ("spectrum", "good.cf32", "--size", "1024", "-o", "x.png")
        with mock.patch.dict(os.environ, GPUFFT_CACHE_DIR=str(cache)):
            gpufft(*recording, "--engine", "cpu", cwd=self.folder)
            self.assertEqual(cache.stat().st_mode & 0o777, 0o700)
            (cache / "foreign").write_bytes(b"stays")
            shown = json.loads(gpufft("info", "--json", cwd=self.folder).stdout)["cache"]
            self.assertEqual((shown["directory"], shown["reason"]), (str(cache), ""))
            self.assertGreater(shown["bytes"], 0)
            done = gpufft("info", "--clear-cache", "--json", cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            done = gpufft("info", "--clear-cache", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"removed from {cache}: 0 kernels", done.stdout)
            self.assertEqual(os.listdir(cache), ["foreign"])

            cache.chmod(0o777)
            reason = f"the cache {cache} is not used: others may write it (mode 0777)"
            done = gpufft("info", cwd=self.folder)
            self.assertIn(f"({reason})", done.stdout)
            self.assertEqual((done.returncode, done.stderr), (0, f"gpufft: {reason}\n"))
            self.assertEqual(
                gpufft("info", "--clear-cache", cwd=self.folder).returncode, 1
            )
            done = gpufft(*recording, "--engine", "cpu", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, f"gpufft: {reason}\n"))
            self.assertEqual(os.listdir(cache), ["foreign"])
            done = gpufft("analyzer", "--screenshot", "y.png", cwd=self.folder)
            self.assertIn("there is no place for the built-in scene", done.stderr)


if __name__ == "__main__":
    unittest.main()
