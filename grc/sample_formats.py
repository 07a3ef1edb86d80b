#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the parameters of sample formats, and their documentation, into the files of the
blocks that have them. "--check" says which files differ instead."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
FILES = [
    "gpufft_channel_bank_cc",
    "gpufft_fft_filter_xxx",
    "gpufft_fft_vxx",
    "gpufft_freq_xlating_fft_filter_ccc",
    "gpufft_pfb_channelizer_ccf",
    "gpufft_pfb_synthesizer_ccf",
]

TAKE_REAL = [
    "gpufft_channel_bank_cc",
    "gpufft_freq_xlating_fft_filter_ccc",
    "gpufft_pfb_channelizer_ccf",
]

# Name in make(), label, GRC's type; then name and type where the block's samples are real.
FORMATS = [
    ("", "As the block says", "complex", "", "float"),
    ("cs16", "Complex int16", "sc16", "s16", "short"),
    ("cs8", "Complex int8", "sc8", "s8", "byte"),
    ("cf16", "Complex half", "sc16", "f16", "short"),
]


# Of blocks that take real samples beside complex ones: name, label, GRC's type, and whether
# the samples are real.
WITH_REAL = [
    *((name, label, kind, "") for name, label, kind, _, _ in FORMATS),
    ("f32", "Float", "float", "real"),
    *(
        (real, f"Real {label.split()[-1]}", kind, "real")
        for _, label, _, real, kind in FORMATS[1:]
    ),
]


def listed(column, formats=FORMATS):
    return ", ".join(f"'{each[column]}'" for each in formats)


def enum_with_real(name, label):
    return f"""-   id: {name}
    label: {label}
    dtype: enum
    options: [{listed(0, WITH_REAL)}]
    option_labels: [{listed(1, WITH_REAL)}]
    option_attributes:
        dtype: [{listed(2, WITH_REAL)}]
        real: [{listed(3, WITH_REAL)}]
    hide: part
"""


def enum(name, label):
    return f"""-   id: {name}
    label: {label}
    dtype: enum
    options: [{listed(0)}]
    option_labels: [{listed(1)}]
    option_attributes:
        dtype: [{listed(2)}]
        real: [{listed(3)}]
        real_dtype: [{listed(4)}]
    hide: part
"""


OUTPUT_PARAMETERS = (
    enum("out_format", "Output Format")
    + """-   id: out_scale
    label: Output Scale
    dtype: real
    default: '1.0'
    hide: part
"""
)
PARAMETERS = enum("in_format", "Input Format") + OUTPUT_PARAMETERS
REAL_PARAMETERS = enum_with_real("in_format", "Input Format") + OUTPUT_PARAMETERS
OUTPUT_WORDS = """ Integers are rounded to the nearest, and those beyond their range become its end: "saturated" of the port status counts them.
    Output Scale: factor on the output before it is rounded, without a unit; any finite number. It can change while running.
"""


WORDS = (
    """    Input Format: as the block says; or one item a sample of two int16 (the type of UHD's sc16), two int8, or two halves, whose full scale (32768, 128, 1) reads 1. Of a block from floats: one such number.
    Output Format: the same choice."""
    + OUTPUT_WORDS
)
REAL_WORDS = (
    """    Input Format: as the block says; or one item a sample of two int16 (the type of UHD's sc16), two int8, or two halves, whose full scale (32768, 128, 1) reads 1; or real samples, one number each.
    Output Format: as the block says, or two int16, two int8 or two halves."""
    + OUTPUT_WORDS
)


SPECTRUM = "gpufft_power_spectrum_xf"
SPECTRUM_PARAMETERS = (
    enum_with_real("in_format", "Input Format")
    + """-   id: out_format
    label: Output Format
    dtype: enum
    options: ['', 'f16']
    option_labels: ['Float', 'Half']
    option_attributes:
        dtype: ['float', 'short']
    hide: part
"""
)
SPECTRUM_WORDS = """    Input Format: as Input Type says; or one item a sample of two int16 (the type of UHD's sc16), two int8, or two halves, whose full scale (32768, 128, 1) reads 1; or real samples, of which a row has the bins 0 ... N / 2, without Shift.
    Output Format: float, or half precision, up to 65504.
"""


def written(text, parameters, words):
    """The file's text with these parts, in place of older ones."""
    text = re.sub(r"-   id: in_format\n.*?(?=-   id: nthreads\n)", "", text, flags=re.S)
    text = text.replace("-   id: nthreads\n", parameters + "-   id: nthreads\n", 1)
    text = re.sub(r"    Input Format: .*?(?=    Num\. Threads: )", "", text, flags=re.S)
    return text.replace("    Num. Threads: ", words + "    Num. Threads: ", 1)


def parts_of(name):
    if name == SPECTRUM:
        return SPECTRUM_PARAMETERS, SPECTRUM_WORDS
    if name in TAKE_REAL:
        return REAL_PARAMETERS, REAL_WORDS
    return PARAMETERS, WORDS


def main():
    different = []
    for name in [*FILES, SPECTRUM]:
        file = FOLDER / f"{name}.block.yml"
        text = file.read_text()
        right = written(text, *parts_of(name))
        if right != text:
            different.append(file.name)
            if "--check" not in sys.argv:
                file.write_text(right)
    if "--check" in sys.argv and different:
        sys.exit(
            f"run grc/sample_formats.py: {', '.join(different)} are not as it writes"
        )


if __name__ == "__main__":
    main()
