#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes within the ranges that a process with 3 GiB cannot have: each block and plan refuses
them at once, in words, and the process lives."""

import subprocess
import sys
import unittest

GIB = 1 << 30
# Each as text, and the value that the message names.
CASES = (
    ("power_spectrum_cf(2**28)", 2**28),
    ("power_spectrum_cf(2**28, window=[])", 2**28),
    ("power_spectrum_sf(2**28, window='blackmanharris', average=9)", 2**28),
    ("power_spectrum_cf(2**28, input='f32', hop=1)", 2**28),
    ("power_spectrum_cf(2**27, density_columns=1024)", 2**27),
    ("logpwrfft_c(1.0, 2**28, 1, 1, 1, False)", 2**28),
    ("logpwrfft_f(1.0, 2**28, 1, 1, 1, False)", 2**28),
    ("fft_vcc(2**28 - 1, True, [])", 2**28 - 1),
    ("fft_vcc(2**28 - 1, True, 'hann')", 2**28 - 1),
    ("fft_vfc(2**30, False, ('kaiser', 900), vlen=1)", 2**30),
    ("fft_vcc(2**30, True, [], vlen=1)", 2**30),
    ("rfft_vfc(2**28, 'hann')", 2**28),
    ("rfft_vfc(2**29 - 2, vlen=1)", 2**29 - 2),
    ("irfft_vcf(2**30, vlen=1)", 2**30),
    ("dct_vff(2**29 - 1)", 2**29 - 1),
    ("dst_vff(2**29 - 1, type=4)", 2**29 - 1),
    ("fft2d_vcc(2**14, 2**14 - 1, True, 'hann')", 2**14 * (2**14 - 1)),
    ("fft2d_vcc(1, 2**28 - 1, True)", 2**28 - 1),
    ("zoom_fft_vcc(1024, 2**27, 0.1, 0.2)", 2**27),
    ("zoom_fft_vcc(2**27, 1024, 0.1, 0.2, 'hann')", 2**27),
    ("pfb_channelizer_ccf(2**27, [1.0] * 9)", 2**27),
    ("pfb_channelizer_ccf(2**27, [1.0] * 9, vlen=2**27)", 2**27),
    ("pfb_synthesizer_ccf(2**27, [1.0] * 9)", 2**27),
    ("pfb_synthesizer_ccf(2**27, [1.0] * 9, vlen=2**27)", 2**27),
    ("power_spectrum_cf(2**24, average=9, nthreads=64, window=[])", 2**24),
    ("spectrum_view(2**28)", 2**28),
    ("fft_pdu(2**30)", 2**30),
    ("fft_pdu(2**30, window='hann')", 2**30),
    ("plan('c2c_forward_n1073741824_b1')", 2**30),
    ("plan('c2c_forward_n1073741823_b1_f64')", 2**30 - 1),
    ("plan('c2r_n1073741824_b1')", 2**30),
    ("plan('dct1_n1073741824_b1')", 2**30),
    ("plan('zoom_n1000_bins1073740824')", 1073740824),
    ("plan('c2c_forward_n1x1x1073741824_b1')", 2**30),
)
PROGRAM = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))  # seconds of all cases together
from gnuradio import gpufft
resource.setrlimit(resource.RLIMIT_AS, ({3 * GIB}, {3 * GIB}))
for case in sys.argv[1:]:
    print(case, end=": ", flush=True)
    try:
        eval("gpufft." + case)
        print("made")
    except Exception as error:
        print(type(error).__name__, error, flush=True)
print("mebibytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


class QaMemory(unittest.TestCase):
    def test_what_is_refused(self):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *(case for case, _ in CASES)],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        *lines, last = done.stdout.splitlines()
        self.assertEqual(len(lines), len(CASES), done.stdout)
        for (case, value), line in zip(CASES, lines):
            with self.subTest(case=case):
                text = line.removeprefix(f"{case}: ")
                memory = (
                    rf"MemoryError .*{value}(?!\d).*: needs [\d.]+ GiB of memory or more, "
                )
                streams = (
                    rf"ValueError number of streams .* is {value}: must be 1 \.\.\. 65536"
                )
                self.assertRegex(text, f"^({memory}|{streams})")
        # nothing of the size was written before it was refused
        self.assertLess(int(last.split()[1]), 1024, done.stdout)


if __name__ == "__main__":
    unittest.main()
