#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs examples/spectrum_sink.grc for a while and saves its window, as docs/spectrum_sink.md
shows it; it needs no display.

    docs/images/make_spectrum_sink.py [FILE]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

PROJECT = Path(__file__).resolve().parents[2]
SECONDS = 20
COLOURS = 64  # of the picture

os.environ.setdefault("GRC_BLOCKS_PATH", str(PROJECT / "grc"))
os.environ["QT_QPA_PLATFORM"] = "offscreen"


def make(file, folder):
    """Saves the picture to a file."""
    flowgraph = PROJECT / "examples" / "spectrum_sink.grc"
    subprocess.run(["grcc", "-o", folder, flowgraph], check=True)
    sys.path.insert(0, folder)
    from PyQt5 import Qt

    application = Qt.QApplication(["spectrum_sink"])
    from spectrum_sink import spectrum_sink

    window = spectrum_sink()
    window.resize(1200, 1150)
    window.show()
    window.start()
    Qt.QTimer.singleShot(1000 * SECONDS, application.quit)
    application.exec_()
    window.grab().save(str(file))
    window.close()  # which stops the flowgraph
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def main():
    """Makes the picture."""
    name = PROJECT / "docs" / "images" / "spectrum_sink.png"
    with tempfile.TemporaryDirectory() as folder:
        make(Path(sys.argv[1] if len(sys.argv) > 1 else name), folder)


if __name__ == "__main__":
    from gnuradio.gpufft.cli import ending

    ending.run(main)
