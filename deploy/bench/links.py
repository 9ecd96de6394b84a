#!/usr/bin/env python3
"""Measures a recorder on simulated devices: memory and processor time, with none, 1, 100 and 1,000 of them.

usage: links.py CASTLEDGER [--devices N ...] [--scenario chatter] [--seconds 20]

'chatter' is one status per second and device. Prints a line per fleet: resident memory, memory over an empty recorder per
device, and the recorder's processor time per device and second. Everything stays on loopback.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * PAGE


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(program, devices, scenario, seconds, first_port):
    folder = tempfile.mkdtemp(prefix="castledger-links-")
    os.chmod(folder, 0o711)  # The private cluster runs as another user when we are root.
    fleet = recorder = None
    try:
        arguments = [program, "record", "--data", folder + "/data", "--no-discovery"]
        if devices:
            fleet = subprocess.Popen(
                [program, "fleet", "--devices", str(devices), "--scenario", scenario, "--port", str(first_port)],
                stdout=subprocess.DEVNULL)
            for port in range(first_port, first_port + devices):
                arguments += ["--device", f"127.0.0.1:{port}"]
        else:
            arguments += ["--device", "127.0.0.1:9"]  # Nobody listens there: a recorder without a link.
        log = open(folder + "/log", "wb")
        recorder = subprocess.Popen(arguments, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        up = 0
        while devices and up < devices and time.monotonic() < deadline:
            time.sleep(1)
            out = subprocess.run([program, "devices", "--data", folder + "/data", "--json"], capture_output=True)
            up = sum(json.loads(line)["state"] == "linked" for line in out.stdout.splitlines() if line)
        time.sleep(5)
        before = processor_seconds(recorder.pid)
        started = time.monotonic()
        time.sleep(seconds)
        used = processor_seconds(recorder.pid) - before
        return resident(recorder.pid), used / (time.monotonic() - started), up
    finally:
        for process in (recorder, fleet):
            if process:
                process.send_signal(signal.SIGTERM)
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--devices", type=int, nargs="*", default=[1, 100, 1000])
    arguments.add_argument("--scenario", default="chatter")
    arguments.add_argument("--seconds", type=float, default=20)
    options = arguments.parse_args()
    empty, idle, _ = measure(options.program, 0, options.scenario, options.seconds, 20000)
    print(f"   0 devices: {empty / 1e6:7.1f} MB resident, {idle * 1e6:8.0f} us/s of processor", flush=True)
    for count in options.devices:
        memory, used, up = measure(options.program, count, options.scenario, options.seconds, 20000)
        print(f"{count:4} devices: {memory / 1e6:7.1f} MB resident, {(memory - empty) / count / 1e3:7.1f} KB a device, "
              f"{used * 1e6 / count:7.0f} us of processor a device and second, {up} up", flush=True)


if __name__ == "__main__":
    sys.exit(main())
