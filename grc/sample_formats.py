#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the parameters of sample formats, and their documentation, into the files of the
blocks that have them. "--check" says which files differ instead."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent

# Name in make(), label, GRC's type, items of that type in a sample; then name and type
# where the block's samples are real.
COMPLEX = [
    ("", "As the block says", "complex", 1, "", "float"),
    ("cs16", "Complex int16", "sc16", 1, "s16", "short"),
    ("cs8", "Complex int8", "sc8", 1, "s8", "byte"),
    ("cf16", "Complex half", "sc16", 1, "f16", "short"),
]
PACKED = [*COMPLEX, ("cs12", "Complex int12, packed", "byte", 3, "cs12", "byte")]
FILTER = [
    *PACKED[:-1],
    (*PACKED[-1][:4], "s12", "byte"),
    ("s10", "Real int10, packed", "byte", 5, "s10", "byte"),
]
REAL = [
    (real, label.split(" ", 1)[1] if real else label, kind, 1, real, kind)
    for _, label, _, _, real, kind in COMPLEX
]
HALF = [
    ("", "Float", "float", 1, "", "float"),
    ("f16", "Half", "short", 1, "f16", "short"),
]

# Of blocks that take real samples beside complex ones: "real" says which are.
WITH_REAL = [
    *((*each[:4], "", "") for each in PACKED),
    ("f32", "Float", "float", 1, "real", ""),
    *((real, f"Real {label}", kind, 1, "real", "") for real, label, kind, *_ in REAL[1:]),
    ("s12", "Real int12, packed", "byte", 3, "real", ""),
    ("s10", "Real int10, packed", "byte", 5, "real", ""),
]

# Formats of the input and of the output of each block, and what its parameters are.
FILES = {
    "channel_bank_cc": (WITH_REAL, COMPLEX),
    "dct_vff": (REAL, REAL),
    "dst_vff": (REAL, REAL),
    "fft2d_vcc": (PACKED, COMPLEX),
    "fft_filter_xxx": (FILTER, COMPLEX),
    "fft_vxx": (PACKED, COMPLEX),
    "freq_xlating_fft_filter_ccc": (WITH_REAL, COMPLEX),
    "irfft_vcf": (COMPLEX, REAL),
    "logpwrfft_x": (PACKED, HALF),
    "pfb_channelizer_ccf": (WITH_REAL, COMPLEX),
    "pfb_synthesizer_ccf": (COMPLEX, COMPLEX),
    "power_spectrum_xf": (WITH_REAL, HALF),
    "rfft_vfc": (REAL, COMPLEX),
    "zoom_fft_vcc": (PACKED, COMPLEX),
}

SCALE = """-   id: out_scale
    label: Output Scale
    dtype: real
    default: '1.0'
    hide: part
"""

READS = "whose full scale ({}) reads 1"
OF_COMPLEX = (
    "or one item a sample of two int16 (the type of UHD's sc16), two int8, or two halves, "
    + READS.format("32768, 128, 1")
)
OF_PACKED = (
    OF_COMPLEX
    + "; or 12 bits each in three bytes, the highest first, as in UHD's sc12 (2048 reads 1)"
)
PACKED_REAL = "of 12 bits two in three bytes, or of 10 bits four in five"
REAL_TOO = f"; or real samples, also {PACKED_REAL}, the highest bits first"
WHOLE_ITEMS = (
    "{} must be a multiple of 2 samples with real ones of 12 bits, of 4 with 10 bits."
)
OF_REAL = "or an int16, an int8, or a half a sample, " + READS.format("32768, 128, 1")
MORE = {
    "channel_bank_cc": f" {WHOLE_ITEMS.format('Decimation')}",
    "fft_filter_xxx": f" Of a block from floats: one such number, or {PACKED_REAL}. "
    + WHOLE_ITEMS.format("Decimation"),
    "freq_xlating_fft_filter_ccc": f" {WHOLE_ITEMS.format('Decimation')}",
    "fft_vxx": " Of a block from floats: one such number.",
    "logpwrfft_x": " Of a block from floats: one such number.",
    "pfb_channelizer_ccf": " Real samples have the channels 0 ... M / 2. "
    + WHOLE_ITEMS.format("Channels / Oversampling Ratio"),
    "power_spectrum_xf": " Real samples have the bins 0 ... N / 2, without Shift. "
    + WHOLE_ITEMS.format("Hop"),
}
ROUNDED = (
    "Integers are rounded to the nearest, and those beyond their range become its end"
)
COUNTED = ': "saturated" of the port status counts them'  # but not of real transforms
SCALE_WORDS = (
    "    Output Scale: factor on the output before it is rounded, without a unit; any "
    "finite number. It can change while running.\n"
)


def enum(name, label, formats):
    def listed(column):
        return ", ".join(repr(each[column]) for each in formats)

    return f"""-   id: {name}
    label: {label}
    dtype: enum
    options: [{listed(0)}]
    option_labels: [{listed(1)}]
    option_attributes:
        dtype: [{listed(2)}]
        items: [{listed(3)}]
        real: [{listed(4)}]
        real_dtype: [{listed(5)}]
    hide: part
"""


def words_of(formats):
    if formats is REAL:
        return OF_REAL
    if formats is WITH_REAL:
        return OF_PACKED + REAL_TOO
    return OF_COMPLEX if formats is COMPLEX else OF_PACKED


def parameters_of(name):
    given, come = FILES[name]
    return (
        enum("in_format", "Input Format", given)
        + enum("out_format", "Output Format", come)
        + ("" if come is HALF else SCALE)
    )


def documentation_of(name):
    given, come = FILES[name]
    usual = "as Input Type says" if name == "power_spectrum_xf" else "as the block says"
    text = f"    Input Format: {usual}; {words_of(given)}.{MORE.get(name, '')}\n"
    if come is HALF:
        return text + "    Output Format: float, or half precision, up to 65504.\n"
    same = (given is REAL) == (come is REAL)
    choice = "the same choice" if same else f"as the block says; {words_of(come)}"
    if given is WITH_REAL:
        choice = f"as the block says; {OF_COMPLEX}"
    elif same and given in (PACKED, FILTER):
        choice += ", but for packed integers"
    rounded = ROUNDED + ("" if REAL in (given, come) else COUNTED)
    return text + f"    Output Format: {choice}. {rounded}.\n" + SCALE_WORDS


def written(text, parameters, words):
    """The file's text with these parts, in place of older ones."""
    text = re.sub(r"-   id: in_format\n.*?(?=-   id: nthreads\n)", "", text, flags=re.S)
    text = text.replace("-   id: nthreads\n", parameters + "-   id: nthreads\n", 1)
    text = re.sub(r"    Input Format: .*?(?=    Num\. Threads: )", "", text, flags=re.S)
    return text.replace("    Num. Threads: ", words + "    Num. Threads: ", 1)


def main():
    different = []
    for name in FILES:
        file = FOLDER / f"gpufft_{name}.block.yml"
        text = file.read_text()
        right = written(text, parameters_of(name), documentation_of(name))
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
