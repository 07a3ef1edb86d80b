# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's panel of controls. Each has a name; it emits `changed(name, text)` when the
user sets a value, `switched(name, on)` for a box and `pressed(name)` for a button."""

from PyQt5.QtCore import Qt, pyqtSignal
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

from .panel import Button, Field

WIDTH = 268


class Controls(QWidget):
    """All controls of a panel; `set_text` shows the current value."""

    changed = pyqtSignal(str, str)
    switched = pyqtSignal(str, bool)
    pressed = pyqtSignal(str)
    left = pyqtSignal()  # a field: its text or choice is made

    def __init__(self, panel):
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.fields, self.switches, self.buttons = {}, {}, {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 6)
        layout.setSpacing(4)
        peaks, form = make_box("Peaks")
        self._peak_table = QLabel()
        form.addRow(self._peak_table)
        for group in panel:
            if group.title == "Channel":  # which is used less, with all that follows
                layout.addWidget(peaks)
            layout.addWidget(self._make_group(group))
        layout.addStretch()

    def set_text(self, name, text):
        """Shows a value, unless the user is editing it."""
        field = self.fields[name]
        edit = field.lineEdit() if isinstance(field, QComboBox) else field
        if edit is None:
            field.setCurrentText(text)
        elif edit.text() != text and not (edit.hasFocus() and edit.isModified()):
            edit.setText(text)  # which takes the cursor to the end

    def forget_edits(self):
        """Gives up what is typed and not yet entered."""
        for edit in self.findChildren(QLineEdit):
            edit.setModified(False)

    def show_peaks(self, texts):
        """The table: number, frequency, level."""
        rows = "".join(
            f"<tr><td><b>{number}</b>&nbsp;</td>"
            f'<td align="right">{frequency}&nbsp;&nbsp;</td>'
            f'<td align="right">{level}</td></tr>'
            for number, (frequency, level) in enumerate(texts, 1)
        )
        table = f"<table>{rows}</table>" if texts else "none above the noise"
        self._peak_table.setText(table)

    def _make_group(self, group):
        box, form = make_box(group.title)
        grid = None
        for control in group.controls:
            if isinstance(control, Field):
                form.addRow(control.label, self._make_field(control))
            elif isinstance(control, Button):
                form.addRow(self._make_button(control))
            else:
                if grid is None:
                    grid = QGridLayout()
                    form.addRow(grid)
                grid.addWidget(self._make_switch(control), *divmod(grid.count(), 2))
        return box

    def _make_field(self, control):
        if not control.choices:
            field = QLineEdit()
            self._connect_edit(control.name, field)
        else:
            field = self._make_choice(control)
        if control.tip is not None:
            field.setToolTip(control.tip)
        self.fields[control.name] = field
        return field

    def _make_choice(self, control):
        name = control.name
        field = Choice()
        field.addItems(control.choices)
        field.activated[str].connect(lambda text: self.changed.emit(name, text))
        field.activated.connect(self.left)
        if control.tip is not None:
            edit = QLineEdit()  # not Qt's own: what is connected to that can be lost
            field.setEditable(True)
            field.setLineEdit(edit)
            field.setCompleter(None)  # what is typed counts, not what begins like it
            field.setInsertPolicy(QComboBox.NoInsert)
            self._connect_edit(name, edit)
        return field

    def _connect_edit(self, name, edit):
        edit.editingFinished.connect(lambda: self._finish(name, edit))
        edit.returnPressed.connect(self.left)

    def _finish(self, name, edit):
        """Reports a text that the user has changed."""
        if edit.isModified():
            edit.setModified(False)
            self.changed.emit(name, edit.text().strip())

    def _make_button(self, control):
        button = QPushButton(control.label)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self.pressed.emit(control.name))
        self.buttons[control.name] = button
        return button

    def _make_switch(self, control):
        switch = QCheckBox(control.label)
        switch.setChecked(control.is_on)
        if control.colour is not None:
            switch.setStyleSheet(
                f"QCheckBox::indicator:checked {{ background: {control.colour}; }}"
            )
        switch.toggled.connect(lambda state: self.switched.emit(control.name, state))
        self.switches[control.name] = switch
        return switch


class Choice(QComboBox):
    """A list that the wheel changes only after a click: else it scrolls the panel."""

    def __init__(self):
        super().__init__()
        self.setFocusPolicy(Qt.StrongFocus)

    def wheelEvent(self, event):
        """Leaves the wheel to the panel without the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def make_box(title):
    """(box, its form)."""
    group = QGroupBox(title)
    form = QFormLayout(group)
    form.setContentsMargins(4, 4, 4, 4)
    form.setVerticalSpacing(4)
    return group, form
