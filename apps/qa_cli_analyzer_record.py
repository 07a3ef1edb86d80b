#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording in gpufft analyzer: the bytes of a stream that the test releases, by hand and by
the channel's level."""

import json
import os
import resource
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from unittest import mock

import numpy as np

import cli_testing as cli
from gnuradio.gpufft.cli.analyzer import recordings, sigmf_file
from gnuradio.gpufft.cli.errors import CommandError, InputError
from gnuradio.gpufft.cli.recording import open_recording
from session_testing import CENTRE, RATE, SessionTestCase, wait_for

FORMATS = ("cf32", "cs16", "cs8", "cu8", "rf32", "rs16", "cf64", "cs32be", "rs8", "ru16")
SECOND = int(RATE)
QUIET, LOUD = 1e-4, 0.1


def random_bytes(size, seed):
    """Bytes that never repeat, nor look like NaN."""
    return np.random.default_rng(seed).integers(0, 100, size, dtype=np.uint8).tobytes()


class QaCliAnalyzerRecord(SessionTestCase):
    def bases(self):
        """Paths of all recordings, the oldest first, without suffix."""
        return [file.with_suffix("") for file in sorted(self.folder.glob("*.sigmf-data"))]

    def read(self, base=None):
        """(metadata, data) of the only recording, or of one."""
        if base is None:
            (base,) = self.bases()
        meta = json.loads(Path(f"{base}.sigmf-meta").read_text())
        return meta, Path(f"{base}.sigmf-data").read_bytes()

    def press(self):
        """The key."""
        self.session.instrument.press("R")

    def written(self, samples):
        wait_for(lambda: self.session.recordings.file.samples >= samples)

    def test_whole_file(self):
        """From its first to its last byte, in each format, and what the metadata say."""
        for format in FORMATS:
            with self.subTest(format):
                self.setUp()
                x = cli.tones(50001, (0.1,), (0.5,), noise=0.01)
                self.open_file(x, format, "--full-speed", "--once")
                self.press()
                self.graph.start()
                self.graph.wait()
                meta, data = self.read()
                self.assertEqual(data, cli.encode(x, format))
                facts = meta["global"]
                self.assertEqual(facts["core:sample_rate"], RATE)
                self.assertEqual(facts["core:hw"], f"x.{format}")
                self.assertEqual(meta["annotations"], [])
                recording = open_recording(f"{self.bases()[0]}.sigmf-meta")
                self.assertEqual((recording.format, recording.rate), (format, RATE))
                self.assertEqual(recording.frequency, CENTRE)
                self.assertEqual(recording.samples, len(x))
                self.press()
                self.press()  # after the end of the file
                self.assertEqual(len(self.bases()), 2)
                self.stop()

    def test_nothing_is_lost_or_repeated(self):
        """R in the middle of the stream, in odd pieces, and again: each recording is one
        piece of the stream, which begins and ends where the key was pressed."""
        self.open_gated("cs16")
        data = random_bytes(4 * 300000, 1)
        ends = (0, 4 * 12345, 4 * 200001, 4 * 250000, len(data))
        pieces = [data[first:last] for first, last in zip(ends, ends[1:])]
        self.press()  # which connects the recorder
        self.press()
        self.release(pieces[0])
        self.press()
        self.release(pieces[1][:100002])
        self.release(pieces[1][100002:])
        self.written(len(pieces[1]) // 4 - 1)
        self.press()
        self.release(pieces[2])
        self.press()
        self.release(pieces[3])
        self.written(len(pieces[3]) // 4 - 1)
        self.press()
        contents = [self.read(base)[1] for base in self.bases()]
        self.assertEqual(contents[0], b"")
        for content, first in ((contents[1], ends[1]), (contents[2], ends[3])):
            place = data.index(content[:64])
            self.assertEqual(content, data[place : place + len(content)])
            self.assertLessEqual(place, first)
        self.assertFalse(self.session.switches["recording"])
        for base in self.bases():
            self.assertEqual(len(self.read(base)[0]["captures"]), 1)

    def test_gap_begins_a_capture(self):
        """A change of the flowgraph loses samples in flight: each capture is one piece."""
        self.open_gated("cf32")
        data, end = random_bytes(8 * 2000000, 2), b"the end." * 1000
        self.press()
        self.source.gate.release(data)
        for count, size in ((20000, "3000"), (500000, "1024")):
            self.written(count)
            self.set(size=size)
        wait_for(self.source.gate.is_empty)
        self.source.gate.release(end)
        wait_for(lambda: self.read()[1].endswith(end))
        meta, content = self.read()
        starts = [capture["core:sample_start"] for capture in meta["captures"]]
        self.assertEqual(starts[0], 0)
        self.assertIn(len(starts), (2, 3))  # 2: no sample came between the changes
        place = 0
        for start, end in zip(starts, [*starts[1:], len(content) // 8]):
            part = content[8 * start : 8 * end]
            place = (data + content[-8000:]).index(part, place)
            self.assertEqual(place % 8, 0)
            place += len(part)
        self.assertGreater(len(content), 0.3 * len(data))

    def test_frequency_changes(self):
        """A receiver that is tuned begins a capture with the other frequency."""
        self.open_gated("cf32")
        self.press()
        self.release(random_bytes(8 * 10000, 3))
        self.written(9000)
        self.source.frequency = CENTRE + 1e6
        self.draw()
        self.release(random_bytes(8 * 10000, 4))
        self.written(19000)
        meta, _ = self.read()
        frequencies = [capture["core:frequency"] for capture in meta["captures"]]
        self.assertEqual(frequencies, [CENTRE, CENTRE + 1e6])

    def test_metadata_at_once(self):
        """A recording that is running can be read; its name and its capture tell when it
        began, its name the frequency."""
        self.open_gated("cs8")
        before = datetime.now(timezone.utc) - timedelta(seconds=1)
        self.press()
        after = datetime.now(timezone.utc)
        (base,) = self.bases()
        self.release(random_bytes(2 * 5000, 5))
        self.written(3000)
        meta, data = self.read()
        self.assertEqual(meta["global"]["core:datatype"], "ci8")
        when = datetime.fromisoformat(meta["captures"][0]["core:datetime"])
        self.assertTrue(before <= when <= after)
        self.assertTrue(base.name.endswith(f"_{CENTRE:.0f}Hz"))
        self.assertTrue(base.name.startswith(f"{when:%Y-%m-%dT%H-%M-%S}"))
        self.assertGreaterEqual(open_recording(f"{base}.sigmf-meta").samples, 3000)
        self.assertTrue(random_bytes(2 * 5000, 5).startswith(data))

    def test_names_are_never_taken(self):
        """Two that begin at the same millisecond have two names."""
        self.open_gated("cf32")
        with mock.patch.object(sigmf_file, "file_name", lambda *_: "same"):
            for _ in range(6):
                self.press()
        self.assertEqual(
            [base.name for base in self.bases()], ["same", "same_2", "same_3"]
        )

    def test_channel(self):
        """At its rate and frequency: the tone in it, not the one beside it."""
        tone, beside = 31e3, 60e3
        x = cli.tones(2 * SECOND, (tone / RATE, beside / RATE), (0.1, 0.5))
        self.open_file(x, "cs16", "--full-speed", "--once")
        low, high = CENTRE + 20e3, CENTRE + 40e3
        self.session.instrument.set_channel(low, high)
        self.set(recorded="channel")
        self.press()
        self.graph.start()
        self.graph.wait()
        recording = open_recording(f"{self.bases()[0]}.sigmf-meta")
        self.assertEqual((recording.format, recording.frequency), ("cf32", CENTRE + 30e3))
        decimation = RATE / recording.rate
        self.assertEqual(decimation, round(decimation))
        self.assertTrue(1.2 * (high - low) <= recording.rate <= 1.5 * (high - low))
        y = cli.decode(self.read()[1], "cf32")
        self.assertEqual(len(y), len(x) // int(decimation))
        y = y[len(y) // 2 :]
        time = np.arange(len(y)) / recording.rate
        at_tone = np.mean(y * np.exp(-2j * np.pi * (tone - 30e3) * time))
        self.assertAlmostEqual(abs(at_tone), 0.1, delta=1e-3)
        rest = np.mean(np.abs(y) ** 2) - abs(at_tone) ** 2
        self.assertLess(10 * np.log10(rest), -60)

    def test_channel_stays(self):
        """The lines move while it records: the next recording follows them."""
        self.open_gated("cf32")
        self.session.instrument.set_channel(CENTRE, CENTRE + 20e3)
        self.set(recorded="channel")
        self.press()
        self.release(random_bytes(8 * 5000, 6))
        self.session.instrument.set_channel(CENTRE + 50e3, CENTRE + 70e3)
        self.draw()
        self.release(random_bytes(8 * 5000, 7))
        with self.assertRaisesRegex(InputError, "end it first"):
            self.set(recorded="whole stream")
        self.press()
        self.press()
        frequencies = [
            capture["core:frequency"]
            for base in self.bases()
            for capture in self.read(base)[0]["captures"]
        ]
        self.assertEqual(frequencies, [CENTRE + 10e3, CENTRE + 60e3])

    def draw_until(self, is_on):
        """Draws until the level has begun or ended a recording, which takes a picture of
        the samples that have come."""
        wait_for(lambda: self.draw() or self.session.switches["recording"] == is_on)

    def quiet_until(self, condition, release):
        """Draws until the level's fall has had its effect. release() gives some more: the
        rows of the burst's end may be in the same picture as what followed, and a receiver
        goes on, too."""

        def is_so():
            self.draw()
            return condition() or release()

        wait_for(is_so)

    def burst(self, amplitude, samples, seed):
        """A tone at 30 kHz in weak noise, as bytes."""
        x = cli.tones(samples, (30e3 / RATE,), (amplitude,), noise=1e-5, seed=seed)
        return cli.encode(x, "cf32")

    def test_trigger(self):
        """Starts at the level, holds the onset and what was before, ends 2 s after the fall;
        a second burst makes a second recording."""
        self.open_gated("cf32")
        self.session.instrument.set_channel(CENTRE + 20e3, CENTRE + 40e3)
        self.set(trigger="-40")
        stream, onsets, control = bytearray(), [], self.session.recordings

        def release(amplitude, seconds):
            part = self.burst(amplitude, int(seconds * SECOND), len(stream) + 1)
            stream.extend(part)
            self.release(part)
            recorder = control._branch.recorder
            wait_for(lambda: recorder.seen >= len(stream) // 8 - 1024)

        for _ in range(2):
            release(QUIET, 1.5)
            self.draw_until(False)
            onsets.append(len(stream) // 8)
            release(LOUD, 0.25)
            self.draw_until(True)
            release(QUIET, 1)
            self.quiet_until(
                lambda: control._fell_at is not None, lambda: release(QUIET, 0.1)
            )
            self.assertTrue(self.session.switches["recording"])
            release(QUIET, 2)
            self.quiet_until(
                lambda: not self.session.switches["recording"],
                lambda: release(QUIET, 0.1),
            )
        self.assertEqual(len(self.bases()), 2)
        for onset, base in zip(onsets, self.bases()):
            _, data = self.read(base)
            place = stream.index(data[:400])
            self.assertEqual(data, stream[place : place + len(data)])
            before = onset - place // 8
            self.assertTrue(0.2 * SECOND <= before <= 1.01 * SECOND)
            end = (place + len(data)) // 8
            self.assertGreaterEqual(end, onset + int(2.25 * SECOND))
            self.assertEqual(place % 8, 0)

    def test_trigger_of_a_channel(self):
        """The channel itself is recorded; by hand it ends, and does not begin again before
        the level has fallen."""
        self.open_gated("cf32")
        self.session.instrument.set_channel(CENTRE + 20e3, CENTRE + 40e3)
        self.set(recorded="channel", trigger="-40")
        control = self.session.recordings
        for _ in range(2):
            self.release(self.burst(QUIET, SECOND, 8))
            self.quiet_until(
                lambda: not control._is_spent,
                lambda: self.release(self.burst(QUIET, SECOND // 10, 7)),
            )
            self.assertFalse(self.session.switches["recording"])
            self.release(self.burst(LOUD, SECOND // 4, 9))
            self.draw_until(True)
            begun = control.file.samples
            self.release(self.burst(LOUD, SECOND, 10))
            self.written(begun + 0.8 * control._branch.rate)
            self.press()
            self.draw()
            self.assertFalse(self.session.switches["recording"])
        self.assertEqual(len(self.bases()), 2)
        for base in self.bases():
            meta, data = self.read(base)
            self.assertEqual(meta["global"]["core:datatype"], "cf32_le")
            rate = meta["global"]["core:sample_rate"]
            y = np.abs(cli.decode(data, "cf32"))
            self.assertLess(np.max(y[: int(0.2 * rate)]), 0.01)
            self.assertAlmostEqual(np.median(y[len(y) // 2 :]), LOUD, delta=1e-3)
        self.set(trigger="off")
        self.assertEqual(self.session.recordings.words(), "")

    def test_kept_samples_are_bounded(self):
        self.open_gated("cf32")
        self.set(trigger="0")
        recorder = self.session.recordings._branch.recorder
        self.release(random_bytes(8 * 3 * SECOND, 11))
        wait_for(lambda: recorder.seen >= 2.9 * SECOND)
        before = recordings.BEFORE_SECONDS * RATE
        self.assertEqual(recorder.kept, before)

    def test_full_disk(self):
        """Ends the recording with one line after its last whole sample; all goes on, and so
        does the next recording when there is room."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, before)
        self.open_gated("cs16")
        self.press()
        data = random_bytes(4 * 100000, 12)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100002, before[1]))
        self.release(data)
        wait_for(lambda: self.session.recordings.file is None)
        with self.assertRaisesRegex(
            CommandError, "recording .* has ended: File too large"
        ):
            self.draw()
        self.assertFalse(self.session.switches["recording"])
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        self.draw()
        _, content = self.read()
        self.assertEqual(content, data[:100000])
        self.press()
        self.release(data)
        self.written(90000)
        self.assertEqual(len(self.bases()), 2)

    def test_metadata_that_cannot_be_written(self):
        """The file is closed, with what came in before."""
        file = sigmf_file.SigmfFile(self.folder, 4, {}, CENTRE, 0.0)
        file.write(bytes(8))
        file.cut(CENTRE + 1e6)
        full = mock.patch.object(sigmf_file, "OutputFile", side_effect=InputError("full"))
        with full, self.assertRaisesRegex(InputError, "full"):
            file.write(bytes(4))
        self.assertTrue(file._file.closed)
        self.assertEqual(self.read()[1], bytes(8))

    def test_refusals(self):
        """One line; nothing is left behind."""
        self.open_gated("cf32", None)
        self.session.recordings._folder = self.folder / "none"
        with self.assertRaisesRegex(InputError, "cannot take recordings: No such file"):
            self.press()
        self.assertFalse(self.session.switches["recording"])
        self.session.recordings._folder = self.folder
        for texts in ({"trigger": "-50"}, {"recorded": "all"}, {"trigger": "high"}):
            with self.assertRaises(InputError):
                self.set(**texts)
        self.set(recorded="channel")
        with self.assertRaisesRegex(InputError, "--rate"):
            self.press()
        self.set(recorded="whole stream")
        self.press()  # needs no rate
        self.assertNotIn("core:sample_rate", self.read()[0]["global"])

    def test_format_without_a_name(self):
        """SigMF has no 24-bit samples; of a channel it takes them, as floats."""
        self.open_gated("cs24")
        with self.assertRaisesRegex(InputError, "no samples of format cs24"):
            self.press()
        self.assertEqual(self.bases(), [])
        self.set(recorded="channel")
        self.press()
        self.assertEqual(self.read()[0]["global"]["core:datatype"], "cf32_le")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_without_permission(self):
        self.open_gated("cf32")
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        with self.assertRaisesRegex(InputError, "Permission denied"):
            self.press()


if __name__ == "__main__":
    unittest.main()
