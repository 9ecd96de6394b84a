"""keyboard.py ADDRESS: a walk through every screen without a pointer."""

import sys

from browser import Page, check, expect, same


def main():
    with Page(sys.argv[1]) as page:
        shown = "return document.getElementById('main').dataset.shown === arguments[0]"

        def the_first_tab_leads_past_the_tabs():
            page.open("#/now")
            page.wait("return document.querySelector('.now-card')", "cards")
            page.press("TAB")
            same(page.run("return document.activeElement.className"), "skip", "the first stop")

        def letters_lead_to_every_screen():
            for letter, screen in (
                ("t", "timeline"),
                ("h", "history"),
                ("e", "moment"),
                ("c", "conflicts"),
                ("d", "devices"),
                ("s", "health"),
                ("n", "now"),
            ):
                page.press("g", letter)
                page.wait(shown, f"g {letter}", 40, screen)
                same(
                    page.run("return document.querySelector('#tabs [aria-current]').dataset.screen"), screen, "the tab"
                )

        def arrows_walk_over_the_cards_and_enter_opens_one():
            page.wait("return document.querySelector('.now-card')", "cards")
            page.press("ARROW_DOWN")
            page.wait("return document.activeElement.classList.contains('now-card')", "a card with the focus")
            first = page.run("return document.activeElement.dataset.device")
            page.press("ARROW_RIGHT")
            second = page.run("return document.activeElement.dataset.device")
            expect(first != second, "the next card")
            expect(page.spoken(), "the card is told to screen readers")
            page.press("ENTER")
            page.wait(shown, "the device", 40, "devices")
            expect(page.run("return location.hash").startswith(f"#/devices/{second}"), "the device of the card")

        def slash_finds_and_question_mark_helps():
            page.press("g", "n")
            page.wait(shown, "now", 40, "now")
            page.press("/")
            same(page.run("return document.activeElement.id"), "finder", "the field")
            page.press("zzzz")
            page.wait("return document.querySelector('.tally').innerText.startsWith('0 of')", "no device")
            page.run(
                "document.getElementById('finder').value = ''; document.getElementById('finder').dispatchEvent(new Event('input'))"
            )
            page.run("document.activeElement.blur()")
            page.press("?")
            page.wait("return document.getElementById('keys-dialog').open", "the keys")
            expect(len(page.texts("#keys-dialog dt")) > 8, "a list of keys")
            page.press("ESCAPE")
            page.wait("return !document.getElementById('keys-dialog').open", "closed")

        def the_timeline_is_walked_zoomed_and_opened():
            # A day would draw all that the ledger has, a minute or two, as one state.
            page.open("#/timeline?last=900")
            page.wait("return document.querySelector('.lane-share')?.textContent", "lanes")
            page.run("document.querySelector('.lanes').focus()")
            page.press("ARROW_LEFT")
            before = page.spoken()
            page.press("ARROW_LEFT")
            page.wait(
                "return document.getElementById('announcer').textContent !== arguments[0]",
                "the state before",
                10,
                before,
            )
            expect(" to " in page.spoken(), f"a state in words: {page.spoken()!r}")
            expect(page.texts("#chosen-span b"), "the state below the picture")
            page.press("ARROW_DOWN", "ARROW_UP")
            width = "const it = new URLSearchParams(location.hash.split('?')[1]); return (Date.parse(it.get('to')) - Date.parse(it.get('from'))) || Number(it.get('last')) * 1000"
            wide = page.run(width)
            page.press("+")
            page.wait(
                f"const now = (() => {{ {width} }})(); return now && Math.abs(now / arguments[0] - 0.5) < 0.01",
                "half as much time",
                10,
                wide,
            )
            page.press("-", "-")
            page.wait(
                f"const now = (() => {{ {width} }})(); return now && Math.abs(now / arguments[0] - 2) < 0.02",
                "twice as much time",
                10,
                wide,
            )
            page.press("+")
            page.press("v")
            page.wait("return document.querySelector('.lanes-table tbody tr')", "the table")
            page.press("v")
            page.wait("return !document.querySelector('.timeline').hidden", "the picture")
            page.run("document.querySelector('.lanes').focus()")
            page.press("ARROW_LEFT")
            page.press("ENTER")
            page.wait(
                "return document.getElementById('main').dataset.shown === 'moment' || document.querySelector('.problem')",
                "the moment",
            )
            page.wait(
                "return document.querySelector('.moment-title, .event-list a, .nothing-here')", "the moment's content"
            )

        def arrows_walk_from_moment_to_moment():
            page.open("#/moment")
            page.wait("return document.querySelectorAll('.event-list a').length > 2", "events")
            page.press("j")
            page.wait("return document.activeElement.closest('.event-list')", "a line with the focus")
            page.press("j", "ENTER")
            page.wait("return document.querySelector('.moment-title')", "a moment")
            first = page.run("document.querySelector('.moment-title').dataset.old = 'yes'; return location.hash")
            page.press("ARROW_LEFT")
            page.wait(
                "return location.hash !== arguments[0] && document.querySelector('.moment-title:not([data-old])')",
                "the moment before",
                20,
                first,
            )
            page.press("ARROW_RIGHT")
            page.wait("return location.hash === arguments[0]", "back again", 20, first)

        def rows_of_history_are_walked_and_opened():
            page.open("#/history?period=30d")
            page.wait("return document.querySelector('tbody tr, .nothing-here')", "plays")
            if not page.texts("tbody tr"):
                return
            page.press("j", "ENTER")
            page.wait("return location.hash.startsWith('#/history/')", "a play")

        def every_control_has_a_name():
            for place in ("now", "timeline", "history", "moment", "conflicts", "devices", "health"):
                page.open("#/" + place)
                page.wait(shown, place, 40, place)
                nameless = page.run(
                    """return [...document.querySelectorAll('button, input, select, a[href]')].filter((one) => one.offsetParent
                    && !(one.getAttribute('aria-label') || one.innerText.trim() || one.closest('label')?.innerText.trim()))
                    .map((one) => one.outerHTML.slice(0, 200))"""
                )
                same(nameless, [], f"controls without a name on {place}")

        def nothing_was_complained_of():
            same(page.complaints(), [], "complaints of the browser")

        check(
            the_first_tab_leads_past_the_tabs,
            letters_lead_to_every_screen,
            arrows_walk_over_the_cards_and_enter_opens_one,
            slash_finds_and_question_mark_helps,
            the_timeline_is_walked_zoomed_and_opened,
            arrows_walk_from_moment_to_moment,
            rows_of_history_are_walked_and_opened,
            every_control_has_a_name,
            nothing_was_complained_of,
        )


main()
