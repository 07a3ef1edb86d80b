#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what lengths cost, from a CSV of gpufft bench --board: length_table.py CSV"""

import csv
import re
import sys

LENGTHS = (64, 256, 1000, 1009, 1024, 4096, 10000, 16384, 65536, 65537)
LENGTHS += (1000000, 1048573, 1048576, 16777216)


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    print("| N | 10^9 samples a second | share of the copy rate |")
    print("| --- | --- | --- |")
    for row in rows:
        found = re.fullmatch(r"c2c_forward_n(\d+)_b(\d+)", row["problem"])
        if found is None or int(found[1]) not in LENGTHS:
            continue
        n, batch = map(int, found.groups())
        rate = n * batch / float(row["ours_ms"]) / 1e6
        print(f"| {n} | {rate:.0f} | {float(row['ours_eff']):.2f} |")


if __name__ == "__main__":
    main()
