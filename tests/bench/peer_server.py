# SPDX-License-Identifier: Apache-2.0
"""Asks TensorBoard's data server for all scalars: peer_server.py SERVER LOGDIR RUNS SCALARS STEPS

Runs with the Python of the peers, whose protocol it is. Prints a line as peer_screen does:
text, chart (both "-"), seconds until all runs were listed whole and all scalars read, CPU seconds,
peak memory in KiB, idle CPU and bytes (0)."""
import os
import subprocess
import sys
import tempfile
import time

import grpc
from tensorboard.data.proto import data_provider_pb2 as pb, data_provider_pb2_grpc as rpc


def start(server, logdir):
    port_file = tempfile.mktemp()
    p = subprocess.Popen([server, "--logdir", logdir, "--port", "0", "--port-file", port_file,
                          "--reload", "once"])
    while not (os.path.exists(port_file) and open(port_file).read().endswith("\n")):
        time.sleep(0.002)
    port = int(open(port_file).read())
    os.unlink(port_file)
    return p, port


def is_whole(answer, runs, scalars, steps):
    tags = [t for run in answer.runs for t in run.tags]
    return len(tags) == runs * scalars and all(t.metadata.max_step == steps - 1 for t in tags)


def ask(port, runs, scalars, steps):
    channel = grpc.insecure_channel("localhost:%d" % port,
                                    options=[("grpc.max_receive_message_length", -1)])
    stub = rpc.TensorBoardDataProviderStub(channel)
    scalars_only = pb.PluginFilter(plugin_name="scalars")
    while not is_whole(stub.ListScalars(pb.ListScalarsRequest(plugin_filter=scalars_only)), runs,
                       scalars, steps):
        time.sleep(0.01 if runs * scalars < 10000 else 0.1)
    stub.ReadScalars(pb.ReadScalarsRequest(plugin_filter=scalars_only,
                                           downsample=pb.Downsample(num_points=1000)))


def main():
    server, logdir = sys.argv[1:3]
    began = time.monotonic()
    p, port = start(server, logdir)
    ask(port, *map(int, sys.argv[3:6]))
    wall = time.monotonic() - began
    with open("/proc/%d/stat" % p.pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    with open("/proc/%d/status" % p.pid) as f:
        peak = next(line.split()[1] for line in f if line.startswith("VmHWM"))
    p.kill()
    p.wait()
    print("- - %.3f %.3f %s - -" % (wall, cpu, peak))


main()
