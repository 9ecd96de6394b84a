#!/usr/bin/env python3
"""Measures how long a frame takes from its arrival to a committed row, with devices that chatter and some
where people do things.

usage: latency.py CASTLEDGER [--devices 200] [--seconds 20]

A fifth of the devices play evenings, which makes change events; the others say once a second that nothing changed.
Asks PostgreSQL every 10 ms for change events that are new and compares each one's observed_at with the clock: the result
is at most 10 ms too high. Prints frames/s, events/s and the 50th, 99th and 100th percentile in ms. Needs psql.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

SQL = """SELECT extract(epoch FROM clock_timestamp() - observed_at) * 1000, position
FROM projection.change_event WHERE position > {after} ORDER BY position;
"""


class Database:
    """One psql that stays connected: a query in, rows out."""

    def __init__(self, socket):
        command = ["psql", "-XqAt", "-F", " ", "-h", socket, "-U", "castledger", "castledger"]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid", "postgres", "--clear-groups", *command]
        self.psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")

    def rows(self, sql):
        self.psql.stdin.write(sql + "\\echo END\n")
        self.psql.stdin.flush()
        return [line.split() for line in iter(self.psql.stdout.readline, "END\n") if line.strip()]


def measure(program, devices, seconds, first_port):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="castledger-latency-"))
    folder.chmod(0o711)
    ports = range(first_port, first_port + devices)
    running = []
    try:
        evenings = max(1, devices // 5)
        for scenario, count, port in (
                ("evening", evenings, first_port), ("chatter", devices - evenings, first_port + evenings)):
            running.append(subprocess.Popen(
                [program, "fleet", "--devices", str(count), "--scenario", scenario, "--port", str(port)],
                stdout=subprocess.DEVNULL))
        with open(folder / "log", "wb") as log:
            running.append(subprocess.Popen(
                [program, "record", "--data", str(folder / "data"), "--no-discovery",
                 *(word for port in ports for word in ("--device", f"127.0.0.1:{port}"))], stdout=log, stderr=log))
        time.sleep(15 + devices / 50)
        database = Database(str(folder / "data/postgres"))
        position = int(database.rows("SELECT position FROM projection.checkpoint;\n")[0][0])
        first, after, delays = position, position, []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.01)
            for delay, position in database.rows(SQL.format(after=after)):
                delays.append(float(delay))
                after = int(position)
        last = int(database.rows("SELECT position FROM projection.checkpoint;\n")[0][0])
        database.psql.stdin.close()
        database.psql.wait()
        return (last - first) / seconds, sorted(delays)
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--devices", type=int, default=200)
    arguments.add_argument("--seconds", type=float, default=20)
    options = arguments.parse_args()
    rate, delays = measure(os.path.abspath(options.program), options.devices, options.seconds, 20000)
    if not delays:
        raise SystemExit("no change event came")

    def at(share):
        return delays[min(len(delays) - 1, int(len(delays) * share))]

    print(f"{options.devices} devices, {rate:.0f} frames/s, {len(delays) / options.seconds:.0f} change events/s: "
          f"frame to committed row {at(0.5):.0f} ms median, {at(0.99):.0f} ms p99, {delays[-1]:.0f} ms at most")


if __name__ == "__main__":
    main()
