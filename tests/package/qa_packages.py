#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The .deb packages that cpack makes of the build folder: what they say, what they hold, and
that it works from where they are unpacked."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
BUILD = Path(os.environ["GPUFFT_BUILD_DIR"])
LIBRARIES, DEVELOPMENT = "libgnuradio-gpufft0.1", "libgnuradio-gpufft-dev"
PYTHON, TOOLS = "gr-gpufft", "gpufft-tools"
PACKAGES = {LIBRARIES, DEVELOPMENT, PYTHON, TOOLS}


def run(*command, **options):
    """What a command prints; raises with that if it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=2000,
        check=False,
        **options,
    )
    if done.returncode:
        raise AssertionError(f"{command} failed:\n{done.stdout}")
    return done.stdout


def setUpModule():
    """Makes the packages, unpacks each into a folder of its own, and all into one root."""
    global DEBS, EACH, ROOT, HOME
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    debs, EACH, ROOT, HOME = (
        Path(folder.name) / name for name in ("debs", "each", "root", "home")
    )
    EACH.mkdir()
    HOME.mkdir()
    run("cpack", "-G", "DEB", "-B", debs, cwd=BUILD)
    DEBS = {path.name.split("_")[0]: path for path in debs.glob("*.deb")}
    for name, path in DEBS.items():
        run("dpkg-deb", "-x", path, EACH / name)
        run("dpkg-deb", "-x", path, ROOT)


def field(package, name):
    """A field of a package's control file."""
    return run("dpkg-deb", "-f", DEBS[package], name).strip()


def files(package):
    """Names of what a package holds, folders left out, without the leading /."""
    top = EACH / package
    return {
        str(path.relative_to(top))
        for path in top.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def library_dir():
    return "usr/lib/" + run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()


def unpacked_environment():
    """Finds the unpacked packages beside the installed GNU Radio."""
    return {
        **os.environ,
        "HOME": str(HOME),
        "LD_LIBRARY_PATH": str(ROOT / library_dir()),
        "PYTHONPATH": str(ROOT / "usr/lib/python3/dist-packages"),
        "GRC_BLOCKS_PATH": str(ROOT / "usr/share/gnuradio/grc/blocks"),
        "PKG_CONFIG_PATH": str(ROOT / library_dir() / "pkgconfig"),
        "CMAKE_PREFIX_PATH": str(ROOT / "usr"),
        "QT_QPA_PLATFORM": "offscreen",
    }


def run_unpacked(*command, cwd=None):
    return run(*command, env=unpacked_environment(), cwd=cwd or HOME)


class QaControl(unittest.TestCase):
    def test_the_four_packages(self):
        self.assertEqual(set(DEBS), PACKAGES)
        version = re.search(
            r"project\(gr-gpufft VERSION (\S+)",
            (PROJECT / "CMakeLists.txt").read_text(),
        )[1]
        for package in PACKAGES:
            with self.subTest(package=package):
                self.assertEqual(field(package, "Version"), f"{version}-1")
                self.assertRegex(field(package, "Maintainer"), r"^\S.* <\S+@\S+>$")
                synopsis, *description = field(package, "Description").splitlines()
                self.assertLessEqual(len(synopsis), 80)
                self.assertTrue(description)

    def test_they_belong_together(self):
        same = f"{LIBRARIES} (= {field(LIBRARIES, 'Version')})"
        for package in PACKAGES - {LIBRARIES}:
            self.assertIn(same, field(package, "Depends"))
        self.assertIn(f"{PYTHON} (=", field(TOOLS, "Depends"))
        self.assertIn("gnuradio-dev (>=", field(DEVELOPMENT, "Depends"))
        minor = sys.version_info.minor
        self.assertIn(f"python3 (<< 3.{minor + 1})", field(PYTHON, "Depends"))

    def test_windows_open_without_further_packages(self):
        self.assertIn("gir1.2-gtk-3.0", field(PYTHON, "Recommends"))  # Companion's
        analyzer = ("python3-pyqt5", "python3-pyqtgraph", "python3-aiohttp")
        for package in analyzer:
            self.assertIn(package, field(TOOLS, "Recommends"))

    def test_no_package_of_cuda_is_needed(self):
        for package in PACKAGES:
            self.assertNotRegex(field(package, "Depends"), "(?i)cuda|nvrtc|nvidia")

    def test_apt_can_install_them_here(self):
        listed = run(
            "apt-get",
            "--simulate",
            "-o",
            "Debug::NoLocking=1",
            "install",
            "--no-install-recommends",
            *DEBS.values(),
        )
        for package in PACKAGES:
            self.assertRegex(listed, rf"(?m)^Inst {package} ")

    def test_scripts_are_sound(self):
        for package in PACKAGES:
            control = EACH / f"{package}.control"
            run("dpkg-deb", "-e", DEBS[package], control)
            for script in control.glob("p*"):  # preinst, postinst, prerm, postrm
                run("sh", "-n", script)
            if package in (PYTHON, TOOLS):
                self.assertIn(
                    f"py3compile -p {package}\n", (control / "postinst").read_text()
                )
                self.assertIn(f"py3clean -p {package}\n", (control / "prerm").read_text())
            if package == LIBRARIES:
                self.assertIn("ldconfig", (control / "postinst").read_text())
                self.assertIn(f"{LIBRARIES} (>=", (control / "shlibs").read_text())
            run("md5sum", "--check", "--quiet", control / "md5sums", cwd=EACH / package)

    @unittest.skipUnless(shutil.which("lintian"), "no lintian")
    def test_lintian_finds_no_error(self):
        tags = "bogus-mail-host,bogus-mail-host-in-debian-changelog"  # said at packing
        run("lintian", "--fail-on", "error", "--suppress-tags", tags, *DEBS.values())


class QaContents(unittest.TestCase):
    def test_no_file_is_in_two_packages(self):
        held = [name for package in PACKAGES for name in files(package)]
        self.assertEqual(len(held), len(set(held)))

    def test_nothing_but_what_users_need(self):
        for package in PACKAGES:
            for name in files(package):
                self.assertTrue(name.startswith("usr/"), name)
                self.assertNotRegex(name, r"__pycache__|/local/")
                if "/own_module/" not in name:  # a module's source, with its test
                    self.assertNotRegex(name, r"/qa_|\.cc$|\.cuh$")

    def test_libraries(self):
        for name in ("libgnuradio-gpufft", "libgpufft-core"):
            library = f"{library_dir()}/{name}.so"
            self.assertIn(library, files(DEVELOPMENT))
            self.assertIn(f"{library}.0.1", files(LIBRARIES))
            dynamic = run("readelf", "--dynamic", ROOT / library)
            self.assertIn(f"soname: [{name}.so.0.1]", dynamic)

    def test_programs_are_stripped_and_have_no_search_path(self):
        found = 0
        for path in ROOT.rglob("*"):
            if (
                path.is_symlink()
                or not path.is_file()
                or path.read_bytes()[:4] != b"\x7fELF"
            ):
                continue
            with self.subTest(path=path.name):
                self.assertNotIn(".symtab", run("readelf", "--sections", path))
                self.assertNotRegex(run("readelf", "--dynamic", path), "RUNPATH|RPATH")
            found += 1
        self.assertGreaterEqual(found, 3)

    def test_headers(self):
        headers = (PROJECT / "include/gnuradio/gpufft").glob("*.h")
        names = {f"usr/include/gnuradio/gpufft/{path.name}" for path in headers}
        self.assertLessEqual(names, files(DEVELOPMENT))

    def test_blocks_of_grc_are_where_it_looks(self):
        from gnuradio import gr

        folder = "usr/share/gnuradio/grc/blocks"
        paths = gr.prefs().get_string("grc", "global_blocks_path", "").split(":")
        self.assertIn(f"/{folder}", paths)
        names = {f"{folder}/{path.name}" for path in (PROJECT / "grc").glob("*.yml")}
        self.assertLessEqual(names, files(PYTHON))

    def test_documents(self):
        for package in PACKAGES:
            for name in ("copyright", "changelog.gz", "changelog.Debian.gz"):
                self.assertIn(f"usr/share/doc/{package}/{name}", files(package))
        self.assertIn("usr/share/man/man1/gpufft.1.gz", files(TOOLS))
        for name in (
            "applications/gpufft-analyzer.desktop",
            "icons/hicolor/scalable/apps/gpufft-analyzer.svg",
        ):
            self.assertIn(f"usr/share/{name}", files(TOOLS))
        changes = run("zcat", ROOT / f"usr/share/doc/{PYTHON}/changelog.gz")
        self.assertEqual(changes, (PROJECT / "CHANGELOG.md").read_text())


class QaUnpacked(unittest.TestCase):
    def test_python(self):
        where = run_unpacked(
            sys.executable, "-c", "from gnuradio import gpufft; print(gpufft.__file__)"
        )
        self.assertTrue(where.startswith(str(ROOT)), where)

    def test_command(self):
        command = ROOT / "usr/bin/gpufft"
        self.assertIn("engine cpu   usable", run_unpacked(command, "info"))
        # And with no variable but the libraries' path: it finds its own package.
        environment = {**os.environ, "LD_LIBRARY_PATH": str(ROOT / library_dir())}
        environment.pop("PYTHONPATH", None)
        self.assertRegex(run(command, "--version", env=environment), r"^gpufft \d")

    def test_example(self):
        script = ROOT / "usr/share/gnuradio/examples/gpufft/spectrum_flowgraph.py"
        self.assertIn("19 rows on engine", run_unpacked(sys.executable, script))

    def test_example_of_grc(self):
        flowgraph = ROOT / "usr/share/gnuradio/examples/gpufft/fft_vcc_dropin.grc"
        run_unpacked("grcc", "-o", HOME, flowgraph)
        run_unpacked(sys.executable, HOME / "fft_vcc_dropin.py")
        self.assertEqual((HOME / "gpufft.cf32").stat().st_size, 100 * 1024 * 8)

    def test_program_by_pkg_config(self):
        flags = run_unpacked(
            "pkg-config", "--cflags", "--libs", "gnuradio-gpufft", "gnuradio-blocks"
        ).split()
        self.assertIn("-lgpufft-core", flags)
        run_unpacked("g++", HERE / "consumer/consumer.cc", "-o", "by_pkg_config", *flags)
        self.check_consumer(HOME / "by_pkg_config")

    def test_program_by_cmake(self):
        run_unpacked("cmake", "-S", HERE / "consumer", "-B", HOME / "by_cmake")
        run_unpacked("cmake", "--build", HOME / "by_cmake")
        self.check_consumer(HOME / "by_cmake/consumer")

    def check_consumer(self, program):
        found = re.findall(r"^\w+: bin \d+$", run_unpacked(program), re.M)
        self.assertEqual(found, ["plan: bin 100", "block: bin 100"])


class QaUninstall(unittest.TestCase):
    def test_uninstall_leaves_nothing(self):
        staged = HOME / "staged"
        environment = {**os.environ, "DESTDIR": str(staged)}
        run("cmake", "--install", BUILD, env=environment)
        self.assertTrue(list(staged.rglob("libgnuradio-gpufft.so")))
        run("cmake", "-P", BUILD / "uninstall.cmake", env=environment)
        left = [
            path for path in staged.rglob("*") if path.is_file() or "gpufft" in path.name
        ]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
