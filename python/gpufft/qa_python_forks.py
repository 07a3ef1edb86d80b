#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Children that fork() makes: they plan and compute beside a parent that plans, drop what
they inherit."""

import multiprocessing
import os
import signal
import threading

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_support import GpufftTestCase

HANG_GUARD = 120  # seconds, for a child that would never end


class qa_python_forks(GpufftTestCase):
    def setUp(self):
        super().setUp()
        gpufft.set_engine("cpu")
        self.x = self.complex_noise(64, 1000)

    def in_child(self, work):
        """The child's exit status: 0 if work() is true."""
        child = os.fork()
        if child == 0:
            signal.alarm(HANG_GUARD)
            os._exit(0 if work() else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_beside_a_thread_that_plans(self):
        stop = threading.Event()

        def keep_planning():
            n = 100
            while not stop.is_set():
                n = n + 1 if n < 400 else 100
                gpufft.plan(lengths=n, engine="cpu")

        planner = threading.Thread(target=keep_planning)
        planner.start()
        try:
            for n in range(10):
                x = self.x[0, : 300 + n]
                right = lambda: np.allclose(gpufft.fft(x), np.fft.fft(x), atol=1e-2)
                self.assertEqual(self.in_child(right), 0)
        finally:
            stop.set()
            planner.join()

    def test_inherited_plans_are_dropped(self):
        for threads in (1, 2, 8):
            plans = [gpufft.plan("c2c_forward_n1000_b64", engine="cpu", threads=threads)]
            expected = plans[0].execute(self.x)

            def drop():
                same = np.array_equal(plans[0].execute(self.x), expected)
                plans.clear()
                return same

            self.assertEqual(self.in_child(drop), 0)
            np.testing.assert_array_equal(plans[0].execute(self.x), expected)

    def test_inherited_plans_that_another_thread_used(self):
        for threads in (1, 2):
            plan = gpufft.plan("c2c_forward_n1000_b64", engine="cpu", threads=threads)
            expected = plan.execute(self.x)
            many = np.tile(self.x, (50, 1))
            stop = threading.Event()

            def keep_executing():
                while not stop.is_set():
                    plan.execute(many)

            def use():
                plan.describe()
                return np.array_equal(plan.execute(self.x), expected)

            worker = threading.Thread(target=keep_executing)
            worker.start()
            try:
                for _ in range(5):
                    self.assertEqual(self.in_child(use), 0)
            finally:
                stop.set()
                worker.join()

    def test_multiprocessing(self):
        plans = [gpufft.plan("c2c_forward_n1000_b64", engine="cpu", threads=4)]
        plans[0].execute(self.x)
        context = multiprocessing.get_context("fork")
        child = context.Process(target=plans.clear)
        child.start()
        child.join(HANG_GUARD)
        if child.is_alive():
            child.kill()
        self.assertEqual(child.exitcode, 0)


if __name__ == "__main__":
    gr_unittest.run(qa_python_forks)
