"""live.py ADDRESS TRUTH CHANGES LIMIT: how long a change of volume takes from a simulated device to the card on the page.

It watches until CHANGES of them were shown; none may take longer than LIMIT seconds.

TRUTH is the fleet's own file: each frame that a device sent, with the moment. The page and the fleet run on one machine, so on one clock.
"""

import json
import statistics
import sys
import time
from datetime import datetime

from browser import Page, check, expect, same

WATCH = """
window.seen = [];
const last = new Map();
new MutationObserver(() => {
    for (const card of document.querySelectorAll('.now-card')) {
        const words = card.querySelector('.facts').children[1].innerText.trim();
        if (last.get(card.dataset.device) === words) continue;
        last.set(card.dataset.device, words);
        window.seen.push([card.dataset.device, words, Date.now()]);
    }
}).observe(document.querySelector('.cards'), { subtree: true, childList: true, characterData: true, attributes: true });
return true;
"""


def volumes(path, since, until):
    """Each volume that a device told the recorder of: device, words, moment in milliseconds."""
    told, last = [], {}
    with open(path, encoding="utf-8") as lines:
        for text in lines:
            if not text.endswith("\n"):
                continue
            line = json.loads(text)
            if line["what"] != "frame_sent" or not line.get("is_castledger") or line.get("type") != "RECEIVER_STATUS":
                continue
            volume = (line["payload"].get("status") or {}).get("volume") or {}
            if "level" not in volume:
                continue
            words = "muted" if volume.get("muted") else f"{round(volume['level'] * 1000) / 10:g}%"
            at = datetime.fromisoformat(line["at"].replace("Z", "+00:00")).timestamp() * 1000
            if last.get(line["device"]) != words and since <= at <= until:
                told.append((line["device"], words, at))
            last[line["device"]] = words
    return told


def main():
    address, truth, changes, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    with Page(address) as page:

        def a_change_is_on_the_page_within_the_limit():
            page.open("#/now")
            page.wait("return document.querySelector('.now-card')", "cards")
            page.wait("return document.getElementById('live').dataset.condition === 'live'", "the stream")
            page.run(WATCH)
            since = time.time() * 1000
            print("watching", flush=True)
            page.wait("return window.seen.length >= arguments[0]", f"{changes} changes", 120, changes)
            until = time.time() * 1000 - limit * 1000
            seen = page.run("return window.seen")
            told = volumes(truth, since, until)
            expect(len(told) >= 5, f"only {len(told)} changes of volume happened")
            delays, missed = [], []
            for index, (device, words, at) in enumerate(told):
                following = next((one[2] for one in told[index + 1 :] if one[0] == device), None)
                shown = next(
                    (moment for who, text, moment in seen if who == device and text == words and moment >= at - 5), None
                )
                if shown is not None and (following is None or shown < following + limit * 1000):
                    delays.append((shown - at) / 1000)
                elif following is None or following - at > limit * 1000:
                    missed.append((device, words, at))
            print(
                f"{len(delays)} changes shown, median {statistics.median(delays):.3f} s, longest {max(delays):.3f} s",
                flush=True,
            )
            same(missed, [], "changes that stood for long enough and were never shown")
            expect(max(delays) <= limit, f"the longest took {max(delays):.3f} s")

        def nothing_was_complained_of():
            same(page.complaints(), [], "complaints of the browser")

        check(a_change_is_on_the_page_within_the_limit, nothing_was_complained_of)


main()
