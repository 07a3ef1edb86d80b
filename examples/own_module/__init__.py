# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of an out-of-tree module on gr-gpufft."""

from .own_module_python import limiter, limiter_block


class limiter_cc:
    """Limits the magnitude of complex samples: y = x min(1, limit / |x|).

    limit: above 0
    engine: "auto", "cuda" or "cpu"
    """

    def __init__(self, limit, engine="auto"):
        self._limiter = limiter(limit)
        self._block = limiter_block(self._limiter, engine)

    def set_limit(self, limit):
        """Acts from the next chunk on."""
        self._limiter.set_limit(limit)

    def to_basic_block(self):
        """The block as GNU Radio's connect() takes it."""
        return self._block.to_basic_block()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._block, name)  # engine(), error(), statistics() ...
