"""gap.py ADDRESS FOLDER: a recorder that is killed and started again, seen from the page.

Files in FOLDER are the signs: the script makes "ready", waits for "dead", makes "seen", waits for "alive", and looks for the gap.
"""

import os
import sys

from browser import Page, check, expect, same

HARMLESS_MEANWHILE = [
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "503 (Service Unavailable)",
]


def main():
    folder = sys.argv[2]

    def give(sign):
        open(os.path.join(folder, sign), "w", encoding="utf-8").close()

    with Page(sys.argv[1]) as page:
        page.allowed += HARMLESS_MEANWHILE

        def await_sign(sign):
            page.until(lambda: os.path.exists(os.path.join(folder, sign)), f"the sign '{sign}'", 120)

        def a_dead_recorder_is_told():
            page.open("#/timeline?last=600")
            page.wait("return document.querySelector('.lane-share')?.textContent", "lanes")
            page.wait("return document.getElementById('live').dataset.condition === 'live'", "the stream")
            give("ready")
            await_sign("dead")
            page.wait(
                "return document.getElementById('live').dataset.condition === 'broken'", "that the stream is broken"
            )
            same(page.texts("#live"), ["not live"], "what the page says of it")
            give("seen")
            await_sign("alive")

        def the_page_comes_back_by_itself_and_shows_the_gap():
            page.wait("return document.getElementById('live').dataset.condition === 'live'", "the stream again", 90)
            device = page.ask("/now")["items"][0]["device_id"]
            page.open(f"#/timeline?last=600&view=table&device={device}")
            page.wait(
                "return [...document.querySelectorAll('.lanes-table tbody tr')].some((row) => row.innerText.includes('the recorder did not run'))",
                "the gap in the table",
            )
            spans = [
                span
                for lane in page.ask("/timeline", device=device)["lanes"]
                for span in lane["spans"]
                if span["reason"] == "recorder_down"
            ]
            expect(len(spans) == 1 and spans[0]["activity"] == "unobserved", f"one gap: {spans}")

        def nothing_was_complained_of():
            same(page.complaints(), [], "complaints of the browser")

        check(a_dead_recorder_is_told, the_page_comes_back_by_itself_and_shows_the_gap, nothing_was_complained_of)


main()
