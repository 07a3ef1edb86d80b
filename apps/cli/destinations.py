# SPDX-License-Identifier: GPL-3.0-or-later
"""Where `gpufft spectrum` writes: a file for one recording, or a folder for several."""

import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .output import OutputFile

PICTURES = (".png", ".svg", ".pdf")
TABLES = (".npy", ".csv")
DEFAULT_PICTURE = "spectrum.png"
# By attribute: the option, suffixes of its files (the first is that of one in a folder).
OPTIONS = {
    "output": ("-o", PICTURES),
    "csv": ("--csv", (".csv",)),
    "waterfall": ("--waterfall", TABLES),
    "annotate": ("--annotate", (".sigmf-meta",)),
}


@dataclass(frozen=True)
class Destinations:
    """Names of files, None for what is not wanted; or the OutputFiles."""

    output: Any  # the picture
    csv: Any
    waterfall: Any
    annotate: Any


def is_folder(path, suffixes):
    """Whether a name means a folder: it ends in a slash, or is one and no file's name."""
    return path.endswith(os.sep) or (
        os.path.isdir(path) and not path.lower().endswith(suffixes)
    )


def check_destinations(arguments, recordings):
    """Raises InputError if one file is named for several recordings."""
    for attribute, (option, suffixes) in OPTIONS.items():
        path = getattr(arguments, attribute)
        if path is not None and recordings > 1 and not is_folder(path, suffixes):
            raise InputError(
                f"{option} {path} is one file for {recordings} recordings: name a "
                f"folder, as {option} {path}/"
            )


def destinations_of(arguments, recording, is_one):
    """Files in a folder, and pictures of several recordings, have a recording's name."""
    stem = recording.files[0].stem
    found = {}
    for attribute, (_, suffixes) in OPTIONS.items():
        path = getattr(arguments, attribute)
        if path is not None and is_folder(path, suffixes):
            path = os.path.join(path, stem + suffixes[0])
        found[attribute] = path
    if found["output"] is None:
        found["output"] = DEFAULT_PICTURE if is_one else f"{stem}.png"
    return Destinations(**found)


def distinct(recordings):
    """Each once: SigMF's metadata and data file, or a name that is given twice, are one."""
    return list({tuple(map(str, each.files)): each for each in recordings}.values())


def check_names(recordings):
    """Raises InputError if two recordings have one name, and so one picture."""
    known = {}
    for recording in recordings:
        path = recording.files[0]
        other = known.setdefault(path.stem, path)
        if other is not path:
            raise InputError(
                f"{other} and {path} have the same name without its end, and so have "
                f"their outputs: give one at a time"
            )


@contextmanager
def open_outputs(names, inputs):
    """Opens the files of `names`, Destinations; inputs: files that the command reads."""
    with ExitStack() as stack:
        opened = {}
        for attribute, path in vars(names).items():
            suffix = "" if attribute == "csv" else OPTIONS[attribute][1]
            output = OutputFile(path, suffix, inputs)
            opened[attribute] = stack.enter_context(output)
            inputs = (*inputs, path)
        yield Destinations(**opened)
