# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft analyzer`: the spectrum of a running stream, in a window or in browsers.

command          the command line
settings         the values that the controls set
sources          where samples come from: files, radios, the network, the built-in scene
playback         position, speed, loop and steps in a recording, and its frames
playback_blocks  the blocks that play it
transport        the steps that keys and controls take in it
notes            its annotations
chain            power spectrum -> spectrum_view, and changes while it runs
flowgraph        a source before the chain
branches         further blocks behind the source
meter            rates and lost samples, for the status line
panel            the controls, as data
actions          what each control does
session          a running analyzer without its display
trace            the average by bins, for markers and measurements
markers          markers and deltas
measure          a channel's power, occupied bandwidth, neighbours
instrument       markers and channel of a session, and their steps
channel_filter   the channel's samples out of the stream
demodulator      audio out of the channel's samples
audio            sound card and WAV file
receiver         listening: from the session's channel to audio
sigmf_file       a recording that grows
recorder         the block that writes it
recordings       recording: by hand, or by the channel's level
keys             which key takes which step
readout          the words of what is read
waterfall_range  levels that suit the waterfall's lines
screen           what is drawn of one picture: decibels, frequencies, peaks
theme            colours
history          all lines of the waterfall, in bounded memory
export           traces and waterfall as numbers
plots            spectrum and density
waterfall_plot   the waterfall, live or scrolled back
note_items       annotations on the plots
bar              the position in a recording
saving           what the window saves
controls         the panel beside them
level_axis       an axis that wheel and dragging act on
marker_items     markers and channel on the plots
pointer          the mouse over the plots
results          what markers and channel read, under the plots; help
window           draws a session, 30 times a second
sink_flowgraph   the chain as a part of somebody else's flowgraph
sink             session and window for gpufft.spectrum_sink

In place of the window, for browsers:

access           the command line's address, token and certificate
server           serves page/ and its WebSockets
audience         the viewers of a session, of whom one is in control
viewer           one viewer: its requests, and what waits to be sent
wire             pictures as bytes
describe         the rest as JSON
page/            plots and controls in JavaScript
"""
