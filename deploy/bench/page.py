#!/usr/bin/env python3
"""How long people wait for the page: the first paint, then what each screen is for, with the real API behind it.

usage: .build/test-python/bin/python deploy/bench/page.py ADDRESS [--times 5] [--from MOMENT --to MOMENT]

ADDRESS is a running `castledger record` or `castledger serve`, at best over the year that year.py makes:

    python3 deploy/bench/year.py .build/release/castledger --folder /var/tmp/year --fill-only
    .build/release/castledger serve --data /var/tmp/year/data --listen 127.0.0.1:8380

Each screen is opened anew by Debian's chromium; the fastest and the slowest of the times are told. Beside each: how long curl
takes for the same answer of the API, without any page. --from and --to choose what timeline and history show.
"""
import argparse
import pathlib
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Browser"))
from browser import Page  # noqa: E402

FIRST_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
# Milliseconds since the page was asked for, once a selector finds something; looked at with each frame.
SHOWN = """const done = arguments[arguments.length - 1];
const look = () => document.querySelector(arguments[0]) ? done(performance.now())
    : performance.now() > 20000 ? done(null) : requestAnimationFrame(look);
look();"""


def screens(span):
    day = urllib.parse.urlencode(span)
    part = "&" + day if day else ""
    return [
        ("now", "#/now", ".now-card", "/now"),
        ("timeline", "#/timeline?" + (day or "last=86400"), ".lane-share:not(:empty)", "/timeline?resolution=60" + part),
        ("history", "#/history" + ("?" + day if day else ""), "#main tbody tr", "/plays?limit=100" + part),
        ("conflicts", "#/conflicts" + ("?" + day if day else ""), ".conflict-item", "/conflicts?limit=100" + part),
        ("devices", "#/devices", "#main tbody tr", "/devices"),
        ("health", "#/health", ".tile", "/status"),
    ]


def curl(address, path):
    """Milliseconds of the fastest of three, and the size."""
    took = []
    for _ in range(3):
        words = ["curl", "-s", "--compressed", "-o", "/dev/null", "-w", "%{time_total} %{size_download} %{http_code}"]
        seconds, size, code = subprocess.run(
            [*words, address + "api/v1" + path], capture_output=True, text=True, check=True).stdout.split()
        if code != "200":
            sys.exit(f"{path}: {code}")
        took.append(float(seconds) * 1000)
    return min(took), int(size)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("address")
    arguments.add_argument("--times", type=int, default=5)
    arguments.add_argument("--from", dest="begin")
    arguments.add_argument("--to", dest="end")
    arguments = arguments.parse_args()
    span = {name: value for name, value in (("from", arguments.begin), ("to", arguments.end)) if value}
    with Page(arguments.address) as page:
        print(f"{len(page.ask('/devices')['items'])} devices or more", flush=True)
        for name, place, selector, path in screens(span):
            paints, shown = [], []
            for _ in range(arguments.times):
                page.open(place)
                shown.append(page.driver.execute_async_script(SHOWN, selector))
                paints.append(page.run(FIRST_PAINT))
            if None in shown:
                print(f"{name}: first paint {min(paints):.0f} to {max(paints):.0f} ms, and nothing to show within 20 s", flush=True)
                continue
            answer, size = curl(page.address, path)
            print(f"{name}: first paint {min(paints):.0f} to {max(paints):.0f} ms, shown {min(shown):.0f} to {max(shown):.0f} ms; "
                  f"curl {answer:.0f} ms for {size} bytes packed: the screen takes {min(shown) / answer:.1f} times that", flush=True)


if __name__ == "__main__":
    main()
