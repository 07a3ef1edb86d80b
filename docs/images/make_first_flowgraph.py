#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the flowgraph of docs/first_flowgraph_grc.md in GNU Radio Companion itself, step by
step, and pictures each step.

    xvfb-run -a -s '-screen 0 1400x900x24 -noreset' docs/images/make_first_flowgraph.py [FOLDER]

writes examples/first_flowgraph.grc and docs/images/first_flowgraph_*.png, or both into the
folder. The picture of the running flowgraph needs the module: PYTHONPATH=$PWD/build/python_modules,
or installed.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from gnuradio import gr

PROJECT = Path(__file__).resolve().parents[2]
INSTALLED = gr.prefs().get_string("grc", "global_blocks_path", "").split(":")
if not any(Path(folder, "gpufft.tree.yml").exists() for folder in INSTALLED):
    os.environ.setdefault("GRC_BLOCKS_PATH", str(PROJECT / "grc"))
os.environ["HOME"] = tempfile.mkdtemp()  # Companion as it is at first, without settings

import gi  # noqa: E402 (the environment is read when Companion is imported)

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402
# First: they import each other.
from gnuradio.grc.gui.Platform import Platform  # noqa: E402
from gnuradio.grc.gui.Application import Application  # noqa: E402
from gnuradio.grc.gui.PropsDialog import PropsDialog  # noqa: E402

FOLDER = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
IMAGES = FOLDER or PROJECT / "docs" / "images"
FLOWGRAPH = (FOLDER or PROJECT / "examples") / "first_flowgraph.grc"

OPTIONS = {
    "id": "first_flowgraph",
    "title": "First flowgraph: a spectrum",
    "author": "gr-gpufft",
    "max_nouts": "8192",
}
# Name, block, place on the canvas, what is typed into its properties.
BLOCKS = [
    ("frequency", "variable_qtgui_range", (376, 8),
     {"label": "Frequency (Hz)", "value": "250e3", "start": "-1e6", "stop": "1e6",
      "step": "1e3", "rangeType": "float"}),
    ("analog_sig_source_x_0", "analog_sig_source_x", (48, 184),
     {"freq": "frequency", "amp": "0.1"}),
    ("analog_noise_source_x_0", "analog_noise_source_x", (48, 352), {"amp": "0.001"}),
    ("blocks_add_xx_0", "blocks_add_xx", (264, 280), {}),
    ("blocks_throttle_0", "blocks_throttle", (384, 284), {}),
    ("gpufft_power_spectrum_xf_0", "gpufft_power_spectrum_xf", (592, 252),
     {"fft_size": "4096", "window": "'blackmanharris'", "average": "100", "mode": "db"}),
    ("qtgui_vector_sink_f_0", "qtgui_vector_sink_f", (832, 236),
     {"name": "Spectrum", "vlen": "4096", "x_start": "-samp_rate / 2e3",
      "x_step": "samp_rate / 4096 / 1e3", "x_axis_label": "Frequency (kHz)",
      "y_axis_label": "Power (dBFS)", "ymin": "-120", "ymax": "0", "grid": "True"}),
]  # fmt: skip
CONNECTIONS = [
    ("analog_sig_source_x_0", "blocks_add_xx_0", 0),
    ("analog_noise_source_x_0", "blocks_add_xx_0", 1),
    ("blocks_add_xx_0", "blocks_throttle_0", 0),
    ("blocks_throttle_0", "gpufft_power_spectrum_xf_0", 0),
    ("gpufft_power_spectrum_xf_0", "qtgui_vector_sink_f_0", 0),
]
SPECTRUM = "gpufft_power_spectrum_xf_0"


def settle():
    """Lets Companion draw what is to be drawn."""
    for _ in range(5):
        while Gtk.events_pending():
            Gtk.main_iteration()
        GLib.usleep(50000)


def picture(window, name):
    """The window as it is on the screen, also where another one was before."""
    settle()
    window.queue_draw()
    settle()
    shown = window.get_window()
    width, height = shown.get_width(), shown.get_height()
    pixels = Gdk.pixbuf_get_from_window(shown, 0, 0, width, height)
    pixels.savev(str(IMAGES / f"first_flowgraph_{name}.png"), "png", [], [])


class Tutorial(Application):
    """Companion, which follows the page's steps as soon as it is there, and ends."""

    def do_activate(self):
        Application.do_activate(self)
        GLib.idle_add(self.follow)

    def follow(self):
        try:
            self.start()
            self.drop()
            self.set_properties()
            self.connect_ports()
            self.save()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)  # out of a callback of GTK, which would go on
        self.quit()

    @property
    def flow_graph(self):
        return self.main_window.current_flow_graph

    def block(self, name):
        return self.flow_graph.get_block(name)

    def changed(self):
        """Companion after a click: everything is checked and drawn again."""
        self.flow_graph.update()
        self.main_window.current_page.drawing_area.queue_draw()

    def start(self):
        """A new flowgraph, and the module's blocks in the tree."""
        window = self.main_window
        window.resize(1340, 560)
        window.update_panel_visibility(window.CONSOLE, False)
        window.update_panel_visibility(window.VARIABLES, False)
        settle()
        window.main.set_position(1040)
        options = self.flow_graph.options_block.params
        for key, value in OPTIONS.items():
            options[key].set_value(value)
        self.block("samp_rate").params["value"].set_value("2e6")
        self.block("samp_rate").coordinate = (248, 12)
        tree = window.btwin
        tree.treeview.collapse_all()
        ours = next(path for path in tree._categories if path[:1] == ("GPU FFT",))
        place = tree.treestore.get_path(tree._categories[ours])
        tree.treeview.expand_row(place, True)
        tree.treeview.scroll_to_cell(place, None, True, 0.0, 0.0)
        self.changed()
        picture(window, "1_new")

    def drop(self):
        """Blocks as they lie in the tree, with their defaults."""
        for name, key, place, _ in BLOCKS:
            block = self.flow_graph.new_block(key)
            block.coordinate = place
            block.params["id"].set_value(name)
        self.changed()
        picture(self.main_window, "2_blocks")

    def set_properties(self):
        for name, _, _, values in BLOCKS:
            for key, value in values.items():
                self.block(name).params[key].set_value(value)
        self.changed()
        dialog = PropsDialog(self.main_window, self.block(SPECTRUM))
        dialog.resize(640, 700)
        dialog.vbox.get_children()[0].set_position(540)
        picture(dialog, "3_properties")
        dialog.notebook.set_current_page(dialog.notebook.get_n_pages() - 1)
        picture(dialog, "4_documentation")
        dialog.destroy()

    def connect_ports(self):
        for source, sink, port in CONNECTIONS:
            self.flow_graph.connect(
                self.block(source).sources[0], self.block(sink).sinks[port]
            )
        self.changed()
        errors = list(self.flow_graph.iter_error_messages())
        if errors:
            raise SystemExit(f"the flowgraph is not valid: {errors}")
        picture(self.main_window, "5_connected")

    def save(self):
        self.platform.save_flow_graph(str(FLOWGRAPH), self.flow_graph)


# Run beside the flowgraph's own Python: its window, after two seconds.
GRAB = """
import sys
from PyQt5 import Qt
import first_flowgraph
from gnuradio.gpufft.cli import ending
application = Qt.QApplication(sys.argv)
flowgraph = first_flowgraph.first_flowgraph()
flowgraph.start()
flowgraph.resize(900, 480)
flowgraph.show()
Qt.QTimer.singleShot(2000, application.quit)
application.exec_()
flowgraph.grab().save(sys.argv[1])
flowgraph.stop()
flowgraph.wait()
ending.run(lambda: 0)
"""


def picture_of_run():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["grcc", "-o", folder, FLOWGRAPH], check=True)
        image = str(IMAGES / "first_flowgraph_6_running.png")
        subprocess.run([sys.executable, "-c", GRAB, image], cwd=folder, check=True)


def main():
    version = (gr.major_version(), gr.api_version(), gr.minor_version())
    platform = Platform(
        version=gr.version(),
        version_parts=version,
        prefs=gr.prefs(),
        install_prefix=gr.prefix(),
    )
    platform.build_library()
    Tutorial([], platform).run()
    picture_of_run()


if __name__ == "__main__":
    main()
