#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/streaming.md explains every key of statistics() and of the status port."""

import re
import unittest

import page
from gnuradio import gpufft

PAGE = page.PROJECT / "docs" / "streaming.md"


def keys(title):
    return [row[0].strip("`") for row in page.table(PAGE, title)]


class QaStreaming(unittest.TestCase):
    def test_keys_of_statistics(self):
        block = gpufft.fft_vcc(8, True, [], engine="cpu")
        self.assertEqual(list(block.statistics()), keys("key"))

    def test_keys_of_trouble(self):
        source = page.PROJECT / "lib" / "stream" / "block_status.cc"
        function = source.read_text(encoding="utf-8").split("::publish_trouble(")[1]
        function = function.split("\n}\n")[0]
        self.assertEqual(
            re.findall(r'pmt::mp\("(\w+)"\)', function), keys("key on failure")
        )


if __name__ == "__main__":
    unittest.main()
