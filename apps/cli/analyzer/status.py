# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the status line, as HTML."""

import html

from ..formats import sample_bytes
from ..quantities import format_rate

WAITING = "waiting for samples"


def status_texts(flowgraph, samples_per_second, pictures_per_second, lost, is_waiting):
    """(line, its tooltip)."""
    spectrum, view = flowgraph.spectrum, flowgraph.view
    if spectrum.error():
        return f"stopped: {html.escape(spectrum.error())}", ""
    gigabytes = 1e-9 * samples_per_second * sample_bytes(flowgraph.source.format)
    parts = [
        f"engine <b>{spectrum.engine()}</b>",
        f"<b>{format_rate(samples_per_second)}</b>",
        f"<b>{gigabytes:.2f} GB/s</b>",
        state_text(flowgraph, lost, is_waiting),
        f"{pictures_per_second:.0f} pictures/s",
        density_text(spectrum),
    ]
    if view.rows_left_out():
        parts.append(f"{view.rows_left_out()} rows with NaN or Inf")
    separator = " &nbsp;\N{MIDDLE DOT}&nbsp; "
    return separator.join(parts), f"{spectrum.engine_reason()}\n{spectrum.describe()}"


def state_text(flowgraph, lost, is_waiting):
    """What the source does."""
    if flowgraph.has_ended():
        return html.escape(flowgraph.source.end)
    return f"<b>{WAITING}</b>" if is_waiting else f"<b>{lost}</b> samples dropped"


def density_text(spectrum):
    """What the density includes."""
    return "density of every frame" if spectrum.density_bins() else "no density"
