#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the tests that need a GPU for a machine that has one, but neither packages nor network.

As root, on Debian 12, after tests/run_tests.sh has built: makes a root folder with debootstrap
and apt unless it is there, leaves out what no test reads, and writes FOLDER/system.NNN and
FOLDER/tests.NNN, the pieces of two archives. There, as root:

    bash enter_packed_tests.sh FOLDER ROOT COMMAND...

unpacks them into ROOT, lends it that machine's GPU, and runs COMMAND inside, e.g.
`tests/gpu_suite.py --commit HASH --jobs 8`.

    tests/package/pack_gpu_tests.py --root /var/tmp/root FOLDER
    tests/package/pack_gpu_tests.py --root /var/tmp/root --only tests FOLDER
"""

import argparse
import json
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

# What the tests run on: setup.sh's lists without compilers and headers.
PACKAGES = """
    ca-certificates cmake gnuradio libboost-context1.74.0 libfftw3-double3 libfftw3-long3 openssl
    procps
    python3-aiohttp python3-distributed python3-hypothesis python3-matplotlib python3-numpy
    python3-pyqt5 python3-pyqtgraph python3-pytest python3-scipy python3-tqdm python3-zmq
    xauth xvfb xz-utils
""".split()

# Documentation, other languages, compilers, drivers and receivers that no test touches.
LEFT_OUT = """
    ./boot ./dev/* ./home ./proc/* ./sys/* ./tmp/* ./run/* ./var/cache ./var/lib/apt ./var/log
    ./usr/bin/cpack ./usr/bin/x86_64-linux-gnu-* ./usr/include ./usr/lib/gcc ./usr/lib/llvm-*
    ./usr/lib/systemd ./usr/lib/qt6 *.a __pycache__
    ./usr/lib/x86_64-linux-gnu/dri ./usr/lib/x86_64-linux-gnu/libLLVM*
    ./usr/lib/x86_64-linux-gnu/libQt6* ./usr/lib/x86_64-linux-gnu/libclang*
    ./usr/lib/x86_64-linux-gnu/libz3* ./usr/lib/x86_64-linux-gnu/lib?san.so*
    ./usr/lib/python3/dist-packages/*/tests ./usr/lib/python3/dist-packages/*/*/tests
    ./usr/lib/python3/dist-packages/OpenGL ./usr/lib/python3/dist-packages/PyQt6
    ./usr/lib/python3/dist-packages/pythran ./usr/lib/python3/dist-packages/sympy
    ./usr/share/castxml ./usr/share/cmake-*/Help ./usr/share/doc ./usr/share/gir-1.0
    ./usr/share/gnuradio/examples ./usr/share/help ./usr/share/i18n ./usr/share/icons
    ./usr/share/info ./usr/share/javascript ./usr/share/locale ./usr/share/man ./usr/share/perl*
    ./usr/share/uhd ./usr/share/unicode
""".split()


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def make_root(root):
    """A Debian of its own, with the packages."""
    if not (root / "etc/debian_version").exists():
        run("debootstrap", "--variant=minbase", "bookworm", root)
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")  # no services
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    apt = f"apt-get -q -y --no-install-recommends install {' '.join(PACKAGES)}"
    apt = f"mount -t proc proc /proc; apt-get -q update; DEBIAN_FRONTEND=noninteractive {apt}"
    run("unshare", "--mount", "chroot", root, "sh", "-c", apt)


def programs(build):
    """The programs of the tests that need a GPU."""
    command = ("ctest", "--test-dir", build, "-L", "^gpu$", "--show-only=json-v1")
    listed = json.loads(run(*command, capture_output=True).stdout)
    words = {word for test in listed["tests"] for word in test["command"]}
    return sorted(word for word in words if word.startswith(f"{build}/"))


def pack(name, folder, arguments, piece):
    """Writes FOLDER/NAME.NNN of what tar is told. Programs with the same kernels lie far from
    each other, hence the large dictionary."""
    for old in folder.glob(f"{name}.[0-9][0-9][0-9]"):
        old.unlink()
    tar = subprocess.Popen(["tar", "--create", *arguments], stdout=subprocess.PIPE)
    xz = ("xz", "--threads=1", "--lzma2=preset=6,dict=256MiB", "--stdout")
    packer = subprocess.Popen(xz, stdin=tar.stdout, stdout=subprocess.PIPE)
    run("split", "-d", "-a", "3", "-b", f"{piece}M", "-", folder / f"{name}.", stdin=packer.stdout)
    if tar.wait() or packer.wait():
        raise SystemExit(f"pack_gpu_tests.py: {name} could not be packed")


def pack_system(root, folder, piece):
    """The root folder, but what no test reads."""
    left_out = [f"--exclude={pattern}" for pattern in LEFT_OUT]
    pack("system", folder, [*left_out, "--sort=name", "-C", str(root), "."], piece)


def pack_tests(build, folder, piece):
    """Sources and build folder at their paths; of the programs only those of these tests."""
    staged = folder / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    here = staged / PROJECT.relative_to("/")
    here.mkdir(parents=True)
    names = ("git", "-C", PROJECT, "ls-files", "-z", "--cached", "--deduplicate")
    listed = run(*names, capture_output=True, text=True).stdout.split("\0")
    kept = [name for name in listed if name and not name.startswith(("debian/", "docs/images"))]
    tar = run("tar", "-C", PROJECT, "--create", *kept, capture_output=True).stdout
    run("tar", "-C", here, "--extract", input=tar)
    wanted = set(programs(build))
    there = staged / build.relative_to("/")
    for path in build.rglob("*"):
        inside = path.relative_to(build)
        is_kept = inside.parts[0] in ("apps", "python_modules", "grc", "examples") or path.name in (
            "CTestTestfile.cmake",
            "CTestCostData.txt",
            "CMakeCache.txt",
        )
        is_library = inside.parts[0] in ("lib", "python") and ".so" in path.name
        if {"CMakeFiles", "cache"} & set(inside.parts) or path.is_dir() and not path.is_symlink():
            continue
        if is_kept or is_library or str(path) in wanted:
            (there / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there / inside, follow_symlinks=False)
    for path in there.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF":
            run("strip", "--strip-unneeded", path)
    (staged / "gpu_tests").symlink_to(PROJECT)
    pack("tests", folder, ["--sort=name", "-C", str(staged), "."], piece)
    shutil.rmtree(staged)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the pieces go")
    parser.add_argument("--root", type=Path, required=True, help="the root folder; is kept")
    parser.add_argument("--build", type=Path, default=PROJECT / "build", help="the build folder")
    parser.add_argument("--only", choices=("system", "tests"), help="one of the archives")
    parser.add_argument("--piece", type=int, default=60, help="MiB of a piece")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(Path(__file__).with_name("enter_packed_tests.sh"), arguments.folder)
    if arguments.only != "tests":
        make_root(arguments.root)
        pack_system(arguments.root, arguments.folder, arguments.piece)
    if arguments.only != "system":
        pack_tests(arguments.build.resolve(), arguments.folder.resolve(), arguments.piece)


if __name__ == "__main__":
    main()
