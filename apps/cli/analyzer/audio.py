# SPDX-License-Identifier: GPL-3.0-or-later
"""Where audio goes: the sound card or a WAV file. Neither makes the stream wait for it: what
the card does not take in time is dropped."""

import struct
import threading
import wave
import weakref
from collections import deque
from contextlib import suppress

import numpy as np
from gnuradio import gr

from ..errors import CommandError, InputError
from .demodulator import AUDIO_RATE

MOST_WAITING = AUDIO_RATE // 2  # samples that wait for the card
FIRST_WAITING = AUDIO_RATE // 10  # with which it begins, and begins again after a gap
SILENCE = AUDIO_RATE // 100  # samples of it at a time
PATIENCE = 0.05  # s without samples before the card gets silence
END_SECONDS = 2.0  # that the card gets to stop


class AudioTap(gr.sync_block):
    """Gives samples to `player`, which starts and stops with the flowgraph. error: why the
    player has taken its last one, or ""."""

    def __init__(self, player):
        gr.sync_block.__init__(self, "audio", in_sig=[np.float32], out_sig=None)
        self._player = player
        self._lock = threading.Lock()
        self._is_running = False
        self.error = ""

    def start(self):
        """Called by GNU Radio, also after each change of the flowgraph."""
        with self._lock:
            self._is_running = True
            self._player.start()
        return True

    def stop(self):
        """Called by GNU Radio."""
        with self._lock:
            self._is_running = False
            self._player.stop()
        return True

    def change_player(self, player):
        """Plays by another one from now on."""
        with self._lock:
            if self._is_running:
                self._player.stop()
                player.start()
            self._player = player
            self.error = ""

    def work(self, input_items, output_items):
        """Called by GNU Radio."""
        with self._lock:
            if not self.error:
                try:
                    self._player.put(np.clip(input_items[0], -1, 1))
                except Exception as error:  # an exception would hang the flowgraph
                    self.error = str(error)
        return len(input_items[0])


class WavFile:
    """A WAV file of 16-bit samples, complete at any time. Raises InputError if it exists."""

    def __init__(self, path):
        try:
            self._file = open(path, "xb")
        except FileExistsError:
            raise InputError(f"{path} exists already: choose another name") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{path} cannot be written: {reason}") from None
        self._path = path
        self._wave = wave.open(self._file, "wb")
        self._wave.setparams((1, 2, AUDIO_RATE, 0, "NONE", None))
        weakref.finalize(self, close_all, self._wave, self._file)
        self.put(np.zeros(0))  # writes the header

    def start(self):
        """A file needs none."""

    def stop(self):
        """A file needs none."""

    def put(self, samples):
        """Appends samples. Raises CommandError."""
        try:
            self._wave.writeframes(np.round(samples * 32767).astype("<i2").tobytes())
            self._file.flush()
        except OSError as error:
            raise CommandError(
                f"{self._path} cannot be written: {error.strerror}"
            ) from None
        except struct.error:
            raise CommandError(
                f"{self._path} has the largest size of a WAV file"
            ) from None


class SoundCard:
    """The sound card, in a flowgraph of its own."""

    def __init__(self):
        """Raises CommandError if there is none."""
        sink = open_sound_card()
        self._waiting = deque()
        self._samples = 0  # in it
        self._is_filling = True
        self._is_ending = False
        self._change = threading.Condition()
        self._graph = gr.top_block("sound card")
        self._blocks = Feed(self), sink  # kept: a flowgraph does not keep Python's blocks
        self._graph.connect(*self._blocks)
        self._ending = None  # thread, until the graph has ended

    def start(self):
        """Begins to play; not if the card still hangs."""
        if self._ending is None or not self._ending.is_alive():
            self._is_ending = False
            self._graph.start()

    def stop(self):
        """Ends, without what waits. A card that hangs is left alone."""
        with self._change:
            self._is_ending = True
            self._waiting.clear()
            self._samples = 0
            self._change.notify()
        self._ending = threading.Thread(target=self._end, daemon=True)
        self._ending.start()
        self._ending.join(END_SECONDS)

    def _end(self):
        self._graph.stop()
        self._graph.wait()

    def put(self, samples):
        """Appends samples; the oldest ones that wait make room."""
        with self._change:
            self._waiting.append(samples)
            self._samples += len(samples)
            while self._samples > MOST_WAITING:
                self._samples -= len(self._waiting.popleft())
            self._change.notify()

    def take(self, most):
        """At most `most` samples for the card: silence if none have come for a while; None at
        the end."""
        with self._change:
            if not self._has_enough():
                self._change.wait_for(self._has_enough, PATIENCE)
            if self._is_ending:
                return None
            if not self._has_enough():
                self._is_filling = True
                return np.zeros(min(most, SILENCE), np.float32)
            self._is_filling = False
            samples = self._waiting.popleft()
            if len(samples) > most:
                self._waiting.appendleft(samples[most:])
                samples = samples[:most]
            self._samples -= len(samples)
            return samples

    def _has_enough(self):
        least = FIRST_WAITING if self._is_filling else 1
        return self._samples >= least or self._is_ending


class Feed(gr.sync_block):
    """Gives the card what waits for it."""

    def __init__(self, card):
        gr.sync_block.__init__(self, "audio", in_sig=None, out_sig=[np.float32])
        self._card = card
        self.set_log_level("warn")
        self.set_max_output_buffer(4096)  # 85 ms

    def work(self, input_items, output_items):
        """Called by GNU Radio."""
        samples = self._card.take(len(output_items[0]))
        if samples is None:
            return -1
        output_items[0][: len(samples)] = samples
        return len(samples)


def close_all(*files):
    """In this order; one that fails has told so before."""
    for file in files:
        with suppress(OSError, struct.error):
            file.close()


def open_sound_card():
    """GNU Radio's block of the default card. Raises CommandError."""
    try:
        from gnuradio import audio

        return audio.sink(AUDIO_RATE, "", True)
    except (ImportError, RuntimeError) as error:
        raise CommandError(
            f"the sound card cannot be opened ({error}): send audio to a FILE.wav"
        ) from None
