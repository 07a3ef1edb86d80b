# SPDX-License-Identifier: GPL-3.0-or-later
"""WAV headers, RF64 and BW64 ones too: where the samples are and what they are.

Two channels are I and Q, one channel is a real signal. The `auxi` chunk that SDR programs
write carries the centre frequency.
"""

import os
import re
import struct

from .errors import InputError
from .formats import WAV_NUMBERS

EXTENSIBLE = 0xFFFE  # the format tag is the first word of the sub-format
TO_THE_END = 0xFFFFFFFF  # size of a chunk that outgrew 32 bits, or was never filled in
# Bits of the sizes that programs write who do not know better, as SoX into a pipe.
PLACEHOLDER = 0x7FFF0000
LONGEST_CHUNK = 1 << 16  # bytes that are kept


def read(path):
    """Reads the header of `path`: a dict of Recording's fields and "bytes" of samples."""
    with path.open("rb") as file:
        facts = {**read_header(path, file), "offset": file.tell()}
    if facts["bytes"] is not None:
        # A size that outgrew its 32 bits has lost multiples of 2^32.
        rest = path.stat().st_size - facts["offset"] - facts["bytes"]
        is_unknown = facts["bytes"] & PLACEHOLDER == PLACEHOLDER
        facts["bytes"] += max(0, rest) >> 32 << 32
        if is_unknown and max(0, rest) % (1 << 32) > LONGEST_CHUNK:
            facts["bytes"] = None
    return facts


def read_header(path, file):
    """The same of an open file or pipe, which then stands at the first sample."""
    riff = read_exactly(file, 12)
    if riff[:4] not in (b"RIFF", b"RF64", b"BW64") or riff[8:] != b"WAVE":
        raise InputError(f"{path} is not a WAV file: it starts with {riff!r}")
    found = read_chunks(file)
    if b"fmt " not in found or b"data" not in found:
        missing = "fmt" if b"fmt " not in found else "data"
        raise InputError(f"{path} is cut short or damaged: it has no {missing!r} chunk")
    return describe(path, found)


def read_chunks(file):
    """{name: content} of the chunks before the samples; of "data": its size, or None."""
    found = {}
    while len(head := read_exactly(file, 8)) == 8:
        name, size = struct.unpack("<4sI", head)
        if name == b"data":
            found[name] = large_size(found) if size in (0, TO_THE_END) else size
            break
        found[name] = read_exactly(file, min(size, LONGEST_CHUNK))
        skip(file, size + size % 2 - len(found[name]))
    return found


def large_size(found):
    """The size of the samples in 64 bits, or None if nobody said, as a program that was
    ended while it recorded."""
    sizes = found.get(b"ds64", b"")
    return struct.unpack_from("<Q", sizes, 8)[0] or None if len(sizes) >= 16 else None


def read_exactly(file, count):
    """`count` bytes, fewer at the end: a pipe gives them in pieces."""
    data = b""
    while len(data) < count and (piece := file.read(count - len(data))):
        data += piece
    return data


def skip(file, count):
    """Passes over `count` bytes."""
    if file.seekable():
        file.seek(count, os.SEEK_CUR)
        return
    while count > 0 and (piece := file.read(min(count, LONGEST_CHUNK))):
        count -= len(piece)


def describe(path, found):
    """Recording's fields from the chunks `found`."""
    try:
        tag, channels, rate, bits = struct.unpack_from("<HHI6xH", found[b"fmt "])
        if tag == EXTENSIBLE:
            tag = struct.unpack_from("<H", found[b"fmt "], 24)[0]
    except struct.error:
        raise InputError(f"{path} is damaged: its 'fmt' chunk is too short") from None
    number = WAV_NUMBERS.get(tag, {}).get(bits)
    if number is None or channels not in (1, 2):
        raise InputError(
            f"{path} holds {channels} channels of {bits} bits (format tag {tag}): "
            f"only PCM of 8, 16, 24 or 32 bits and float of 32 or 64 bits, in 1 channel "
            f"(real) or 2 (I and Q), can be read"
        )
    return {
        "path": path,
        "format": "rc"[channels - 1] + number,
        "rate": float(rate) or None,
        "frequency": centre_frequency(found.get(b"auxi", b"")),
        "bytes": found[b"data"],
    }


def centre_frequency(auxi):
    """Hz from an `auxi` chunk, or None: two 16-byte times, then the frequency; SDR Console
    writes XML in UTF-16."""
    text = auxi.decode("utf-16-le", "replace").lstrip("\ufeff")  # the byte order mark
    if text.startswith("<"):
        match = re.search(r'RadioCenterFreq="(\d+)"', text)
        return float(match[1]) if match else None
    if len(auxi) < 36:
        return None
    return float(struct.unpack_from("<I", auxi, 32)[0]) or None
