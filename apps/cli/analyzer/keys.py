# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of window and page: which step of Instrument or Transport each takes, and the words
of the help. Keys are named as Qt names them."""

ACTS = {
    "M": ("add_marker",),
    **{str(number): ("choose_marker", number) for number in range(1, 5)},
    "Left": ("step", -1),
    "Right": ("step", 1),
    "Ctrl+Left": ("step_division", -1),
    "Ctrl+Right": ("step_division", 1),
    "N": ("to_peak", 1),
    "]": ("to_peak", 1),
    "P": ("to_peak", -1),
    "[": ("to_peak", -1),
    "D": ("toggle_delta",),
    "Del": ("remove_marker",),
    "Esc": ("clear_markers",),
    "B": ("toggle_channel",),
    "R": ("toggle_recording",),
}

# Steps of Transport.
PLAY_ACTS = {
    "Space": ("toggle_pause",),
    ".": ("step", 1),
    ",": ("step", -1),
    "A": ("mark",),
    "Home": ("to_start",),
}

# Steps of WaterfallPlot.
WATERFALL_ACTS = {
    "PgUp": ("scroll", -0.5),
    "PgDown": ("scroll", 0.5),
    "End": ("show_live",),
}

HELP_KEYS = ("F1", "?")
HELP = (
    ("Click", "sets the chosen marker (marker 1 at first) on the trace"),
    ("M", "sets the next marker at the strongest peak without one"),
    ("1 \N{HORIZONTAL ELLIPSIS} 4", "choose a marker"),
    ("\N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW}", "move it by a bin"),
    ("Ctrl \N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW}", "move it by a tenth of the span"),
    ("N or ]", "moves it to the next peak on the right"),
    ("P or [", "moves it to the next peak on the left"),
    ("D", "makes it a delta marker, read against marker 1; at marker 1, adds one"),
    ("Delete", "removes it"),
    ("Esc", "removes all markers"),
    ("B", "shows the channel's lines, or hides them; drag them, or what is between"),
    ("R", "begins a recording, or ends it"),
    ("Space", "pauses; a file stands still, too"),
    (". ,", "a file: the next row, the one before"),
    ("A", "a file: sets A, then B, and plays this part in a loop; then all again"),
    ("Home", "a file: goes to A, or to the start"),
    ("Page down, up", "scroll the waterfall back in time, and forward"),
    ("End", "goes back to its newest line; so does a double click on its time axis"),
    ("Shift, drag", "over the waterfall of a file: marks a region, which is annotated"),
    ("Wheel, drag", "zoom and move the band; over another axis, levels or time"),
    ("F1 or ?", "shows this help, or hides it"),
)
