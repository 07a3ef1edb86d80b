#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plans that gpufft's functions keep, and threads that share them."""

import threading
import time

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_support import PATIENCE, GpufftTestCase


class qa_plan_cache(GpufftTestCase):
    def setUp(self):
        super().setUp()
        gpufft.set_engine("cpu")
        gpufft.set_plan_cache_size(128)
        gpufft.clear_plan_cache()

    def test_counts(self):
        x = self.complex_noise(100)
        for _ in range(3):
            gpufft.fft(x)
        gpufft.fft(x[:99])
        info = gpufft.plan_cache_info()
        self.assertEqual((info["plans"], info["hits"], info["misses"]), (2, 2, 2))
        problems = [each["problem"] for each in info["recent"]]
        self.assertEqual(problems, ["c2c_forward_n99_b1", "c2c_forward_n100_b1"])
        self.assertEqual({each["engine"] for each in info["recent"]}, {"cpu"})

    def test_size(self):
        gpufft.set_plan_cache_size(2)
        for n in (4, 5, 4, 6):
            gpufft.fft(self.complex_noise(n))
        info = gpufft.plan_cache_info()
        self.assertEqual(info["capacity"], 2)
        self.assertEqual(
            [each["problem"] for each in info["recent"]],
            ["c2c_forward_n6_b1", "c2c_forward_n4_b1"],
        )
        gpufft.set_plan_cache_size(0)
        self.assertEqual(gpufft.plan_cache_info()["plans"], 0)
        gpufft.fft(self.complex_noise(4))
        gpufft.fft(self.complex_noise(4))
        self.assertEqual(gpufft.plan_cache_info()["hits"], 1)  # that of the loop

    def test_threads(self):
        """Many threads share the cache; every result is right."""
        arrays = [self.complex_noise(8, n) for n in (64, 100, 101)]
        expected = [np.fft.fft(x) for x in arrays]
        wrong = []

        def work(seed):
            for i in range(60):
                which = (seed + i) % len(arrays)
                result = gpufft.fft(arrays[which])
                if not np.allclose(result, expected[which], atol=1e-3):
                    wrong.append(which)
                if i % 20 == seed:
                    gpufft.clear_plan_cache()

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
            self.assertFalse(thread.is_alive())
        self.assertEqual(wrong, [])

    def test_gil_is_released(self):
        """Python goes on while another thread transforms."""
        x = self.complex_noise(256, 1 << 15)
        gpufft.fft(x)
        looks, rounds = [], 5  # of this thread, while the other one transforms

        def work():
            for _ in range(rounds):
                gpufft.fft(x)

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            looks.append(thread.ident)
            time.sleep(0.001)
        thread.join()
        # Were it held, there would be one after each transform.
        self.assertGreater(len(looks), 3 * rounds)


if __name__ == "__main__":
    gr_unittest.main()
