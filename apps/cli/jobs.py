# SPDX-License-Identifier: GPL-3.0-or-later
"""Divides work among processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from .errors import CommandError
from .progress import progress_bar


def run_in_processes(function, tasks, jobs, unit, force_progress=False):
    """[function(*task) for task in tasks], by `jobs` processes, in the order of tasks.

    The processes are forks, so this one must not have used CUDA before. 0: by this process
    itself, which must not fork any more then.
    """
    if jobs == 0:
        found = []
        with progress_bar(len(tasks), unit, force_progress) as bar:
            for task in tasks:
                found.append(function(*task))
                bar.update(1)
        return found
    fork = multiprocessing.get_context("fork")
    results = {}
    try:
        with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=fork) as pool:
            try:
                indices = {
                    pool.submit(function, *task): i for i, task in enumerate(tasks)
                }
                with progress_bar(len(tasks), unit, force_progress) as bar:
                    for future in as_completed(indices):
                        results[indices[future]] = future.result()
                        bar.update(1)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in multiprocessing.active_children():
                    process.kill()  # a long transform hears no signal
                raise
    except BrokenProcessPool:
        raise CommandError(
            "a process died, perhaps for lack of memory: use fewer --jobs"
        ) from None
    return [results[i] for i in range(len(tasks))]
