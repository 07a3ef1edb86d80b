# SPDX-License-Identifier: GPL-3.0-or-later
"""The `gpufft` command: one module for each subcommand, one for each job behind it."""
