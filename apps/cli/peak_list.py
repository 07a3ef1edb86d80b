# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers the peaks in the picture of a spectrum, and lists them beside it."""

COLOUR = "#0b5394"
HEAD, ENTRY = 62, 36  # heights of what is above the list, and of a peak, in 1/100 inch


def draw(spectrum, panel, view, divisor, height):
    """spectrum: axes with the curves, of frequencies divided by `divisor`; panel: axes
    beside them, `height` / 100 inch high."""
    shown = view.peaks[: int((height - HEAD) / ENTRY)]
    number_peaks(spectrum, shown, divisor)
    panel.axis("off")
    handles, labels = spectrum.get_legend_handles_labels()
    panel.legend(
        handles[::-1],
        labels[::-1],
        loc="upper left",
        frameon=False,
        fontsize=9,
        borderaxespad=0,
        handlelength=1.5,
    )
    heading = "Strongest peaks" if view.level_unit else "Farthest from noise"
    if not view.peaks:
        heading = "No peaks above\nthe noise" if view.level_unit else "Noise only"
    panel.text(0.02, 1 - 44 / height, heading, fontsize=9, weight="bold", va="top")
    for number, mark in enumerate(shown):
        words = f"{mark.name}\n{mark.tone}".replace("-", "\N{MINUS SIGN}")
        top = 1 - (HEAD + ENTRY * number) / height
        number = str(number + 1)
        panel.text(0.02, top, number, fontsize=8.5, weight="bold", va="top")
        panel.text(0.12, top, words, fontsize=8.5, va="top", linespacing=1.25)


def number_peaks(spectrum, marks, divisor):
    """A number above each peak, where the peak is within the axes."""
    for number, mark in enumerate(marks, 1):
        spectrum.annotate(
            str(number),
            (mark.frequency / divisor, mark.level),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
            weight="bold",
            annotation_clip=True,
            bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": COLOUR, "lw": 0.8},
        )
