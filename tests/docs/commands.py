# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of a page, by their programs and options; what the project's own programs
say of theirs."""

import functools
import re
import shlex
import subprocess

from page import PROJECT

REPORTERS = ("gpufft",)  # programs whose --help tells every option


def commands(source):
    """Every simple command of a shell text, as a list of words."""
    text = source.replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        words = []
        for word in [*lexer, ";"]:
            if set(word) <= set("|&;()"):
                if words:
                    found.append(without_settings(words))
                words = []
            else:
                words.append(word)
    return [words for words in found if words]


def without_settings(words):
    """Without the NAME=value before the program, and without its prompt."""
    while words and (re.fullmatch(r"\w+=.*", words[0]) or words[0] == "sudo"):
        words = words[1:]
    return words


def wrong_options(words, run):
    """The options of one command that its program does not have, in words. `run` calls a
    program in the sandbox and returns what it prints."""
    program = words[0].rpartition("/")[2]
    if program == "cmake":
        return wrong_definitions(words)
    helped = help_command(words)
    if helped is None:
        return []
    said = run(helped)
    options = [word.split("=")[0] for word in words[1:] if re.match(r"--?[A-Za-z]", word)]
    return [
        f"{' '.join(helped[:-1])} has no {option}"
        for option in options
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", said)
    ]


def help_command(words):
    """The command that tells a program's options; None if it is not the project's."""
    program = words[0]
    name = program.rpartition("/")[2]
    if name in REPORTERS:
        named = len(words) > 1 and not words[1].startswith("-")
        return (program, *([words[1]] if named else []), "--help")
    if name in ("python3", "xvfb-run") and len(words) > 1:
        rest = [word for word in words[1:] if not word.startswith("-")]
        return help_command(rest) if rest else None
    if name.endswith(".py") and reads_options(name):
        return (program, "--help")
    return None


@functools.lru_cache(None)
def reads_options(name):
    """Whether a script of the project reads its command line by argparse."""
    listed = subprocess.run(
        ["grep", "-rlE", "--include", name, "ArgumentParser|parse_arguments", "."],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return bool(listed.stdout)


@functools.lru_cache(None)
def cmake_variables():
    """The names of every variable and option in the project's CMake files."""
    files = [PROJECT / "CMakeLists.txt", *PROJECT.glob("*/**/CMakeLists.txt")]
    files += PROJECT.glob("cmake/*.cmake")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return set(re.findall(r"\b[A-Z][A-Za-z0-9_]+\b", text))


def wrong_definitions(words):
    """-D of a CMake variable that neither the project nor CMake has."""
    names = [word[2:].split("=")[0].split(":")[0] for word in words if word[:2] == "-D"]
    known = cmake_variables()
    return [
        f"no CMake variable {name}"
        for name in names
        if name not in known and not name.startswith("CMAKE_")
    ]
