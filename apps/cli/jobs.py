# SPDX-License-Identifier: GPL-3.0-or-later
"""Work shared out among processes, with a progress bar where tqdm is installed."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from .errors import CommandError


class NoBar:
    """Stands in for tqdm."""

    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, count):
        """Nothing to show."""

    def set_postfix_str(self, text):
        """Nothing to show."""

    def write(self, text):
        """A line on stdout."""
        print(text, flush=True)


def progress_bar(total, unit, force=False):
    """A bar on stderr: on a terminal after a second, or at once if forced."""
    try:
        from tqdm import tqdm
    except ImportError:
        return NoBar()
    return tqdm(
        total=total,
        unit=f" {unit}",
        leave=False,
        delay=0 if force else 1,
        disable=False if force else None,  # None: on a terminal
    )


def run_in_processes(function, tasks, jobs, unit, force_progress=False):
    """[function(*task) for task in tasks], by `jobs` processes, in the order of tasks.

    The processes are forks, so this one must not have used CUDA before.
    """
    fork = multiprocessing.get_context("fork")
    results = {}
    try:
        with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=fork) as pool:
            indices = {pool.submit(function, *task): i for i, task in enumerate(tasks)}
            try:
                with progress_bar(len(tasks), unit, force_progress) as bar:
                    for future in as_completed(indices):
                        results[indices[future]] = future.result()
                        bar.update(1)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    except BrokenProcessPool:
        raise CommandError(
            "a process ended by itself, perhaps for want of memory: take fewer --jobs"
        ) from None
    return [results[i] for i in range(len(tasks))]
