# SPDX-License-Identifier: GPL-3.0-or-later
"""The SigMF annotations of the recording that plays: which are in sight, and another one. It
needs no Qt."""

import numpy as np

from .. import annotations
from ..errors import InputError
from ..formats import SIGMF_DATATYPES
from ..output import OutputFile
from ..spectrum import warn


LONGEST_LABEL = 24  # letters drawn
MOST_ROWS_BETWEEN = 2  # of a waterfall, between boxes that are drawn as one


def shorten(label):
    """A label as it is drawn."""
    if len(label) <= LONGEST_LABEL:
        return label
    return label[: LONGEST_LABEL - 1].rstrip(" ,.") + "\N{HORIZONTAL ELLIPSIS}"


class Notes:
    """Annotations of a source, none if it is no recording with a rate."""

    def __init__(self, source):
        self.all = []
        self._starts = self._ends = np.array([])  # of each, in seconds of the recording
        self._recording = getattr(source, "recording", None)
        if self._recording is None or source.rate is None:
            return
        self._path = annotations.file_of(self._recording)
        if self._path.exists():
            self._read()

    def _read(self):
        try:
            metadata = annotations.metadata_for(self._recording, self._path)
            self.all, note = annotations.read_from(self._path, metadata)
        except InputError as error:
            note = str(error)
        if note is not None:
            warn(note)
        rate = self._recording.rate
        self._starts = np.array([each.start / rate for each in self.all])
        counts = [np.inf if each.count is None else each.count for each in self.all]
        self._ends = self._starts + np.array(counts, float) / rate

    def span(self, note, axis):
        """(low, high) of an annotation in the axis' unit."""
        if note.low is None:
            return axis.low, axis.high
        return note.low / axis.divisor, note.high / axis.divisor

    def _between(self, first, last):
        """Numbers of the annotations that cover a part of these seconds of the recording."""
        return np.flatnonzero((self._starts <= last) & (self._ends > first))

    def at(self, seconds):
        """Those that cover a time."""
        return [self.all[number] for number in self._between(seconds, seconds)]

    def boxes(self, positions, limits):
        """[(annotation, time, time)]: where they are among rows of a waterfall. positions:
        of the rows in the recording, in seconds; limits: times of the rows' ends."""
        found = []
        known = positions[np.isfinite(positions)]
        if not len(known):
            return found
        for number in self._between(known.min(), known.max()):
            note, start, end = self.all[number], self._starts[number], self._ends[number]
            is_covered = (positions >= start) & (positions < end)
            is_inside = np.concatenate(([False], is_covered, [False]))
            ends = np.flatnonzero(is_inside[1:] != is_inside[:-1])
            starts, stops = ends[::2], ends[1::2]
            is_apart = starts[1:] - stops[:-1] > MOST_ROWS_BETWEEN
            starts = starts[np.append(True, is_apart)] if len(starts) else starts
            stops = stops[np.append(is_apart, True)] if len(stops) else stops
            found += [(note, limits[a], limits[b]) for a, b in zip(starts, stops)]
        return found

    def add(self, positions, limits, low, high, label):
        """Writes an annotation of what rows show, the newest first, in Hz; positions and
        limits as those of boxes(). Returns what the user is told. Raises InputError,
        CommandError."""
        recording = self._recording
        self._check()
        is_there = np.isfinite(positions)
        if not is_there.any():
            raise InputError("the region holds no line of the recording")
        newest = positions + (limits[1:] + limits[:-1]) / 2  # of the pass each row is of
        positions = positions[is_there]
        if np.ptp(newest[is_there]) > 2 / recording.rate:
            raise InputError(
                "the region spans a jump in the recording: mark one side of it"
            )
        start = round(positions[-1] * recording.rate)
        count = max(1, round(positions[0] * recording.rate) - start)
        note = annotations.Annotation(start, count, low, high, " ".join(label.split()))
        content = annotations.metadata_for(recording, self._path), note
        with OutputFile(str(self._path), apart_from=(recording.path,)) as output:
            output.save(annotations.write_with, content)
        self._read()
        return f"{self._path} has the annotation {note.label!r}"

    def _check(self):
        if self._recording is None or self._recording.rate is None:
            raise InputError("only a recording with a sample rate can be annotated")
        if self._recording.format not in SIGMF_DATATYPES.values():
            raise InputError(f"SigMF has no datatype for {self._recording.format}")
