# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reaches the analyzer's page: address, token, encryption."""

import hmac
import ipaddress
import os
import re
import secrets
import socket
import ssl
from dataclasses import dataclass
from typing import Optional

from ..errors import CommandError, InputError
from ..quantities import parse_integer

TOKEN_BYTES = 16
TOKEN = re.compile(r"[A-Za-z0-9_-]{22,200}")  # 22 characters hold 128 bits
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Access:
    """host, port: to listen at; token: part of the page's path; encryption: of TLS."""

    host: str
    port: int
    token: str
    encryption: Optional[ssl.SSLContext]

    def admits(self, token):
        """Whether this is the token, in a time that tells nothing about it."""
        given = token.encode(errors="replace")
        return hmac.compare_digest(given, self.token.encode())

    def url(self, port):
        """The page's address at the port that is open."""
        scheme = "http" if self.encryption is None else "https"
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.host in ("0.0.0.0", "::"):
            host = socket.gethostname()
        return f"{scheme}://{host}:{port}/{self.token}/"

    def is_readable(self):
        """Whether the network carries the token in the clear."""
        return self.encryption is None and not is_loopback(self.host)


def make_access(arguments):
    """As the command line says. Raises CommandError."""
    host, port = parse_address(arguments.serve)
    encryption = load_encryption(arguments.certificate, arguments.key)
    file = arguments.token
    token = secrets.token_urlsafe(TOKEN_BYTES) if file is None else keep_token(file)
    return Access(host, port, token, encryption)


def parse_address(text):
    """(host, port) of "[HOST:]PORT"; an IPv6 address is written in brackets."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else LOOPBACK
    if not host or not port.isascii() or not port.isdigit():
        raise InputError(
            f"--serve {text!r}: write [HOST:]PORT, e.g. 8080 or 0.0.0.0:8080"
        )
    return host, parse_integer(port, "--serve: the port", 0, 65535)


def is_loopback(host):
    """Whether only this machine reaches it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def load_encryption(certificate, key):
    """The TLS context of PEM files; None without a certificate."""
    if certificate is None:
        if key is not None:
            raise InputError("--key needs --certificate, the certificate of this key")
        return None
    for name in filter(None, (certificate, key)):
        check_readable(name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")  # never asks for one
    except (ssl.SSLError, OSError, ValueError) as error:
        names = certificate if key is None else f"{certificate} and {key}"
        raise InputError(
            f"{names}: no certificate with its key, unencrypted, as PEM ({error})"
        ) from None
    return context


def check_readable(name):
    """Raises InputError if a file cannot be read."""
    try:
        with open(name, "rb"):
            pass
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{name!r} cannot be read: {error}") from None


def keep_token(name):
    """The token that a file holds; writes the file first if there is none."""
    try:
        if not os.path.lexists(name):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with open(os.open(name, flags, 0o600), "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")
        with open(name, encoding="ascii") as file:
            mode = os.fstat(file.fileno()).st_mode & 0o777
            token = file.read(1000).strip()
    except OSError as error:
        raise CommandError(f"--token {name}: {error.strerror}") from None
    except ValueError:
        token = ""
    if not TOKEN.fullmatch(token):
        raise InputError(
            f"--token {name}: the file must hold 22 to 200 characters of A-Z, a-z, 0-9, "
            f"_ and -"
        )
    if mode & 0o077:
        raise InputError(
            f"--token {name}: its mode {mode:03o} lets others reach the token: make the "
            f"file yours alone (chmod 600)"
        )
    return token
