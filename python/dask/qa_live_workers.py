#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The block stream_map when workers freeze at the wrong moment."""

import os
import time
import unittest
from unittest import mock

import distributed
import numpy as np
from gnuradio import blocks, gr
from gnuradio.gpufft.dask import connect, stream_map
from qa_cluster_support import PATIENCE, ClusterTestCase
from qa_support import wait

LONG_TTL = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1000s"}


CANNOT_READ = """
from distributed import worker
def no(*_):
    raise TypeError("code() argument 13 must be str, not int")
worker._deserialize = no
"""


def slow(samples):
    time.sleep(0.2)
    return -samples


class QaLiveWorkers(ClusterTestCase):
    def start_all(self):
        """Two workers, which the scheduler keeps although they freeze, and a client."""
        with mock.patch.dict(os.environ, LONG_TTL):
            address = self.start_scheduler().address
        workers = [self.start_worker(address) for _ in range(2)]
        client = connect(address, timeout=PATIENCE)
        self.addCleanup(client.close)
        client.wait_for_workers(2, PATIENCE)
        return workers, client

    def test_a_worker_that_freezes_while_it_computes(self):
        """Its chunks are computed again elsewhere, long before the scheduler removes it."""
        workers, client = self.start_all()
        samples = np.arange(1000, dtype=np.float32)
        block = stream_map(
            *(client, slow, np.float32, np.float32, 30), in_flight=6, patience=16
        )
        flowgraph, sink = gr.top_block(), blocks.vector_sink_f()
        flowgraph.connect(blocks.vector_source_f(samples), block, sink)
        flowgraph.start()
        self.wait_until(lambda: all(client.processing().values()))
        self.freeze(workers[0])
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        np.testing.assert_array_equal(sink.data(), -samples)
        self.assertEqual(len(client.nthreads()), 2)  # the frozen one is still there

    def test_a_worker_that_comes_late_and_cannot_read_tasks(self):
        """Later than the client, as one with another version of Python: it gets no work."""
        workers, client = self.start_all()
        path = self.folder / "preload.py"
        path.write_text(CANNOT_READ)
        samples = np.arange(3000, dtype=np.float32)
        block = stream_map(*(client, slow, np.float32, np.float32, 30), in_flight=6)
        flowgraph, sink = gr.top_block(), blocks.vector_sink_f()
        flowgraph.connect(blocks.vector_source_f(samples), block, sink)
        other = self.start_worker(client.scheduler.address, "--preload", path)
        self.wait_until(lambda: len(client.nthreads()) == 3)
        flowgraph.start()
        said = "Could not deserialize task"
        self.wait_until(lambda: said in other.log.read_text())
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        np.testing.assert_array_equal(sink.data(), -samples)
        # Three, and those that were there when the third came back.
        self.assertLess(other.log.read_text().count(said), 3 + 6)

    def test_a_result_at_a_frozen_worker(self):
        """It is computed again elsewhere; the results of the other worker do not wait."""
        workers, client = self.start_all()
        pids = client.run(os.getpid)
        wait_for, frozen = distributed.wait, []  # the key of the result there

        async def freeze_after(future):
            await wait_for(future)
            if not frozen:
                frozen.append(future.key)
                holders = await client.scheduler.who_has(keys=frozen)
                pid = pids[holders[future.key][0]]
                self.freeze(next(each for each in workers if each.pid == pid))

        samples = np.arange(1000, dtype=np.float32)
        block = stream_map(
            *(client, np.negative, np.float32, np.float32, 30), in_flight=6, patience=16
        )
        flowgraph, sink = gr.top_block(), blocks.vector_sink_f()
        flowgraph.connect(blocks.vector_source_f(samples), block, sink)
        with mock.patch.object(distributed, "wait", freeze_after):
            flowgraph.start()
            wait(flowgraph)
        self.assertEqual(block.error(), "")
        np.testing.assert_array_equal(sink.data(), -samples)
        self.assertEqual(len(frozen), 1)


if __name__ == "__main__":
    unittest.main()
