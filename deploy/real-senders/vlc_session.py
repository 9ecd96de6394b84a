#!/usr/bin/env python3
"""Drives one device with VLC's chromecast output, as another sender would: LOAD, pause, play, seek, stop.

usage: vlc_session.py HOST PORT [--pause SECONDS]

Makes a WAV of its own, starts VLC without root's rights and steers it over its rc interface on loopback. VLC serves the
content over http from this machine, so the device has to read it. Prints one JSON object per step:
{"step": ..., "ok": ...}. Exit status: 0 when every step succeeded, 1 when one failed, 2 when VLC does not start.
Needs the Debian packages vlc-bin and vlc-plugin-base.
"""
import argparse
import json
import math
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave

UNPRIVILEGED = 65534  # nobody: VLC refuses to run as root

failed = []


def say(step, ok=True, **facts):
    """One line per step; a failed step makes the exit status 1."""
    if not ok:
        failed.append(step)
    print(json.dumps({"step": step, "ok": bool(ok), **facts}), flush=True)


def make_wave(path, seconds=180, rate=22050):
    """A quiet tone that rises: valid, small, and long enough to seek in."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        for second in range(seconds):
            step = 2 * math.pi * (220 + second) / rate
            file.writeframes(b"".join(struct.pack("<h", int(3000 * math.sin(step * n))) for n in range(rate)))


class RemoteControl:
    """VLC's rc interface: lines of text over TCP."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.socket.settimeout(0.5)

    def ask(self, command):
        """Sends a command and returns what comes back within half a second."""
        self.socket.sendall(command.encode() + b"\n")
        answer = b""
        try:
            while chunk := self.socket.recv(4096):
                answer += chunk
        except socket.timeout:
            pass
        return answer.decode(errors="replace").replace("\r", "").replace("> ", "").strip()

    def number(self, command):
        """The last number of the answer; -1 when there is none."""
        numbers = [line for line in self.ask(command).split("\n") if line.strip().lstrip("-").isdigit()]
        return int(numbers[-1]) if numbers else -1

    def wait_for(self, command, fits, timeout=20):
        """Asks until the number fits."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if fits(self.number(command)):
                return True
        return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, options, port, http_port):
    """VLC as nobody, in a folder of its own, ended with us."""
    command = [
        "vlc", "--ignore-config", "--no-media-library", "--intf", "rc", "--rc-host",
        f"127.0.0.1:{port}", "--rc-fake-tty", "--no-video-title-show", "--vout", "dummy", "--aout", "dummy",
        "--demux-filter", "demux_chromecast", "--sout-chromecast-show-perf-warning", "0",
        "--sout-chromecast-http-port", str(http_port),
        "--sout", f"#chromecast{{ip={options.host},port={options.port}}}", "-vv",
        os.path.join(folder, "tone.wav"),
    ]
    if os.geteuid() == 0:
        command = ["setpriv", f"--reuid={UNPRIVILEGED}", f"--regid={UNPRIVILEGED}", "--clear-groups"] + command
    environment = {"HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
                   "LANG": "C.UTF-8"}
    log = open(os.path.join(folder, "vlc.log"), "wb")
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=folder)


def session(remote, pause):
    say("load", ok=remote.wait_for("is_playing", lambda n: n == 1) and remote.wait_for("get_time", lambda n: n >= 2))
    pause()
    remote.ask("pause")
    say("pause", ok="paused" in remote.ask("status"))
    pause()
    remote.ask("pause")  # The same command again: play.
    say("play", ok="playing" in remote.ask("status"))
    pause()
    remote.ask("seek 90")
    say("seek", ok=remote.wait_for("get_time", lambda n: n >= 90), to_seconds=90)
    pause()
    remote.ask("stop")
    say("stop", ok="stopped" in remote.ask("status"))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("host")
    arguments.add_argument("port", type=int)
    arguments.add_argument("--pause", type=float, default=2.0, help="seconds between the steps")
    arguments.add_argument("--log", help="keep VLC's own log here")
    options = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="vlc-session-")
    process = None
    try:
        make_wave(os.path.join(folder, "tone.wav"))
        if os.geteuid() == 0:
            for name in [folder, os.path.join(folder, "tone.wav")]:
                os.chown(name, UNPRIVILEGED, UNPRIVILEGED)
        port = free_port()
        process = start(folder, options, port, free_port())
        remote = None
        deadline = time.monotonic() + 20
        while remote is None and process.poll() is None and time.monotonic() < deadline:
            try:
                remote = RemoteControl(port)
            except OSError:
                threading.Event().wait(0.2)
        if remote is None:
            say("start", ok=False, exit_status=process.poll())
            return 2
        say("start")
        session(remote, lambda: threading.Event().wait(options.pause))
        process.terminate()  # The rc interface's own "quit" leaves VLC 3.0.24 running when it came over TCP.
        try:
            process.wait(timeout=15)
            say("quit")
        except subprocess.TimeoutExpired:
            say("quit", ok=False)
        return 1 if failed else 0
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        if options.log and os.path.exists(os.path.join(folder, "vlc.log")):
            shutil.copy(os.path.join(folder, "vlc.log"), options.log)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
