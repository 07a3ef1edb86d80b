# SPDX-License-Identifier: GPL-3.0-or-later
"""SigMF annotations: those that a recording has, and detections written as such."""

import datetime
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from gnuradio import gpufft

from . import sigmf
from .errors import InputError
from .formats import SIGMF_DATATYPES, sample_bytes
from .levels import level_text
from .quantities import printable

VERSION = "1.0.0"  # of SigMF, that the written metadata keep to


@dataclass(frozen=True)
class Annotation:
    """A part of a recording. Samples from the recording's first; frequencies in Hz, None
    for the whole band."""

    start: int
    count: Optional[int]  # None: to the end
    low: Optional[float]
    high: Optional[float]
    label: str


def metadata_of(recording):
    """The recording's SigMF metadata; an empty dict if it has none."""
    path = recording.files[0]
    return sigmf.load(path) if path.suffix == ".sigmf-meta" else {}


def captures_of(metadata):
    """The captures, at least one."""
    captures = metadata.get("captures", [])
    return [each for each in captures if isinstance(each, dict)] or [{}]


def start_time(recording):
    """(datetime of the first sample or None, note or None)."""
    text = captures_of(metadata_of(recording))[0].get("core:datetime")
    if text is None:
        return None, None
    try:
        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        if time.tzinfo is None:
            time = time.replace(tzinfo=datetime.timezone.utc)
        return time.astimezone(datetime.timezone.utc), None
    except (AttributeError, ValueError, OverflowError):  # before the year 1, by its zone
        return None, (
            f"{recording.files[0]}: core:datetime {text!r} is no time as "
            f"2026-01-31T12:00:00.5Z; times count from 1970"
        )


def read(recording):
    """(list of Annotation, note or None) of a recording's own metadata."""
    return read_from(recording.files[0], metadata_of(recording))


def read_from(path, metadata):
    """(list of Annotation, note or None): those that are not understood are left out."""
    annotations, faults = [], []
    offset = offset_of(path, metadata)
    found = metadata.get("annotations", [])
    if not isinstance(found, list):
        return [], f"{path}: 'annotations' is no array and is left out"
    for each in found:
        try:
            annotations.append(read_one(path, each, offset))
        except InputError as error:
            faults.append(str(error))
    if not faults:
        return annotations, None
    return annotations, (
        f"{len(faults)} of {len(found)} annotations are left out, the first: {faults[0]}"
    )


def offset_of(path, metadata):
    """The index that the metadata give the recording's first sample."""
    facts = sigmf.section(path, metadata, "global", dict)
    return sigmf.whole_number(path, facts, "core:offset")


def read_one(path, values, offset):
    """An Annotation; offset: of offset_of(). Raises InputError if it is none."""
    if not isinstance(values, dict):
        raise InputError(f"{path}: the annotation {values!r} is no object")
    start = sigmf.number(path, values, "core:sample_start", least=0)
    if start is None:
        raise InputError(f"{path}: an annotation has no core:sample_start")
    count = sigmf.number(path, values, "core:sample_count", least=0)
    low = sigmf.number(path, values, "core:freq_lower_edge")
    high = sigmf.number(path, values, "core:freq_upper_edge")
    if low is None or high is None:
        low = high = None
    elif low > high:
        raise InputError(
            f"{path}: core:freq_lower_edge {low!r} is above core:freq_upper_edge {high!r}"
        )
    words = values.get("core:label") or values.get("core:description") or ""
    label = printable(" ".join(str(words).split()))
    return Annotation(start - offset, count, low, high, label)


def write_detections(content, file):
    """content: (recording, detections, path of the file). Writes SigMF metadata: what the
    recording's own say, with `detections` as the annotations."""
    recording, detections, path = content
    metadata = metadata_of(recording)
    offset = offset_of(path, metadata)
    own = {
        "global": describe(recording, metadata.get("global", {}), path),
        "captures": describe_captures(recording, metadata),
        "annotations": [
            annotation_of(each, offset)
            for each in sorted(detections, key=lambda each: (each.start, each.low))
        ],
    }
    file.write(f"{json.dumps(own, indent=2)}\n".encode())


def file_of(recording):
    """The metadata file that has a recording's annotations: its own, or the one beside it."""
    own = recording.files[0]
    return own if own.suffix == ".sigmf-meta" else Path(f"{recording.path}.sigmf-meta")


def metadata_for(recording, path):
    """What the file of file_of() holds, or would: metadata that describe the recording."""
    if path.exists():
        return sigmf.load(path)
    return {
        "global": describe(recording, {}, path),
        "captures": describe_captures(recording, {}),
        "annotations": [],
    }


def write_with(content, file):
    """content: (metadata, Annotation). Writes the metadata with one annotation more."""
    metadata, annotation = content
    offset = offset_of("the metadata", metadata)
    found = metadata.get("annotations", [])
    if not isinstance(found, list):
        raise InputError("'annotations' of the metadata is no array: nothing is written")
    added = {
        "core:sample_start": offset + annotation.start,
        "core:sample_count": annotation.count,
        "core:freq_lower_edge": annotation.low,
        "core:freq_upper_edge": annotation.high,
        "core:label": annotation.label,
        "core:generator": f"gpufft analyzer {gpufft.version()}",
    }
    whole = {**metadata, "annotations": sorted([*found, added], key=start_of)}
    file.write(f"{json.dumps(whole, indent=2)}\n".encode())


def start_of(values):
    """Where an annotation begins, for sorting; SigMF wants them so."""
    start = values.get("core:sample_start") if isinstance(values, dict) else None
    return start if isinstance(start, (int, float)) else 0


def check_describable(recording):
    """Raises InputError if SigMF cannot describe a recording's detections."""
    if recording.rate is None:
        raise InputError(
            "--annotate needs the sample rate, for frequencies in Hz: give it with --rate"
        )
    if recording.descriptor is not None:
        raise InputError("--annotate needs a file: the samples of a stream are not kept")
    if recording.format not in SIGMF_DATATYPES.values():
        raise InputError(f"--annotate: SigMF has no datatype for {recording.format}")


def describe(recording, facts, path):
    """The global object: `facts`, and how to find and read the samples from `path`."""
    names = {format: datatype for datatype, format in SIGMF_DATATYPES.items()}
    facts = {
        "core:version": VERSION,
        **facts,
        "core:datatype": names[recording.format],
        "core:sample_rate": recording.rate,
    }
    data, meta = Path(os.path.realpath(recording.path)), Path(os.path.realpath(path))
    for name in ("core:dataset", "core:metadata_only"):
        facts.pop(name, None)
    if data.parent != meta.parent:
        facts["core:metadata_only"] = True  # the samples are not beside it
    elif data.name != meta.with_suffix(".sigmf-data").name:
        facts["core:dataset"] = data.name
        end = recording.offset + recording.samples * sample_bytes(recording.format)
        facts["core:trailing_bytes"] = os.path.getsize(data) - end
    return facts


def describe_captures(recording, metadata):
    """The captures, the first one with the recording's frequency and offset."""
    first, *others = captures_of(metadata)
    first = {"core:sample_start": offset_of(recording.path, metadata), **first}
    if recording.frequency is not None:
        first["core:frequency"] = recording.frequency
    if recording.offset:
        first["core:header_bytes"] = recording.offset
    return [first, *others]


def annotation_of(detection, offset):
    """A SigMF annotation; offset: of offset_of()."""
    level, above = f"{level_text(detection.level)} dBFS", f"{detection.above:.1f} dB"
    return {
        "core:sample_start": offset + detection.start,
        "core:sample_count": detection.count,
        "core:freq_lower_edge": detection.low,
        "core:freq_upper_edge": detection.high,
        "core:label": level,
        "core:comment": f"strongest bin {level}, {above} above the noise",
        "core:generator": f"gpufft spectrum {gpufft.version()}",
    }
