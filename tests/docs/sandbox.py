# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder in which a page's commands run: the project's folders by their names, `build` for
the build folder, gpufft on PATH. The pages themselves are copies: commands write beside
them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from page import PROJECT

BUILD = Path(os.environ["GPUFFT_BUILD_DIR"])


def make(folder):
    """Fills the folder."""
    for path in PROJECT.iterdir():
        if path.is_dir() and path.name not in ("docs", "build", ".git"):
            (folder / path.name).symlink_to(path)
    shutil.copy(PROJECT / "README.md", folder)
    shutil.copytree(PROJECT / "docs", folder / "docs")
    (folder / "build").symlink_to(BUILD)


def environment(folder):
    """No screen, no settings of the user's; this Python and this build before all others."""
    places = [BUILD / "apps", Path(sys.executable).parent]
    return {
        **os.environ,
        "HOME": str(folder),
        "MPLBACKEND": "Agg",
        "QT_QPA_PLATFORM": "offscreen",
        "PATH": os.pathsep.join([*map(str, places), os.environ["PATH"]]),
    }


def run(command, folder, timeout=1200):
    """Runs a command in the sandbox; returns the finished process with its texts."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment(folder),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        check=False,
    )
