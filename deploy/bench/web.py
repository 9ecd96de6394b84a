#!/usr/bin/env python3
"""Measures the HTTP side over a ledger that is there: how many answers, how fast, and what a plain tool does beside it.

usage: web.py CASTLEDGER --data DIR [--from MOMENT] [--to MOMENT] [--seconds 5]

1. A file of the page, and the answers that screens ask for again and again, by wrk with 32 connections; beside each the same
   bytes as a file, served by nginx (Python's http.server when there is no nginx), in the same run.
2. An export of change events, by curl; beside it psql's COPY of the same rows.
3. 500 who listen to live changes while wrk asks: how much of the rate is left.

Needs wrk, curl and psql; DIR is a data folder with its own PostgreSQL, such as year.py makes. Nothing else should run.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse

NGINX = """daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; server {{ listen 127.0.0.1:{port}; root {folder}/files; }} }}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def await_port(port):
    for _ in range(600):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"nobody listens on port {port}")


def start_peer(folder):
    """A web server for plain files: its name, its port, and its process."""
    port = free_port()
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx:
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
        return "nginx", port, subprocess.Popen([nginx, "-e", folder / "nginx.log", "-c", folder / "nginx.conf"])
    words = ["python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder / "files", str(port)]
    return "http.server", port, subprocess.Popen(words, stderr=subprocess.DEVNULL)


def rate(url, seconds):
    """Answers a second, and the milliseconds that 50 and 99 of 100 take at most."""
    words = ["wrk", "-t1", "-c32", f"-d{seconds}s", "--latency", url]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"{url}: {text}")
    units = {"us": 1e-3, "ms": 1, "s": 1e3}
    parts = [float(value) * units[unit] for value, unit in re.findall(r"(?:50|99)%\s+([\d.]+)(us|ms|s)", text)]
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)), *parts


def curl(url, path):
    began = time.monotonic()
    subprocess.run(["curl", "-sf", "-o", path, url], check=True)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", required=True)
    parser.add_argument("--from", dest="begin", default="-1d")
    parser.add_argument("--to", dest="end", default="now")
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="castledger-http-"))
    folder.chmod(0o755)
    (folder / "files").mkdir()
    port = free_port()
    page = subprocess.Popen([given.program, "serve", "--data", given.data, "--listen", f"127.0.0.1:{port}"])
    name, peer_port, peer = start_peer(folder)
    root, listeners = f"http://127.0.0.1:{port}", []
    try:
        await_port(port)
        await_port(peer_port)
        span = urllib.parse.urlencode({"from": given.begin, "to": given.end})
        for path in ("/assets/main.js", "/healthz", "/api/v1/now", f"/api/v1/plays?limit=100&{span}",
                     f"/api/v1/conflicts?limit=100&{span}", "/metrics"):
            curl(root + path, folder / "files/answer")
            ours, peers = rate(root + path, given.seconds), rate(f"http://127.0.0.1:{peer_port}/answer", given.seconds)
            size = (folder / "files/answer").stat().st_size
            print(f"{path.partition('?')[0]} ({size} bytes): {ours[0]:.0f}/s, half within {ours[1]:.1f} ms, 99 % within {ours[2]:.1f} ms; "
                  f"{name} with the same bytes {peers[0]:.0f}/s: {ours[0] / peers[0]:.3f} of that", flush=True)
        took = curl(f"{root}/api/v1/exports/csv?what=events&{span}", folder / "events.csv")
        size = (folder / "events.csv").stat().st_size
        began = time.monotonic()
        psql = ["psql", "-XqAt", "-h", os.path.abspath(given.data) + "/postgres", "-U", "castledger", "castledger", "-c",
                f"COPY (SELECT * FROM ledger.events WHERE observed_at >= '{given.begin}' AND observed_at < '{given.end}') TO STDOUT CSV"]
        if given.begin[0].isdigit():
            as_postgres = ["setpriv", "--reuid", "postgres", "--clear-groups"] if os.getuid() == 0 else []
            with open(folder / "copy.csv", "wb") as file:
                subprocess.run(as_postgres + psql, stdout=file, check=True, cwd="/")
            copied = time.monotonic() - began
            print(f"events as CSV: {size / 1e6:.1f} MB in {took:.2f} s; COPY of the same rows {copied:.2f} s: {took / copied:.1f} times that",
                  flush=True)
        alone = rate(root + "/healthz", given.seconds)
        for _ in range(500):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(f"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            listeners.append(one)
        for one in listeners:
            assert one.recv(12) == b"HTTP/1.1 200"
        beside = rate(root + "/healthz", given.seconds)
        print(f"/healthz beside 500 listeners: {beside[0]:.0f}/s, {beside[0] / alone[0]:.2f} of what it is without", flush=True)
    finally:
        for one in listeners:
            one.close()
        for process in (page, peer):
            process.send_signal(signal.SIGTERM)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
