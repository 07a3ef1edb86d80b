# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft info`: the engines, cards, versions and kernel cache of this machine."""

import ctypes
import json
import platform

from gnuradio import fft, gpufft, gr  # noqa: F401 (fft brings FFTW and VOLK)

from .errors import CommandError, InputError


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "info",
        help="engines, cards, versions and kernel cache of this machine",
        description="Shows which engines can be used here, and why others cannot.",
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")
    words = "remove all files kept on this machine: compiled kernels, wisdom, times"
    parser.add_argument("--clear-cache", action="store_true", help=words)
    parser.set_defaults(run=run)


def run(arguments):
    """Runs the subcommand."""
    if arguments.clear_cache:
        if arguments.json:
            raise InputError("--clear-cache prints no JSON: leave --json out")
        clear_cache()
        return
    facts = collect()
    print(json.dumps(facts, indent=2) if arguments.json else "\n".join(lines(facts)))


def clear_cache():
    """Empties the cache and prints what it held. Raises CommandError on failure."""
    before = gpufft.clear_cache()
    left = gpufft.query_cache()
    if left["reason"]:
        raise CommandError(left["reason"])
    if left["bytes"]:
        raise CommandError(
            f"{left['directory']} cannot be emptied: {size_of(left)} remain"
        )
    print(f"removed from {before['directory'] or '-'}: {size_of(before)}")


def size_of(cache):
    """In words."""
    return f"{cache['kernels']} kernels, {cache['bytes'] / 1024:.0f} KiB in all"


def collect():
    """Everything, as plain data."""
    cuda = gpufft.query_cuda()
    return {
        "gpufft": gpufft.version(),
        "engines": {
            "cpu": {"usable": True, "reason": ""},
            "cuda": {"usable": cuda["usable"], "reason": cuda["reason"]},
        },
        "cards": cuda["devices"],
        "versions": {
            "CUDA driver": cuda["driver"],
            "NVRTC": " in ".join(filter(None, (cuda["nvrtc"], cuda["nvrtc_file"]))),
            "GNU Radio": gr.version(),
            "FFTW": library_text("libfftw3f", "fftwf_version", is_function=False),
            "VOLK": library_text("libvolk", "volk_version"),
            "VOLK machine": library_text("libvolk", "volk_get_machine"),
            "Python": platform.python_version(),
        },
        "cache": gpufft.query_cache(),
    }


def library_text(library, symbol, is_function=True):
    """A C string from a library that this process has loaded; "" if it has not."""
    path = loaded_path(library)
    if path is None:
        return ""
    loaded = ctypes.CDLL(path)
    if is_function:
        function = getattr(loaded, symbol)
        function.restype = ctypes.c_char_p
        return function().decode()
    return ctypes.string_at(
        ctypes.addressof(ctypes.c_char.in_dll(loaded, symbol))
    ).decode()


def loaded_path(library):
    """Path of the shared library that is mapped into this process under such a name."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            if path.rpartition("/")[2].startswith(f"{library}.so"):
                return f"/{path}"
    return None


def lines(facts):
    """The same for people."""
    yield f"gpufft {facts['gpufft']}"
    yield ""
    for name, engine in facts["engines"].items():
        state = "usable" if engine["usable"] else f"no: {engine['reason']}"
        yield f"engine {name:<6}{state}"
    for gpu in facts["cards"]:
        capability = ".".join(map(str, gpu["compute_capability"]))
        yield (
            f"card {gpu['index']:<8}{gpu['name']}, compute capability {capability}, "
            f"{gpu['multiprocessors']} multiprocessors, "
            f"{gpu['memory_bytes'] / 2**30:.1f} GiB"
        )
    yield ""
    for name, version in facts["versions"].items():
        yield f"{name:<13}{version or '-'}"
    yield ""
    cache = facts["cache"]
    state = cache["reason"] or size_of(cache)
    yield f"{'cache':<13}{cache['directory'] or '-'} ({state})"
