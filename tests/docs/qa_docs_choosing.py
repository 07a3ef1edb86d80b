#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures in the text of docs/choosing.md are those of docs/results."""

import csv
import re
import unittest

import page

DOCS = page.PROJECT / "docs"


def rows(name):
    """Of a CSV in docs/results."""
    with open(DOCS / "results" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def span(values, digits, factor=1.0):
    """The text of the least and the largest."""
    return f"{factor * min(values):.{digits}f} to {factor * max(values):.{digits}f}"


class QaChoosing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = (DOCS / "choosing.md").read_text(encoding="utf-8")
        cls.text = " ".join(text.split())
        cls.flowgraphs = rows("flowgraph_h200.csv")

    def median_delays(self, block):
        return [
            float(row["delay_us_p50"])
            for row in self.flowgraphs
            if row["case"] == "slow" and row["block"] == block
        ]

    def test_rate_between_host_and_card(self):
        rates = [
            float(row["msps_median"])
            for row in self.flowgraphs
            if row["case"] == "round_trip" and row["block"] == "gpufft.fft_vcc"
        ]
        self.assertIn(f"[{span(rates, 1, 1e-3)} · 10⁹ samples a second]", self.text)

    def test_a_single_transform(self):
        times = [
            float(row["ours_ms"])
            for row in rows("single_h200.csv")
            if int(re.search(r"_n(\d+)_b1$", row["problem"])[1]) <= 16384
        ]
        self.assertIn(f"takes {span(times, 1, 1e3)} µs", self.text)

    def test_delays(self):
        cuda, cpu = (
            self.median_delays(f"gpufft.fft_vcc {name}") for name in ("cuda", "cpu")
        )
        both = (
            f"{span(cuda, 0)} µs in the median on an H200, {span(cpu, 0)} µs on its CPU"
        )
        self.assertIn(both, self.text)
        self.assertIn(
            f"{span(self.median_delays('source to sink'), 0)} µs in the median", self.text
        )


if __name__ == "__main__":
    unittest.main()
