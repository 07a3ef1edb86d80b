#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a flowgraph in GNU Radio Companion and executes it there, as F6 does, until it ends:

    execute_in_companion.py FLOWGRAPH

Companion prints what its console shows. Needs a screen."""

import os
import sys
import tempfile

from gnuradio import gr

os.environ["HOME"] = tempfile.mkdtemp()  # Companion as it is at first, without settings
# What it prints goes to the console.
os.environ["GR_CONF_GRC_XTERM_EXECUTABLE"] = os.devnull

import gi  # noqa: E402 (the environment is read when Companion is imported)

gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import GLib  # noqa: E402
from gnuradio.grc.gui.Platform import Platform  # noqa: E402 (first: they import each other)
from gnuradio.grc.gui import Actions  # noqa: E402
from gnuradio.grc.gui.Application import Application  # noqa: E402


class Execution(Application):
    """Companion, which executes its flowgraph as soon as it is there, and ends after it."""

    def do_activate(self):
        Application.do_activate(self)
        GLib.idle_add(self.execute)

    def execute(self):
        Actions.FLOW_GRAPH_EXEC()
        GLib.timeout_add(100, self.quit_at_end)

    def quit_at_end(self):
        is_running = self.main_window.current_page.process is not None
        if not is_running:
            self.quit()
        return is_running


def main():
    version = (gr.major_version(), gr.api_version(), gr.minor_version())
    platform = Platform(
        version=gr.version(),
        version_parts=version,
        prefs=gr.prefs(),
        install_prefix=gr.prefix(),
    )
    platform.build_library()
    Execution(sys.argv[1:2], platform).run()


if __name__ == "__main__":
    main()
