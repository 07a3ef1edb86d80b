# SPDX-License-Identifier: GPL-3.0-or-later
"""SigMF metadata (https://sigmf.org): what a recording's .sigmf-meta file says."""

import json
from pathlib import Path

from .errors import InputError
from .formats import SIGMF_DATATYPES
from .quantities import LARGEST, LOWEST_RATE


def find_metadata(path):
    """The .sigmf-meta file that `path` (or data file, or base name) means, or None."""
    if path.suffix == ".sigmf" and path.exists():
        raise InputError(f"{path} is a SigMF archive: unpack it first (tar xf {path})")
    if path.suffix == ".sigmf-meta":
        return path
    if path.suffix == ".sigmf-data":
        metadata = path.with_suffix(".sigmf-meta")
        return None if path.exists() and not metadata.exists() else metadata
    if not path.exists() and path.with_name(f"{path.name}.sigmf-meta").exists():
        return path.with_name(f"{path.name}.sigmf-meta")
    return None


def read(path, given=()):
    """Reads the metadata file `path`: a dict of Recording's fields, and "bytes" of samples.

    given: those of "format", "rate" and "frequency" that the user says; they are not read.
    """
    metadata = load(path)
    facts = section(path, metadata, "global", dict)
    captures = section(path, metadata, "captures", list)
    first = captures[0] if captures and isinstance(captures[0], dict) else {}
    if number(path, facts, "core:num_channels", 1) != 1:
        raise InputError(
            f"{path}: core:num_channels is {facts['core:num_channels']}, only 1 "
            f"can be read"
        )
    check_gaps(path, captures)
    whole_number(path, facts, "core:offset")
    data_path = dataset(path, facts)
    header = whole_number(path, first, "core:header_bytes")
    around = header + whole_number(path, facts, "core:trailing_bytes")
    readers = {
        "format": lambda: sample_format(path, facts),
        "rate": lambda: number(path, facts, "core:sample_rate", least=LOWEST_RATE),
        "frequency": lambda: number(path, first, "core:frequency"),
    }
    return {
        "path": data_path,
        **{name: read() for name, read in readers.items() if name not in given},
        "offset": header,
        "bytes": max(0, data_path.stat().st_size - around),
        "notes": [] if "frequency" in given else retuning_note(path, captures),
    }


def load(path):
    """The JSON object in `path`."""
    try:
        metadata = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not SigMF metadata: no JSON ({error})") from None
    if not isinstance(metadata, dict):
        raise InputError(f"{path} is not SigMF metadata: no JSON object")
    return metadata


def section(path, metadata, name, kind):
    """metadata[name], of the right kind; an empty one if it is not there."""
    value = metadata.get(name, kind())
    if not isinstance(value, kind):
        raise InputError(
            f"{path} is not SigMF metadata: {name!r} is no "
            f"{'object' if kind is dict else 'array'}"
        )
    return value


def number(path, values, name, default=None, least=None):
    """values[name] if it is a sane number >= least, `default` if it is not there."""
    value = values.get(name)
    if value is None:
        return default
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not abs(value) < LARGEST
    ):
        raise InputError(f"{path}: {name} is {value!r}, it must be a number")
    if least is not None and value < least:
        raise InputError(f"{path}: {name} is {value!r}, it must be at least {least}")
    return value


def whole_number(path, values, name):
    """values[name], a number of bytes or samples; 0 if it is not there."""
    value = number(path, values, name, 0, least=0)
    if value != int(value):
        raise InputError(f"{path}: {name} is {value!r}, it must be a whole number")
    return int(value)


def check_gaps(path, captures):
    """Raises InputError if there are other bytes between the samples."""
    for index, capture in enumerate(captures[1:], 1):
        if isinstance(capture, dict) and capture.get("core:header_bytes"):
            raise InputError(
                f"{path}: core:header_bytes of capture {index} (from 0 on) is "
                f"{capture['core:header_bytes']!r}: only capture 0 can have a header"
            )


def sample_format(path, facts):
    """Our name of core:datatype."""
    datatype = facts.get("core:datatype")
    if datatype is None:
        raise InputError(f"{path} has no core:datatype in its global object")
    try:
        return SIGMF_DATATYPES[datatype]
    except (KeyError, TypeError):
        raise InputError(
            f"{path}: core:datatype {datatype!r} cannot be read: only "
            f"{', '.join(SIGMF_DATATYPES)}"
        ) from None


def dataset(path, facts):
    """The data file: core:dataset beside `path`, else the one of the same name."""
    name = facts.get("core:dataset") or path.with_suffix(".sigmf-data").name
    if not isinstance(name, str) or Path(name).name != name or "\0" in name:
        raise InputError(
            f"{path}: core:dataset is {name!r}, it must be the name of a file beside it"
        )
    data_path = path.with_name(name)
    if not data_path.is_file():
        raise InputError(f"{path}: its data file {data_path} is missing")
    return data_path


def retuning_note(path, captures):
    """A note if the frequency changes within the recording: one axis serves all of it."""
    values = [each.get("core:frequency") for each in captures if isinstance(each, dict)]
    frequencies = {value for value in values if isinstance(value, (int, float))}
    if len(frequencies) < 2:
        return []
    return [
        f"{path}: the centre frequency changes between its {len(captures)} captures; the "
        f"axis shows the first one's"
    ]
