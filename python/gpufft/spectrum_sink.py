# SPDX-License-Identifier: GPL-3.0-or-later
"""The block spectrum_sink: a spectrum analyzer as a widget of Qt in a flowgraph."""

import pmt
from gnuradio import gr
from gnuradio.fft import window as window_types

from .keywords import forgiving, shown

ITEMS = {
    "complex": gr.sizeof_gr_complex,
    "float": gr.sizeof_float,
    "short": gr.sizeof_short,
    "byte": gr.sizeof_char,
}
VECTORS = ("power", "db")
DEFAULT_OVERLAP = 0.5


class messages(gr.basic_block):
    """The message ports: calls take_freq, take_bw with the numbers that come in."""

    def __init__(self, take_freq, take_bw):
        gr.basic_block.__init__(self, "spectrum_sink_messages", None, None)
        self._take_freq, self._take_bw = take_freq, take_bw
        for port, handler in (("freq", self.handle_freq), ("bw", self.handle_bw)):
            self.message_port_register_in(pmt.intern(port))
            self.set_msg_handler(pmt.intern(port), handler)
        self.message_port_register_out(pmt.intern("freq"))

    def handle_freq(self, message):
        """A message at the port freq."""
        self._take(self._take_freq, message)

    def handle_bw(self, message):
        """A message at the port bw."""
        self._take(self._take_bw, message)

    @staticmethod
    def _take(take, message):
        """Anything but a pair of a name and a number in range is passed over, as by QT GUI:
        an exception would end the flowgraph."""
        if not pmt.is_pair(message) or not pmt.is_number(pmt.cdr(message)):
            return
        try:
            take(float(pmt.to_python(pmt.cdr(message))))
        except (TypeError, ValueError):
            pass

    def send_freq(self, frequency):
        """Sends ("freq", frequency)."""
        pair = pmt.cons(pmt.intern("freq"), pmt.from_double(frequency))
        self.message_port_pub(pmt.intern("freq"), pair)


class spectrum_sink(gr.hier_block2):
    """Spectrum, density and waterfall of a stream, in a widget of Qt: in the place of
    qtgui.freq_sink, waterfall_sink and sink, for FFT sizes to 2**22.

    The widget is the one of `gpufft analyzer`, with its controls. Every sample is in the
    traces, whatever the rate: the engine makes rows of power, and about 30 times a second the
    widget draws what has come. The stream does not wait for that. A hidden widget draws
    nothing. All setters may be called by any thread while the flowgraph runs. A change of the
    size locks the flowgraph and starts it again.

    Message ports, as those of QT GUI: `freq` in, a pair whose second part is the centre in Hz;
    `bw` in, one with the bandwidth in Hz; `freq` out, ("freq", Hz) for a double click.

    It needs PyQt5, pyqtgraph and the package of the command gpufft; without them the
    constructor raises ImportError.

    Args:
        fft_size: of the transform, 16 ... 2**22; the numbers in a vector
        samp_rate: in Hz; of vectors, the distance of two bins times fft_size
        center_freq: in Hz, of the input's centre, DC: the band is center_freq -+ samp_rate / 2,
            of float samples from center_freq on; of vectors, of bin fft_size // 2
        type: "complex" or "float" samples; "short" or "byte", I, Q, I, Q ... of integers whose
            full scale, 32768 or 128, reads 1; or ready vectors of fft_size floats of any
            block, with the frequencies in rising order: "power", or "db" for 10 log10 of it
        name: stands above the plots
        window: a name such as "hann", a type such as window.WIN_HANN, or (name or type,
            parameter), or None; of vectors, the one that they were made with (peaks are read
            between the bins by its shape)
        overlap: of successive frames, 0 <= overlap < 1; None takes hop, and one half without it
        average: frames in a row, 1 ... 2**40; None for as many as the display needs
        detector: how a row combines its frames, "mean", "max" or "min"
        averaging: time constant of the running average, in seconds; 0 is the mean since the
            last picture
        persistence: time constant of the density, in seconds
        levels: (low, high) of the plots in dB; None: they follow the signal
        parent: a widget of Qt
        hop: instead of overlap, the samples from frame to frame, 1 ... fft_size; a later
            fft_size keeps the overlap that it means
        engine, device, on_error, device_timeout: as of power_spectrum_cf; not for vectors

    Raises:
        ValueError: a value out of range
    """

    def __init__(
        self,
        fft_size=4096,
        samp_rate=1.0,
        center_freq=0.0,
        type="complex",
        name="",
        window="hann",
        overlap=None,
        average=None,
        detector="mean",
        averaging=0.3,
        persistence=1.0,
        levels=None,
        parent=None,
        *,
        hop=None,
        engine="auto",
        device=0,
        on_error="stop",
        device_timeout=10.0,
    ):
        if type not in ITEMS and type not in VECTORS:
            kinds = ", ".join(map(repr, (*ITEMS, *VECTORS)))
            raise ValueError(f"type is {shown(type)}: must be one of {kinds}")
        if None not in (hop, overlap):
            raise ValueError(
                f"hop is {hop} and overlap is {overlap}: give only one of them"
            )
        frames = ("overlap", overlap_text(overlap)) if hop is None else ("hop", hop)
        settings = {
            "size": fft_size,
            frames[0]: frames[1],
            "window": window_text(window),
            "average": "auto" if average is None else average,
            "detector": detector,
            "averaging": averaging,
            "persistence": persistence,
        }
        display = load().Display(
            type,
            name,
            {each: str(value) for each, value in settings.items()},
            samp_rate,
            center_freq,
            engine=engine,
            device=device,
            on_error=on_error,
            device_timeout=device_timeout,
        )
        item = ITEMS.get(type, gr.sizeof_float * int(fft_size))
        gr.hier_block2.__init__(
            self, "spectrum_sink", gr.io_signature(1, 1, item), gr.io_signature(0, 0, 0)
        )
        self._display = display
        self._connect()
        if levels is not None:
            self.set_levels(levels)
        if parent is not None:
            display.window.setParent(parent)

    def _connect(self):
        display = self._display
        self.connect(self, display.flowgraph)
        self._messages = messages(
            lambda center_freq: display.set_band(center_freq, None),
            lambda bandwidth: display.set_band(None, bandwidth),
        )
        for port in ("freq", "bw"):
            self.message_port_register_hier_in(port)
            self.msg_connect(self, port, self._messages, port)
        self.message_port_register_hier_out("freq")
        self.msg_connect(self._messages, "freq", self, "freq")
        display.window.chosen.connect(self._messages.send_freq)

    def qwidget(self):
        """The widget, for a layout of Qt."""
        return self._display.window

    def set_fft_size(self, fft_size):
        """fft_size 16 ... 2**22; vectors keep theirs."""
        self._display.set("size", str(fft_size))

    def set_frequency_range(self, center_freq, bandwidth):
        """center_freq and bandwidth (the sample rate) of the input, in Hz; shows all of it."""
        self._display.set_band(center_freq, bandwidth)

    def set_window(self, window):
        """The window, as the constructor takes it."""
        self._display.set("window", window_text(window))

    def set_overlap(self, overlap):
        """The overlap of successive frames, 0 <= overlap < 1; None: one half."""
        self._display.set("overlap", overlap_text(overlap))

    def set_hop(self, hop):
        """The samples from frame to frame, 1 ... fft_size; None: half of it."""
        if hop is None:
            self.set_overlap(None)
        else:
            self._display.set("hop", str(hop))

    def set_average(self, average):
        """The frames in a row, None for the display's choice."""
        self._display.set("average", "auto" if average is None else str(average))

    def set_detector(self, detector):
        """The detector: "mean", "max" or "min"."""
        self._display.set("detector", detector)

    def set_averaging(self, averaging):
        """The time constant of the running average, in seconds."""
        self._display.set("averaging", str(averaging))

    def set_persistence(self, persistence):
        """The time constant of the density, in seconds."""
        self._display.set("persistence", str(persistence))

    def set_levels(self, levels):
        """The range of levels, (low, high) in dB; None: it follows the signal."""
        self._display.set_levels(levels)

    def enable_density(self, on=True):
        """Shows the density or not; without it the engine does not count it (on: a bool)."""
        self._display.switch("show_density", on)

    def enable_waterfall(self, on=True):
        """Shows the waterfall or not (on: a bool)."""
        self._display.switch("show_waterfall", on)

    def enable_max_hold(self, on=True):
        """Shows the largest powers since the start or not (on: a bool)."""
        self._display.switch("show_max_hold", on)

    def enable_min_hold(self, on=True):
        """Shows the smallest powers since the start or not (on: a bool)."""
        self._display.switch("show_min_hold", on)

    def enable_control_panel(self, on=True):
        """Opens the controls beside the plots or closes them (on: a bool)."""
        self._display.show_controls(on)

    # GNU Radio's own call the receivers of all messages, one of which, for the port freq,
    # is the sink itself: they would never end.

    def set_processor_affinity(self, mask):
        """The cores on which the sink's blocks run: a list, the mask."""
        self._display.flowgraph.set_processor_affinity(mask)

    def unset_processor_affinity(self):
        """Lets the sink's blocks run on all cores."""
        self._display.flowgraph.unset_processor_affinity()

    def processor_affinity(self):
        """The cores on which the sink's blocks run."""
        return self._display.flowgraph.processor_affinity()

    def set_log_level(self, level):
        """Sets the level of the blocks' messages."""
        self._display.flowgraph.set_log_level(level)

    def log_level(self):
        """The level of the blocks' messages."""
        return self._display.flowgraph.log_level()


spectrum_sink.__init__ = forgiving(spectrum_sink.__init__, "spectrum_sink")


def load():
    """The module with the widget: importing gpufft does not need Qt."""
    try:
        from .cli.analyzer import sink
    except ImportError as error:
        raise ImportError(
            f"spectrum_sink needs the package of the command gpufft, PyQt5, pyqtgraph and "
            f"matplotlib ({error}): on Debian install gpufft-tools, python3-pyqt5 and "
            f"python3-pyqtgraph"
        ) from None
    return sink


def overlap_text(overlap):
    """An overlap as the controls write it."""
    return str(DEFAULT_OVERLAP if overlap is None else overlap)


def window_text(window):
    """A window as the controls write it: "hann", "kaiser:8.6"."""
    if window is None or isinstance(window, list) and not window:
        return "none"
    if isinstance(window, str):
        return window
    if isinstance(window, tuple) and len(window) == 2:
        return f"{window_text(window[0])}:{float(window[1]):g}"
    for name, value in vars(window_types).items():
        if name.startswith("WIN_") and hasattr(window, "__index__"):
            if int(value) == int(window):
                return name[4:].replace("_", "").lower()
    raise ValueError(
        f"window is {shown(window)}: must be a name, a type, (name or type, parameter) "
        "or None"
    )
