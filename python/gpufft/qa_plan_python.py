#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft.plan on numpy arrays, gpufft.problem, and what the machine offers."""

import itertools
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
from gnuradio import gpufft, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, PATIENCE, GpufftTestCase, engine_for


def make(text, **keywords):
    return gpufft.plan(text, engine=engine_for(gpufft.problem(text).n), **keywords)


class qa_plan_python(GpufftTestCase):
    def test_complex(self):
        x = self.complex_noise(3, 1000)
        forward = make("c2c_forward_n1000_b3").execute(x)
        self.assertEqual(forward.dtype, np.complex64)
        self.assert_close(forward, np.fft.fft(x))
        inverse = make("c2c_inverse_n1000_b3").execute(forward)
        self.assert_close(inverse, 1000 * x.astype(complex))

    def test_filters_that_turn(self):
        x = self.complex_noise(10)
        plan = make("filter_n1_b10_running_bins2")
        plan.set_rotations([(0, 0), (1 << 62, 1 << 63)])  # a quarter turn a sample
        turned = -x * 1j ** -np.arange(10)
        self.assert_close(plan.execute(x), np.stack([x, turned], axis=-1))
        self.assert_refuses(ValueError, ["1 rotations"], plan.set_rotations, [(0, 0)])

    def test_other_dtypes_and_orders(self):
        x = self.complex_noise(4, 30)
        plan = make("c2c_forward_n30_b4")
        for array in (
            x.astype(complex),
            np.asfortranarray(x),
            x.repeat(2, axis=1)[:, ::2],
        ):
            self.assert_close(plan.execute(array), np.fft.fft(x))
        self.assert_close(plan.execute(x.ravel()), np.fft.fft(x))
        self.assert_close(
            make("c2c_forward_n30_b4_real").execute(x.real), np.fft.fft(x.real)
        )

    def test_power(self):
        plan = make("c2c_forward_n64_b8_cs16_hop32_window_power_shiftout_avg3")
        plan.set_window("hann")
        items = self.random.integers(-32768, 32768, 2 * 64 * 9 + 10).astype(np.int16)
        x = (items[0::2] + 1j * items[1::2]) / 32768
        frames = (len(x) - 64) // 32 + 1
        cut = np.array([x[f * 32 : f * 32 + 64] for f in range(frames)])
        powers = np.abs(np.fft.fftshift(np.fft.fft(cut * window.hann(64)), axes=1)) ** 2
        rows = frames // 3
        result = plan.execute(items)
        self.assertEqual(result.dtype, np.float32)
        self.assert_close(result, powers[: 3 * rows].reshape(rows, 3, 64).mean(axis=1))
        plan.reset_average()
        plan.set_average(1)
        plan.set_hop(64)
        self.assert_close(plan.execute(items[: 2 * 64]), powers[:1])

    def test_too_few_samples_give_no_rows(self):
        self.assertEqual(
            make("c2c_forward_n8_b1").execute(self.complex_noise(7)).shape, (0, 8)
        )

    def test_bad_arrays(self):
        plan = make("c2c_forward_n8_b1")
        self.assert_refuses(
            ValueError, ["2 by 7", "by 8"], plan.execute, self.complex_noise(2, 7)
        )
        self.assert_refuses(
            ValueError, ["3 dimensions"], plan.execute, self.complex_noise(1, 1, 8)
        )
        self.assert_refuses(
            TypeError,
            ["int64", "int16"],
            make("c2c_forward_n8_b1_cs16").execute,
            np.arange(16),
        )

    def test_bad_problems(self):
        for text, words in [
            ("c2c_forward_n0_b1", ["0"]),
            ("c2c_forward_nope", ["nope"]),
            ("", []),
            ("c2c_sideways_n8_b1", ["sideways"]),
            ("c2c_forward_n8_b1_avg0_power", ["0"]),
            ("c2c_forward_n18000000000_b1", ["18000000000"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.plan, text)
        self.assert_refuses(
            ValueError, ["warp"], gpufft.plan, "c2c_forward_n8_b1", engine="warp"
        )
        self.assert_refuses(
            ValueError, ["-1"], gpufft.plan, "c2c_forward_n8_b1", threads=-1
        )
        for engine in ("auto", "cpu", "cuda"):
            for device in (-1, 1024):
                self.assert_refuses(
                    ValueError,
                    [f"device is {device}", "0 ... 1023"],
                    gpufft.plan,
                    "c2c_forward_n8_b1",
                    engine=engine,
                    device=device,
                )

    def test_bad_keywords(self):
        """None of them is taken for another, or for nothing."""
        for name in ("kind", "direction", "output", "stored", "norm", "detector", "hold"):
            for text in ("", "nosuch"):
                self.assert_refuses(
                    ValueError,
                    [name, f'"{text}"'],
                    gpufft.plan,
                    lengths=8,
                    **{name: text},
                )
            self.assert_refuses(TypeError, [name], gpufft.plan, lengths=8, **{name: 3})
        for orthogonalize in ("yes", "", [1]):
            self.assert_refuses(
                TypeError,
                ["orthogonalize", repr(orthogonalize)],
                gpufft.plan,
                kind="dct2",
                lengths=8,
                orthogonalize=orthogonalize,
            )
        for name, value, kind in [
            ("batch", -1, ValueError),
            ("hop", 2**70, ValueError),
            ("batch", 2.0, TypeError),
            ("output_strides", [-1], TypeError),
        ]:
            words = [f"{name} is {value}", "0 ... 2^64 - 1"]
            self.assert_refuses(kind, words, gpufft.plan, lengths=8, **{name: value})
        for lengths, words in [
            ([2] * 64, ["number of axes is 64", "3"]),
            ([2**16, 2**16, 2**32], ["2^34"]),
            ([2**62, 4], [f"length is {2**62}", "2^34"]),
            (2**40, [f"length is {2**40}", "2^34"]),
            ((2**20, 2**20), ["lengths is (1048576, 1048576)", "2^34"]),
            ([0, 5], ["length is 0"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.plan, lengths=lengths)
        for device, words in [
            ([], ["device is an empty list"]),
            ([0, 1, 1], ["device 1 comes twice"]),
            ([0, -1], ["device is -1", "1023"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.plan, lengths=8, device=device)
        for f_start in (1e300, -1e300, 2**20 + 1, float("nan")):
            self.assert_refuses(
                ValueError,
                ["f_start is", "-2^20 ... 2^20"],
                gpufft.plan,
                kind="zoom",
                lengths=8,
                f_start=f_start,
                f_stop=f_start,
            )

    def test_effort(self):
        x = self.complex_noise(2, 48)
        for effort in ("estimate", "measure"):
            plan = make("c2c_forward_n48_b2", effort=effort)
            self.assert_close(plan.execute(x), np.fft.fft(x))
            self.assertGreaterEqual(plan.scratch_bytes, 0)
        self.assert_refuses(
            ValueError,
            ["hurry", "estimate", "measure"],
            gpufft.plan,
            "c2c_forward_n8_b1",
            effort="hurry",
        )

    def test_algorithm(self):
        names = gpufft.algorithm_names()
        self.assertIn("stockham", names)
        text = f"c2c_forward_n16_b1_algorithm={names[0]}"
        self.assertEqual(gpufft.problem(text).algorithm, names[0])
        self.assertEqual(str(gpufft.problem(text)), text)
        self.assert_refuses(
            ValueError,
            ["abacus", "stockham"],
            gpufft.problem,
            "c2c_forward_n16_b1_algorithm=abacus",
        )

    def test_problem(self):
        text = "c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100"
        problem = gpufft.problem(text)
        self.assertEqual(str(problem), text)
        self.assertEqual(
            (
                problem.n,
                problem.batch,
                problem.hop,
                problem.average,
                problem.input,
                problem.window,
                problem.shift_output,
            ),
            (4096, 64, 2048, 100, "cs16", True, True),
        )
        self.assertEqual(str(gpufft.plan(problem, engine="cpu").problem), text)
        same = pickle.loads(pickle.dumps(problem))
        self.assertEqual(len({problem, same, gpufft.problem("c2c_forward_n4096")}), 2)
        self.assertNotEqual(problem, text)

    def test_threads_may_share_a_plan(self):
        plan = make("c2c_forward_n256_b32")
        x = self.complex_noise(32, 256)
        results = [None] * 4

        def transform(i):
            results[i] = plan.execute(x)

        workers = [threading.Thread(target=transform, args=(i,)) for i in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(PATIENCE)
        for result in results:
            self.assert_close(result, np.fft.fft(x))

    def test_a_setter_in_another_thread_acts_between_two_calls(self):
        """No call reads beyond its samples, which NaN follow here."""
        plan = make("c2c_forward_n64_b1_hop8")
        memory = np.full(100000, np.nan, np.complex64)
        memory[:5000] = 1
        finished = threading.Event()

        def change():
            for hop in itertools.cycle((512, 8)):
                plan.set_hop(hop)
                self.assertIn(plan.problem.hop, (512, 8))
                if finished.is_set():
                    break

        changer = threading.Thread(target=change)
        changer.start()
        try:
            rows = [plan.execute(memory[:5000]) for _ in range(3000)]
        finally:
            finished.set()
            changer.join(PATIENCE)
        for each in rows:
            self.assertIn(len(each), (10, 618))
            np.testing.assert_array_equal(each[:, 0], 64)

    def test_says_what_runs(self):
        plan = make("c2c_forward_n64_b3")
        self.assertEqual(plan.engine, "cuda" if ENGINE == "cuda" else "cpu")
        self.assertIn("64", plan.describe())
        self.assertTrue(plan.engine_reason)

    def test_machine(self):
        status = gpufft.query_cuda()
        self.assertEqual(
            set(status),
            {"built", "usable", "reason", "driver", "nvrtc", "nvrtc_file", "devices"},
        )
        self.assertEqual(status["usable"], status["reason"] == "")
        self.assertRegex(gpufft.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(gpufft.cache_directory(), os.environ["GPUFFT_CACHE_DIR"])

    def test_import_needs_no_cuda_library(self):
        """The module links to none; driver and NVRTC are opened at run time."""
        code = (
            "from gnuradio import gpufft; "
            "print([l for l in open('/proc/self/maps') if 'libcuda' in l or 'nvrtc' in l])"
        )
        loaded = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        self.assertEqual(loaded.stdout.strip(), "[]")


if __name__ == "__main__":
    gr_unittest.run(qa_plan_python)
