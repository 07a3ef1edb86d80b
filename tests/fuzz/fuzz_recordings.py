#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fuzzer of recordings' headers: WAV, Blue and SigMF files that are damaged in any way.

Each is opened, or refused with InputError; any other exception is a fault, and the bytes that
provoke it are kept. With Atheris (libFuzzer for Python, from PyPI) the bytes follow what they
reach in the code; without, headers are changed at random for so many seconds.

    tests/fuzz/fuzz_recordings.py --seconds 60 [--seed 1]
    tests/fuzz/fuzz_recordings.py --atheris wav -max_total_time=3600 CORPUS
"""

import argparse
import json
import random
import struct
import sys
import tempfile
import time
from pathlib import Path

from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.recording import open_recording

NUMBERS = (0, 1, -1, 0.5, 1e308, -1e308, 2**31, 2**63, 2**64, float("nan"), float("inf"))
ODDITIES = (None, True, "", "cf32_le", "ci16_le", "../x", [], {}, [1], {"core:x": 1})


def chunk(name, body):
    """A RIFF chunk."""
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


def wav_seeds():
    """Headers of the kinds that are read: PCM, float, extensible, RF64, with a frequency."""
    seeds = []
    for tag, bits, channels in ((1, 16, 2), (3, 32, 2), (1, 8, 2), (1, 16, 1)):
        frame = channels * bits // 8
        body = struct.pack("<HHIIHH", tag, channels, 48000, 48000 * frame, frame, bits)
        extensible = struct.pack("<H", 0xFFFE) + body[2:] + bytes(8) + struct.pack("<H", tag)
        auxi = chunk(b"auxi", bytes(32) + struct.pack("<I", 10**8))
        for head in (chunk(b"fmt ", body), chunk(b"fmt ", extensible), auxi + chunk(b"fmt ", body)):
            seeds.append(b"RIFF\0\0\0\0WAVE" + head + chunk(b"data", bytes(64)))
    large = chunk(b"ds64", struct.pack("<QQQI", 200, 64, 16, 0))
    open_end = b"data" + struct.pack("<I", 0xFFFFFFFF) + bytes(64)
    seeds.append(b"RF64\xff\xff\xff\xffWAVE" + large + seeds[0][12:36] + open_end)
    return seeds


def blue_seeds():
    """Headers of Blue files in both byte orders."""
    seeds = []
    for order, name, code in (("<", b"EEEI", b"CI"), (">", b"IEEE", b"SF")):
        head = struct.pack("<4s4s4s20x", b"BLUE", name, name)
        head += struct.pack(f"{order}ddi2s202x", 512, 64, 1000, code)
        seeds.append(head + struct.pack(f"{order}ddi236x", 0, 1e-6, 1) + bytes(64))
    return seeds


def sigmf_seeds():
    """Metadata as programs write it."""
    facts = {"core:datatype": "ci16_le", "core:sample_rate": 1e6, "core:version": "1.0.0"}
    first = {"core:sample_start": 0, "core:frequency": 1e8, "core:header_bytes": 4}
    captures = [first, {"core:sample_start": 5, "core:header_bytes": 0}]
    plain = {"global": facts, "captures": captures, "annotations": []}
    named = {"global": {**facts, "core:dataset": "x.sigmf-data", "core:num_channels": 1}}
    named["global"] |= {"core:offset": 7, "core:trailing_bytes": 4}
    return [json.dumps(seed).encode() for seed in (plain, named, {"global": facts})]


SEEDS = {"wav": wav_seeds, "blue": blue_seeds, "sigmf": sigmf_seeds}


def change_bytes(data, rng):
    """The bytes with some flipped, removed, repeated, or cut off."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        place = rng.randrange(len(data) + 1)
        way = rng.randrange(5)
        if way == 0 and place < len(data):
            data[place] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif way == 1:
            del data[place : place + rng.choice((1, 4, 8))]
        elif way == 2:
            data[place:place] = data[max(0, place - 8) : place]
        elif way == 3:
            data[place : place + 4] = struct.pack("<I", rng.choice((0, 1, 2**31, 2**32 - 1)))
        elif rng.random() < 0.2:
            del data[place:]
    return bytes(data)


def change_values(data, rng):
    """The JSON text with one of its values replaced by something odd; or its bytes changed."""
    try:
        root = json.loads(data)
    except (ValueError, RecursionError):
        return change_bytes(data, rng)
    places = []

    def walk(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                walk(node[key])

    if isinstance(root, (dict, list)):
        walk(root)
    if not places or rng.random() < 0.3:
        return change_bytes(data, rng)
    for node, key in rng.sample(places, rng.choice((1, 1, min(2, len(places))))):
        node[key] = rng.choice(NUMBERS + ODDITIES)
    return json.dumps(root).encode()


CHANGES = {"wav": change_bytes, "blue": change_bytes, "sigmf": change_values}


def check(kind, data, folder):
    """Opens `data` as a recording; InputError is an answer, others go on to the caller."""
    if kind in ("wav", "blue"):
        path = folder / f"x.{kind}"
    else:
        path = folder / "x.sigmf-meta"
        (folder / "x.sigmf-data").write_bytes(bytes(256))
    path.write_bytes(data)
    try:
        recording = open_recording(str(path))
    except InputError:
        return False
    if recording.samples < 1 or not 0 <= recording.offset:
        raise AssertionError(f"accepted with {recording}")
    return True


def run_at_random(seconds, seed):
    """Changes of seeds, and of what was accepted, for so long; the number of each."""
    rng = random.Random(seed)
    counts = {kind: [0, 0] for kind in SEEDS}
    with tempfile.TemporaryDirectory() as folder:
        pools = {kind: make() for kind, make in SEEDS.items()}
        for kind, pool in pools.items():
            for data in pool:
                if not check(kind, data, Path(folder)):
                    raise AssertionError(f"a good {kind} header is refused: {data}")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind = rng.choice(tuple(SEEDS))
            data = CHANGES[kind](rng.choice(pools[kind]), rng)
            try:
                is_accepted = check(kind, data, Path(folder))
            except Exception:
                kept = Path(f"crash-{kind}")
                kept.write_bytes(data)
                print(f"kept in {kept.resolve()}: {data!r}", file=sys.stderr)
                raise
            counts[kind][is_accepted] += 1
            if is_accepted and len(pools[kind]) < 500:
                pools[kind].append(data)
    return counts


def run_with_atheris(kind, arguments):
    """libFuzzer's own options and corpora are the arguments."""
    import atheris

    atheris.instrument_all()
    with tempfile.TemporaryDirectory() as folder:
        atheris.Setup(
            [sys.argv[0], *arguments], lambda data: check(kind, bytes(data), Path(folder))
        )
        atheris.Fuzz()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="of the random changes")
    parser.add_argument("--atheris", choices=tuple(SEEDS), help="by Atheris; its options follow")
    options, rest = parser.parse_known_args()
    if options.atheris:
        run_with_atheris(options.atheris, rest)
        return
    if rest:
        parser.error(f"{rest[0]} is no option")
    for kind, (refused, accepted) in run_at_random(options.seconds, options.seed).items():
        print(f"{kind}: {refused} refused, {accepted} accepted")
        if not refused or not accepted:
            sys.exit(f"{kind}: the changes reach only one of them")


if __name__ == "__main__":
    main()
