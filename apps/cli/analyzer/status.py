# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the status line, as HTML."""

import html

from ..formats import sample_bytes
from ..quantities import format_rate

SEPARATOR = " &nbsp;\N{MIDDLE DOT}&nbsp; "
WAITING = "waiting for samples"


def status_texts(flowgraph, samples_per_second, pictures_per_second, lost, is_waiting):
    """(line, its tooltip). lost: samples, None where none can be lost."""
    spectrum, view, tip = flowgraph.spectrum, flowgraph.view, ""
    if spectrum is None:  # ready vectors
        parts = [f"<b>{samples_per_second / view.bins():.4g}</b> vectors/s"]
    elif spectrum.error():
        return f"stopped: {html.escape(spectrum.error())}", ""
    else:
        parts = engine_texts(flowgraph, samples_per_second)
        tip = f"{spectrum.engine_reason()}\n{spectrum.describe()}"
    parts += state_texts(flowgraph, lost, is_waiting)
    parts.append(f"{pictures_per_second:.0f} pictures/s")
    if spectrum is not None:
        parts.append(density_text(spectrum))
    if view.rows_left_out():
        parts.append(f"{view.rows_left_out()} rows with NaN or Inf")
    return SEPARATOR.join(parts), tip


def engine_texts(flowgraph, samples_per_second):
    """What the transform does."""
    gigabytes = 1e-9 * samples_per_second * sample_bytes(flowgraph.source.format)
    return [
        f"engine <b>{flowgraph.spectrum.engine()}</b>",
        f"<b>{format_rate(samples_per_second)}</b>",
        f"<b>{gigabytes:.2f} GB/s</b>",
    ]


def state_texts(flowgraph, lost, is_waiting):
    """What the source does, if there is anything to say."""
    if flowgraph.has_ended():
        return [html.escape(flowgraph.source.end)]
    if is_waiting:
        return [f"<b>{WAITING}</b>"]
    return [] if lost is None else [f"<b>{lost}</b> samples dropped"]


def density_text(spectrum):
    """What the density includes."""
    return "density of every frame" if spectrum.density_bins() else "no density"
