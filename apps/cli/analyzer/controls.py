# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of controls. Each has a name; the panel emits `changed(name, text)` when the
user sets a value, and `switched(name, on)` for a box."""

from PyQt5.QtCore import pyqtSignal
from PyQt5.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from . import theme
from .settings import DETECTORS, window_names

SIZES = [str(1 << exponent) for exponent in range(8, 23, 2)] + ["1009", "1000003"]
TIMES = ["0", "0.1", "0.3", "1", "3", "10"]
FULL_SPEED, REAL_TIME = "full speed", "real time"
WIDTH = 268


class Controls(QWidget):
    """All controls; `set_text` shows the current value."""

    changed = pyqtSignal(str, str)
    switched = pyqtSignal(str, bool)
    pressed = pyqtSignal(str)

    def __init__(self, source):
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.fields, self.switches, self.buttons = {}, {}, {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 6)
        layout.setSpacing(4)
        for group in (
            self._frequency(source),
            self._transform(),
            self._traces(),
            self._display(source),
            self._peaks(),
        ):
            layout.addWidget(group)
        layout.addStretch()

    def set_text(self, name, text):
        """Shows a value, unless the user is editing it."""
        field = self.fields[name]
        edit = field.lineEdit() if isinstance(field, QComboBox) else field
        if edit is None:
            field.setCurrentText(text)
        elif edit.text() != text and not (edit.hasFocus() and edit.isModified()):
            edit.setText(text)  # which takes the cursor to the end

    def show_peaks(self, peaks, axis):
        """The table: number, frequency, level."""
        resolution = axis.rate / axis.size / 10
        rows = "".join(
            f"<tr><td><b>{number}</b>&nbsp;</td>"
            f'<td align="right">{axis.text(peak.frequency, resolution=resolution)}'
            f'&nbsp;&nbsp;</td><td align="right">{peak.level:.1f} dBFS</td></tr>'
            for number, peak in enumerate(peaks, 1)
        )
        text = f"<table>{rows}</table>" if peaks else "none above the noise"
        self._peak_table.setText(text.replace("-", "\N{MINUS SIGN}"))

    def _frequency(self, source):
        group, form = make_group("Frequency")
        if source.is_tunable:
            self._add_text(form, "tune", "Tune to", "the receiver's centre, e.g. 100M")
        self._add_text(form, "centre", "Centre", "centre of the band shown, e.g. 98.5M")
        self._add_text(form, "span", "Span", "width of the band shown, e.g. 200k")
        self._add_button(form, "full_span", "Full span")
        return group

    def _transform(self):
        group, form = make_group("Transform")
        self._add_choice(form, "size", "FFT size", SIZES, "any from 16 to 4194304")
        self._add_text(form, "rbw", "Resolution", "bandwidth of a bin: chooses the size")
        windows = [*window_names(), "kaiser:8.6"]
        self._add_choice(form, "window", "Window", windows, "or kaiser:BETA")
        overlaps = ["0", "0.5", "0.75", "0.9"]
        self._add_choice(form, "overlap", "Overlap", overlaps, "of frames, 0 to 1")
        averages = ["auto", "1", "10", "100", "1000"]
        self._add_choice(form, "average", "Frames a row", averages, "or any number")
        self._add_choice(form, "detector", "Detector", DETECTORS, None)
        return group

    def _traces(self):
        group, form = make_group("Traces")
        self._add_choice(form, "averaging", "Averaging (s)", TIMES, "time constant")
        self._add_choice(form, "persistence", "Persistence (s)", TIMES, "time constant")
        grid = QGridLayout()
        for place, (name, label, colour, on) in enumerate(
            (
                ("show_average", "Average", theme.AVERAGE, True),
                ("show_max_hold", "Max hold", theme.MAX_HOLD, True),
                ("show_min_hold", "Min hold", theme.MIN_HOLD, True),
                ("show_peaks", "Peaks", theme.PEAK, True),
            )
        ):
            grid.addWidget(self._make_switch(name, label, on, colour), *divmod(place, 2))
        form.addRow(grid)
        self._add_button(form, "restart", "Restart traces")
        return group

    def _display(self, source):
        group, form = make_group("Display")
        grid = QGridLayout()
        grid.addWidget(self._make_switch("show_density", "Density", True), 0, 0)
        grid.addWidget(self._make_switch("show_waterfall", "Waterfall", True), 0, 1)
        grid.addWidget(self._make_switch("auto_levels", "Auto levels", True), 1, 0)
        grid.addWidget(self._make_switch("pause", "Pause", False), 1, 1)
        form.addRow(grid)
        self._add_text(form, "levels", "Levels (dB)", "lowest, highest: e.g. -120, 0")
        if not source.is_live and source.rate is not None:
            self._add_choice(form, "speed", "File", [REAL_TIME, FULL_SPEED], None)
        self._add_button(form, "save", "Save picture")
        return group

    def _peaks(self):
        group, form = make_group("Peaks")
        self._peak_table = QLabel()
        form.addRow(self._peak_table)
        return group

    def _add_text(self, form, name, label, tip):
        field = QLineEdit()
        field.setToolTip(tip)
        field.editingFinished.connect(lambda: self._finish(name, field))
        self._add(form, name, label, field)

    def _add_choice(self, form, name, label, choices, tip):
        """tip: what else can be typed; None if nothing."""
        field = QComboBox()
        field.addItems(choices)
        field.activated[str].connect(lambda text: self.changed.emit(name, text))
        if tip is not None:
            edit = QLineEdit()  # not Qt's own: what is connected to that can be lost
            field.setEditable(True)
            field.setLineEdit(edit)
            field.setCompleter(None)  # what is typed counts, not what begins like it
            field.setInsertPolicy(QComboBox.NoInsert)
            field.setToolTip(tip)
            edit.editingFinished.connect(lambda: self._finish(name, edit))
        self._add(form, name, label, field)

    def _finish(self, name, edit):
        """Reports a text that the user has changed."""
        if edit.isModified():
            edit.setModified(False)
            self.changed.emit(name, edit.text().strip())

    def _add(self, form, name, label, field):
        self.fields[name] = field
        form.addRow(label, field)

    def _add_button(self, form, name, label):
        button = QPushButton(label)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self.pressed.emit(name))
        self.buttons[name] = button
        form.addRow(button)

    def _make_switch(self, name, label, on, colour=None):
        switch = QCheckBox(label)
        switch.setChecked(on)
        if colour is not None:
            switch.setStyleSheet(f"color: {colour}")
        switch.toggled.connect(lambda state: self.switched.emit(name, state))
        self.switches[name] = switch
        return switch


def make_group(title):
    """(box, its form)."""
    group = QGroupBox(title)
    form = QFormLayout(group)
    form.setContentsMargins(4, 4, 4, 4)
    form.setVerticalSpacing(4)
    return group, form
