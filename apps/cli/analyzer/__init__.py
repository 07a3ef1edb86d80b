# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft analyzer`: a window with the spectrum of a running stream.

command     the command line
settings    the values that the controls set
sources     where samples come from: files, radios, the network, the built-in scene
flowgraph   source -> power spectrum -> spectrum_view, and changes while it runs
meter       rates and lost samples, for the status line
panel       the controls, as data
actions     what each control does
session     a running analyzer without its display
screen      what is drawn of one picture: decibels, frequencies, peaks
theme       colours
plots       spectrum, density, waterfall
controls    the panel beside them
window      draws a session, 30 times a second
"""
