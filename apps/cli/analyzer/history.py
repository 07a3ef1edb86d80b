# SPDX-License-Identifier: GPL-3.0-or-later
"""All lines of a waterfall that were seen, in bounded memory. It needs no Qt.

Lines go through tiers of LINES lines. From a full tier the oldest two move to the next one, as
one line with their mean power; in the last tier, if it is full, all lines become half as many.
What is old is therefore coarser in time, in powers of two, and never lost. Levels are kept as
int16 in steps of 0.02 dB, in the columns that were shown, at most COLUMNS."""

import numpy as np

TIERS, LINES, COLUMNS = 8, 1792, 2048
ROOM = 2048  # lines of a tier's memory: 64 MiB in all
STEP = 0.02  # dB
NOTHING = -(1 << 15)  # of a cell: no line has been there
# Power of a cell, by its bits as an unsigned number; 0 where nothing has been.
POWER = 10 ** (np.arange(1 << 16).astype(np.uint16).view(np.int16) * (STEP / 10))
POWER[1 << 15] = 0
SMOOTHING = 0.1  # share of a line in the usual duration
LONG_GAP = 5  # times the lines' usual distance: then there is a gap
FACTS = np.dtype(
    [
        ("end", float),  # s, of the clock that add() is called with
        ("seconds", float),  # that it lasts
        ("low", float),  # its band, in Hz
        ("high", float),
        ("columns", int),
        ("position", float),  # of its end in the recording, in s; NaN for none
    ]
)


class History:
    """Adds lines, and gives those of any part of time and band. The last line ended at `now`,
    at `position` in the recording, if it is one. A line lasts from the end of the one before; after a gap, as long as is usual."""

    def __init__(self):
        self._tiers = [Tier() for _ in range(TIERS)]
        self.now, self._usual = None, None
        self.position = None

    @property
    def oldest(self):
        """When the oldest line began; None before the first one."""
        for tier in reversed(self._tiers):
            if tier.count:
                return tier.facts["end"][0] - tier.facts["seconds"][0]
        return None

    def seconds_of(self, lines):
        """How long the newest `lines` lines last, or all if there are fewer."""
        usual = lines * self._usual if self._usual else 0.1
        return max(0.1, min(usual, self.now - self.oldest))

    def add(self, levels, band, now, position=np.nan):
        """levels: in dB, over the band (low, high) in Hz."""
        if len(levels) > COLUMNS:
            first = -(-np.arange(COLUMNS) * len(levels) // COLUMNS)
            levels = np.maximum.reduceat(levels, first)
        seconds = self._follow_clock(now)
        self.position = None if np.isnan(position) else position
        line = np.full((1, COLUMNS), NOTHING, np.int16)
        line[0, : len(levels)] = encode(levels)
        facts = (now, seconds, *band, len(levels), position)
        self._tiers[0].append(line, np.array([facts], FACTS))
        self._make_room()

    def _follow_clock(self, now):
        """How long the line at `now` lasts."""
        last, self.now = self.now, now
        if last is None or now <= last:
            return self._usual or 0.0
        seconds = now - last
        if self._usual is None:
            self._usual = seconds
        elif seconds > max(1.0, LONG_GAP * self._usual):
            return self._usual
        self._usual += SMOOTHING * (seconds - self._usual)
        return seconds

    def _make_room(self):
        """Moves lines on from tiers that are full."""
        for tier, coarser in zip(self._tiers, (*self._tiers[1:], None)):
            if tier.count < LINES:
                return
            if coarser is None:
                tier.append(*merge_pairs(*tier.take(LINES)))
            else:
                coarser.append(*merge_pairs(*tier.take(2)))

    def positions(self, times):
        """Positions in the recording at these times; NaN where there is none. Those of a line
        are of what was played last in it."""
        found = np.full(len(times), np.nan)
        for tier in self._tiers:
            lines, is_there = tier.find(times)
            if tier.count:
                facts = tier.facts[lines[is_there]]
                found[is_there] = facts["position"] - (facts["end"] - times[is_there])
        found[found < 0] = np.nan
        return found

    def rows(self, newest, oldest, count):
        """(positions in the recording of `count` rows between two times, seconds ago of the
        rows' limits)."""
        limits = np.linspace(newest, oldest, count + 1)
        return self.positions((limits[1:] + limits[:-1]) / 2), self.now - limits

    def image(self, times, edges):
        """Levels, as encode() has them, at these times (rows) in the columns between these
        frequencies in Hz."""
        image = np.full((len(times), len(edges) - 1), NOTHING, np.int16)
        middles = (edges[1:] + edges[:-1]) / 2
        for tier in self._tiers:
            lines, is_there = tier.find(times)
            rows = np.flatnonzero(is_there)
            if not len(rows):
                continue
            lines = lines[rows]
            facts = tier.facts[lines]
            bands = facts[["low", "high", "columns"]]
            begins = np.flatnonzero(np.append(True, bands[1:] != bands[:-1]))
            for begin, end in zip(begins, [*begins[1:], len(rows)]):
                part = slice(begin, end)
                columns = columns_at(middles, *bands[begin])
                found = tier.levels[lines[part]][:, np.maximum(columns, 0)]
                found[:, columns < 0] = NOTHING
                image[rows[part]] = found
        return image


class Tier:
    """Lines, the oldest first: `levels` and `facts` of them."""

    def __init__(self):
        self._first = self._end = 0
        self._levels = np.empty((ROOM, COLUMNS), np.int16)  # no memory before use
        self._facts = np.zeros(ROOM, FACTS)

    @property
    def levels(self):
        """[line, column]."""
        return self._levels[self._first : self._end]

    @property
    def facts(self):
        """A FACTS for each line."""
        return self._facts[self._first : self._end]

    @property
    def count(self):
        """Lines."""
        return self._end - self._first

    def append(self, levels, facts):
        """Adds lines."""
        if self._end + len(facts) > ROOM:
            count = self.count
            for memory in (self._levels, self._facts):
                memory[:count] = memory[self._first : self._end]
            self._first, self._end = 0, count
        end = self._end + len(facts)
        self._levels[self._end : end], self._facts[self._end : end] = levels, facts
        self._end = end

    def take(self, count):
        """Removes the oldest lines and returns (levels, facts)."""
        taken = slice(self._first, self._first + count)
        self._first += count
        return self._levels[taken].copy(), self._facts[taken].copy()

    def find(self, times):
        """(numbers of the lines at these times, whether there is one)."""
        facts = self.facts
        if not self.count:
            return np.zeros(len(times), int), np.zeros(len(times), bool)
        lines = np.searchsorted(facts["end"], times)
        is_there = lines < self.count
        lines = np.minimum(lines, self.count - 1)
        begins = facts["end"][lines] - facts["seconds"][lines]
        return lines, is_there & (times >= begins - 1e-9)


def columns_at(frequencies, low, high, columns):
    """The columns of a line that hold these frequencies; -1 outside."""
    numbers = np.floor((frequencies - low) / (high - low) * columns)
    is_inside = (numbers >= 0) & (numbers < columns)
    return np.where(is_inside, numbers, -1).astype(int)


def encode(levels):
    """Levels in dB as they are kept."""
    return np.clip(np.round(levels / STEP), NOTHING + 1, -NOTHING - 1).astype(np.int16)


def decode(cells):
    """Levels in dB; NaN where nothing has been."""
    return np.where(cells == NOTHING, np.nan, cells * np.float32(STEP))


def merge_pairs(levels, facts):
    """Each two lines as one with their mean power, in the band of the wider one."""
    first, second = facts[::2], facts[1::2]
    merged = second.copy()
    merged["seconds"] = second["end"] - first["end"] + first["seconds"]
    is_wider = (first["high"] - first["low"]) > (second["high"] - second["low"])
    for name in ("low", "high", "columns"):
        merged[name][is_wider] = first[name][is_wider]
    pairs = [
        [fit(line, fact, into) for line, fact in zip((old, new), pair)]
        for old, new, *pair, into in zip(levels[::2], levels[1::2], first, second, merged)
    ]
    weights = np.maximum(facts["seconds"], 1e-9).reshape(-1, 2, 1)
    return mean_power(np.array(pairs), weights), merged


def fit(line, facts, into):
    """A line in another one's columns."""
    band = facts[["low", "high", "columns"]]
    if band == into[["low", "high", "columns"]]:
        return line
    count = into["columns"]
    middles = (
        into["low"] + (np.arange(count) + 0.5) * (into["high"] - into["low"]) / count
    )
    columns = columns_at(middles, *band)
    fitted = np.full(COLUMNS, NOTHING, np.int16)
    fitted[:count] = np.where(columns < 0, NOTHING, line[np.maximum(columns, 0)])
    return fitted


def mean_power(pairs, weights):
    """Of cells [pair, 2, column], of those that are there."""
    power = (POWER[pairs.view(np.uint16)] * weights).sum(axis=1)
    weight = ((pairs != NOTHING) * weights).sum(axis=1)
    levels = 10 * np.log10(np.maximum(power / np.maximum(weight, 1e-12), 1e-35))
    return np.where(weight > 0, encode(levels), NOTHING).astype(np.int16)
