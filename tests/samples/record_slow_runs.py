#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A training without a framework, of which profiles are recorded: the samples profile_straggler, profile_even, profile_limited and
profile_not_limited (README.md). It only computes: WORKERS processes, of which the last one does TIMES the work of a step.

    smdbg-tui sample -i 500 -o FOLDER -- python3 record_slow_runs.py SECONDS WORKERS TIMES

PYTHONPATH must have the folder of smdbg_profile.py."""

import hashlib
import multiprocessing
import sys
import time

import smdbg_profile


def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        hashlib.sha256(bytes(4096)).digest()


def batches():
    while True:
        compute(0.002)
        yield None


def train(seconds, times):
    end = time.monotonic() + seconds
    with smdbg_profile.profile() as prof:
        for _ in prof.loader(batches()):
            with prof.step():
                with prof.forward():
                    compute(0.015 * times)
                with prof.backward():
                    compute(0.025 * times)
            if time.monotonic() > end:
                break


def main():
    seconds, workers, times = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    processes = [multiprocessing.get_context("spawn").Process(target=train, args=(seconds, times if i == workers - 1 else 1))
                 for i in range(workers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
