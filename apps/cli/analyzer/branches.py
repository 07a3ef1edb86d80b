# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks that take the source's samples beside the chain that makes pictures."""


class Branches:
    """A part of a flowgraph. A branch is one block (which may be hierarchical) that takes
    items of the source's format, in real time if a file is played so."""

    takes_branches = True

    def __init__(self):
        self._branches = {}  # name -> block
        self._tail = None  # the block that they are connected to

    def set_branch(self, name, block=None):
        """Connects a block in place of the one of this name; None: only takes that away."""
        self.lock()
        try:
            if name in self._branches:
                self.disconnect(self._tail, self._branches.pop(name))
            if block is not None:
                self._branches[name] = block
                self.connect(self._tail, block)
        finally:
            self.unlock()

    def _connect_branches(self, tail):
        """Connects all of them to another block."""
        self._tail = tail
        for block in self._branches.values():
            self.connect(tail, block)

    def _disconnect_branches(self):
        for block in self._branches.values():
            self.disconnect(self._tail, block)
