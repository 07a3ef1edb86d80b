# SPDX-License-Identifier: GPL-3.0-or-later
"""What the buttons of a window save: the window as a picture, its traces, its waterfall."""

from PyQt5.QtCore import QBuffer, QIODevice
from PyQt5.QtWidgets import QFileDialog

from ..errors import CommandError, InputError
from ..output import OutputFile
from .export import check_waterfall_name, extent_text, write_traces, write_waterfall
from .screen import column_edges


class Saving:
    """Asks for names and writes files; each function returns what the user is told, or ""."""

    def __init__(self, window):
        self._window = window
        self.acts = {
            "save": self._save_picture,
            "save_traces": self._save_traces,
            "save_waterfall": self._save_waterfall,
        }

    def _save_picture(self):
        name = self._ask("Save picture", "spectrum.png", "*.png")
        return name and self._write(name, ".png", write_widget, self._window)

    def _save_traces(self):
        session = self._window.session
        if session.picture is None:
            raise InputError("there is no trace yet")
        name = self._ask("Save traces", "traces.csv", "*.csv")
        edges = column_edges(session.picture, session.axis)
        content = session.picture, session.axis, edges
        return name and self._write(name, ".csv", write_traces, content)

    def _save_waterfall(self):
        session, waterfall = self._window.session, self._window.waterfall
        if waterfall.history.now is None:
            raise InputError("there is no waterfall yet")
        levels, ago, frequencies = waterfall.shown()  # before the user looks for a name
        name = self._ask("Save waterfall", "waterfall.npy", "*.npy *.npz *.png")
        if not name:
            return ""
        kind = check_waterfall_name(name)
        if kind == ".png":
            return self._write(name, kind, write_widget, waterfall)
        content = levels, ago, frequencies, kind == ".npz"
        said = self._write(name, kind, write_waterfall, content)
        return f"{said}: {extent_text(levels, ago, frequencies, session.axis)}"

    def _ask(self, title, name, kinds):
        """The name of a file to write, or ""."""
        return QFileDialog.getSaveFileName(self._window, title, name, kinds)[0]

    def _write(self, name, kind, write, content):
        files = self._window.session.flowgraph.source.files
        with OutputFile(name, kind, files) as output:
            output.save(write, content)
        return f"{name} is written"


def write_widget(widget, file):
    """Writes a widget as PNG to an open binary file."""
    buffer = QBuffer()
    buffer.open(QIODevice.WriteOnly)
    if not widget.grab().save(buffer, "PNG"):
        raise CommandError("the picture cannot be made")
    file.write(bytes(buffer.data()))
