# SPDX-License-Identifier: GPL-3.0-or-later
"""What SDR programs write into the names of their recordings.

    gqrx_20240101_120000_100000000_1800000_fc.raw          frequency and rate in Hz, cf32
    SDRSharp_20240101_120000Z_100000000Hz_IQ.wav           SDR#
    HDSDR_20240101_120000Z_100000kHz_RF.wav                HDSDR; SDRuno is alike
    baseband_100000000Hz_12-00-00_01-01-2024.wav           SDR++

The names of demodulated sound (SDR#'s and HDSDR's _AF, SDR++'s audio_) have the frequency to
which the receiver was tuned, which is no frequency of the sound: it is not read.
"""

import re

GQRX = re.compile(r"gqrx_\d{8}_\d{6}_(?P<frequency>\d+)_(?P<rate>\d+)_fc\.raw", re.I)
IQ = re.compile(
    r"(SDRSharp|HDSDR|SDRuno|baseband)_(?!.*_AF\.)(.*_)?"
    r"(?P<frequency>\d+)(?P<prefix>[kM]?)Hz[_.].*",
    re.I,
)
PREFIXES = {"": 1, "k": 1e3, "m": 1e6}


def read(name):
    """What the file name `name` says: a dict of some of Recording's fields."""
    match = GQRX.fullmatch(name)
    if match:
        rate, frequency = float(match["rate"]), float(match["frequency"])
        return {"format": "cf32", "rate": rate or None, "frequency": frequency}
    match = IQ.fullmatch(name)
    if match:
        return {
            "frequency": float(match["frequency"]) * PREFIXES[match["prefix"].lower()]
        }
    return {}
