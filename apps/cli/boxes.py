# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws annotations as labelled boxes into a waterfall."""

from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

MOST = 1000  # boxes; more would hide the waterfall
COLOUR = "white"
LONGEST = 28  # characters of a label
CHARACTER, LINE = 6.0, 10.0  # width and height of a label, in 1/100 inch
TRIES = 8  # lines further down, where another label is in the way


def draw(axes, view, divisor, scale):
    """axes: frequencies are divided by `divisor`, seconds times `scale`."""
    outline = [withStroke(linewidth=2, foreground="black")]
    places = Places(axes)
    for box in [rectangle(each, view) for each in view.boxes[:MOST]]:
        if box is None:
            continue
        low, high, start, end, label = box
        left, top = low / divisor, start * scale
        axes.add_patch(
            Rectangle(
                (left, top),
                high / divisor - left,
                end * scale - top,
                fill=False,
                edgecolor=COLOUR,
                linewidth=0.8,
                path_effects=outline,
            )
        )
        label = shorten(label)
        place = places.find(left, top, len(label)) if label else None
        if place is not None:
            back, down = place
            axes.annotate(
                label,
                (left, top),
                xytext=(2 - back * 0.72, -2 - down * 0.72),
                textcoords="offset points",
                va="top",
                fontsize=7,
                color=COLOUR,
                path_effects=outline,
                parse_math=False,
                clip_on=True,
            )


def rectangle(annotation, view):
    """(low, high, start, end, label) of what the picture shows of it, or None."""
    band, (first, last) = view.band, view.seconds
    rate = view.rate or 1.0
    start = annotation.start / rate
    end = last if annotation.count is None else start + annotation.count / rate
    low = band.start if annotation.low is None else max(annotation.low, band.start)
    high = band.end if annotation.high is None else min(annotation.high, band.end)
    start, end = max(start, first), min(end, last)
    is_shown = low < high and start < end
    return (low, high, start, end, annotation.label) if is_shown else None


def shorten(label):
    """At most LONGEST characters."""
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


class Places:
    """Where labels are, so that no two overlap."""

    def __init__(self, axes):
        figure = axes.figure
        place = axes.get_position()
        width = place.width * figure.get_figwidth() * 100
        height = place.height * figure.get_figheight() * 100
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        self._left, self._top = left, top
        self._right, self._down = width / (right - left), height / (bottom - top)
        self._width, self._height = width, height
        self._taken = []

    def find(self, left, top, characters):
        """How far left of its corner, so that it ends within the axes, and how far below it
        a label finds room, in 1/100 inch; None if nowhere."""
        x = (left - self._left) * self._right
        y = (top - self._top) * self._down
        width = characters * CHARACTER
        back = min(x, max(0.0, x + width - self._width))
        x, end = x - back, x - back + width
        for down in (LINE * i for i in range(TRIES)):
            place = (x, end, y + down)
            if place[2] + LINE > self._height:
                break
            if not any(self._overlaps(place, other) for other in self._taken):
                self._taken.append(place)
                return back, down
        return None

    @staticmethod
    def _overlaps(one, other):
        return one[0] < other[1] and other[0] < one[1] and abs(one[2] - other[2]) < LINE
