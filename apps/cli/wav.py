# SPDX-License-Identifier: GPL-3.0-or-later
"""WAV headers, RF64 and BW64 ones too: where the samples are and what they are.

Two channels are I and Q, one channel is a real signal. The `auxi` chunk that SDR programs
write carries the centre frequency.
"""

import struct

from .errors import InputError
from .formats import WAV_ENCODINGS

EXTENSIBLE = 0xFFFE  # the format tag is the first word of the sub-format
TO_THE_END = 0xFFFFFFFF  # size of a chunk that outgrew 32 bits, or was never filled in


def read(path):
    """Reads the header of `path`: a dict of Recording's fields and "bytes" of samples."""
    with open(path, "rb") as file:
        riff = file.read(12)
        if riff[:4] not in (b"RIFF", b"RF64", b"BW64") or riff[8:] != b"WAVE":
            raise InputError(f"{path} is not a WAV file: it starts with {riff[:4]!r}")
        found = {}
        try:
            for name, size in chunks(file):
                if name == b"data":
                    found[name] = size
                    break
                found[name] = file.read(min(size, 4096))
        except struct.error:
            pass  # the file ends within a header
        offset = file.tell()
    if b"fmt " not in found or b"data" not in found:
        missing = "fmt" if b"fmt " not in found else "data"
        raise InputError(f"{path} is cut short or damaged: it has no {missing!r} chunk")
    return describe(path, found, offset)


def chunks(file):
    """Yields (name, size) of each chunk, the file standing at the chunk's first byte."""
    large = None
    while True:
        name, size = struct.unpack("<4sI", file.read(8))
        start = file.tell()
        if name == b"data" and size in (0, TO_THE_END):
            size = large
        yield name, size
        if name == b"ds64":
            file.seek(start)
            large = struct.unpack("<8xQ", file.read(16))[0]
        file.seek(start + size + size % 2)


def describe(path, found, offset):
    """Recording's fields from the chunks `found`."""
    try:
        tag, channels, rate, bits = struct.unpack_from("<HHI6xH", found[b"fmt "])
        if tag == EXTENSIBLE:
            tag = struct.unpack_from("<H", found[b"fmt "], 24)[0]
    except struct.error:
        raise InputError(f"{path} is damaged: its 'fmt' chunk is too short") from None
    if (tag, bits, channels) not in WAV_ENCODINGS:
        raise InputError(
            f"{path} holds {channels} channels of {bits} bits (format tag {tag}): "
            f"only 16-bit PCM and 32-bit float in 1 channel (real) or 2 (I and Q), "
            f"and 8-bit PCM in 2, can be read"
        )
    return {
        "path": path,
        "format": WAV_ENCODINGS[tag, bits, channels],
        "rate": float(rate) or None,
        "frequency": centre_frequency(found.get(b"auxi", b"")),
        "offset": offset,
        "bytes": found[b"data"],
    }


def centre_frequency(auxi):
    """Hz from an `auxi` chunk (two 16-byte times, then the frequency), or None."""
    if len(auxi) < 36:
        return None
    return float(struct.unpack_from("<I", auxi, 32)[0]) or None
