"""screens.py ADDRESS [DATABASE]: every screen's numbers against the API, and the API's against the database asked by psql.

The recorder should stand still: what changes between two questions differs.
"""

import subprocess
import sys

from browser import Page, check, expect, number, path_of, same

READY = "return !document.querySelector('#main .wait')"


def stretch(seconds):
    """A stretch as the command line words it, and milliseconds where that would say 0.0 s; written anew here."""
    if seconds < 0.0995:
        return f"{int(seconds * 1000 + 0.5)} ms"
    tenths = int(seconds * 10 + 0.5)
    if tenths < 600:
        return f"{tenths // 10}.{tenths % 10} s"
    whole = tenths // 10
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86_400:
        return f"{whole // 3600} h {whole // 60 % 60} min"
    return f"{whole // 86_400} d {whole // 3600 % 24} h"


def psql(database, statement):
    """Rows of a statement, as lists of texts."""
    output = subprocess.run(
        ["psql", database, "-XAtF", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [line.split("\t") for line in output.splitlines()]


def main():
    database = sys.argv[2] if len(sys.argv) > 2 else None
    with Page(sys.argv[1]) as page:

        def now_shows_every_device_with_what_it_does():
            page.open("#/now")
            page.wait("return document.querySelector('.now-card')", "the first card")
            items = {item["device_id"]: item for item in page.ask("/now")["items"]}
            same(number(page.texts(".tally")[0]), len(items), "devices")
            cards = page.run(
                """return [...document.querySelectorAll('.now-card')].map((card) => ({ id: card.dataset.device,
                activity: card.dataset.activity, name: card.querySelector('h2').innerText, title: card.querySelector('.title').innerText,
                muted: card.innerText.includes('muted'), text: card.innerText }))"""
            )
            expect(cards, "cards")
            for card in cards:
                item = items[card["id"]]
                same(card["activity"], item["activity"], f"{card['name']}: activity")
                same(card["name"].split(), (item["device"] or item["device_id"]).split(), "name")
                if item["title"] and item["activity"] != "unobserved":
                    same(card["title"].split(), item["title"].split(), f"{card['name']}: title")
                if isinstance(item["volume"], (int, float)) and item["muted"] is not True:
                    expect(
                        f"{round(item['volume'] * 1000) / 10:g}%" in card["text"],
                        f"{card['name']}: volume {item['volume']} in {card['text']!r}",
                    )
                if item["conflicts"]:
                    expect(f"{item['conflicts']} conflict" in card["text"], f"{card['name']}: conflicts")
            chips = dict(
                zip(
                    page.run("return [...document.querySelectorAll('.chip')].map((one) => one.dataset.name)"),
                    map(number, page.texts(".chip b")),
                )
            )
            same(
                chips.get("playing", 0),
                sum(item["activity"] in ("playing", "unknown", "advertisement") for item in items.values()),
                "chip of playing",
            )
            same(sum(chips.values()), len(items), "all chips together")

        def a_chip_shows_only_its_own():
            name = page.run("return document.querySelector('.chip').dataset.name")
            count = number(page.texts(".chip b")[0])
            page.run("document.querySelector('.chip').click()")
            page.wait("return document.querySelector('.chip[aria-pressed=true]')", "a pressed chip")
            same(number(page.texts(".tally")[0]), count, f"devices that are {name}")
            expect(f"activity={name}" in page.run("return location.hash"), "the filter stands in the address")

        def history_shows_the_plays_of_the_api():
            page.open("#/history?period=30d")
            page.wait(READY, "plays")
            plays = page.ask("/plays", sort="-started_at", limit=100)["items"]
            same(len(page.run("return [...document.querySelectorAll('tbody tr')]")), len(plays), "rows")
            heads = page.texts("thead th")
            for row, play in zip(
                page.run(
                    "return [...document.querySelectorAll('tbody tr')].map((row) => [row.dataset.play, ...[...row.cells].map((cell) => cell.innerText)])"
                ),
                plays,
            ):
                same(row[0], play["play_id"], "the order of plays")
                cell = dict(zip([head.rstrip(" ↓↑") for head in heads], row[1:]))
                same(cell["Started"], play["started_at"][:19].replace("T", " "), "started")
                if play["ended_at"]:
                    same(cell["Played"], stretch(play["played_seconds"]), f"{play['play_id']}: played")
                    expect(
                        cell["End"].startswith((play["end_reason"] or "unknown").replace("_", " ")),
                        f"{play['play_id']}: end {cell['End']!r}",
                    )

        def a_filter_gives_the_same_to_table_address_and_files():
            device = page.ask("/now")["items"][0]["device_id"]
            page.open(f"#/history?period=30d&device={path_of(device)}")
            page.wait(READY, "plays")
            plays = page.ask("/plays", sort="-started_at", limit=100, device=device)["items"]
            same(
                page.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.dataset.play)"),
                [play["play_id"] for play in plays],
                "plays of one device",
            )
            links = page.run(
                "return [...document.querySelectorAll('.menu-box a')].map((one) => one.getAttribute('href'))"
            )
            expect(
                links and all(f"device={device}" in link or path_of(device) in link for link in links),
                f"files and reports: {links}",
            )

        def events_and_a_moment_are_the_api_s():
            page.open("#/moment")
            page.wait("return document.querySelector('.event-list a')", "events")
            events = page.ask("/events", order="latest", limit=100)["items"]
            shown = page.run(
                "return [...document.querySelectorAll('.event-list a')].map((one) => [one.dataset.event, one.children[1].innerText])"
            )
            same(
                [name for name, _ in shown][:50],
                [f"{event['position']}/{event['ordinal']}" for event in events][:50],
                "events",
            )
            same(shown[0][1].split(), events[0]["sentence"].split(), "the first sentence")
            event = next((one for one in events if one["before"] and one["after"]), events[0])
            name = f"{event['position']}/{event['ordinal']}"
            page.open(f"#/moment/{path_of(name)}")
            page.wait("return document.querySelector('.moment-title')", "the moment")
            same(page.texts(".moment-title")[0].split(), event["sentence"].split(), "sentence")
            moment = page.ask("/events/" + path_of(name))
            text = page.run("return document.getElementById('main').innerText")
            for callback in event["callbacks"]:
                expect(callback in text, f"callback {callback}")
            expect(event["kind"] in text, "kind")
            same(len(page.texts(".event-list a")), len(moment["before"]) + 1 + len(moment["after"]), "neighbors")
            if moment["raw_frame"]:
                expect(page.texts(".frame"), "the frame behind it")

        def conflicts_are_the_api_s_and_explained():
            page.open("#/conflicts?period=30d")
            page.wait(READY, "conflicts")
            conflicts = page.ask("/conflicts", order="latest", limit=100)["items"]
            same(len(page.texts(".conflict-item")), len(conflicts), "conflicts")
            if not conflicts:
                return
            first = conflicts[0]
            page.open(f"#/conflicts/{path_of(first['conflict_id'])}")
            page.wait("return document.querySelector('.moment-title')", "the conflict")
            same(page.texts(".moment-title")[0].split(), first["sentence"].split(), "sentence")
            found = page.run(
                "return [...document.querySelectorAll('.main-pane .event-list a.evidence')].map((one) => one.dataset.event)"
            )
            expect(set(first["evidence"]) & set(found), f"evidence {first['evidence']} among {found}")
            explained = page.ask("/conflicts/" + path_of(first["conflict_id"]))["explanation"]
            same(page.texts(".reasons li"), [" ".join(line.split()) for line in explained], "why it is told")

        def devices_are_the_api_s():
            page.open("#/devices")
            page.wait("return document.querySelector('tbody tr')", "devices")
            devices = page.ask("/devices")["items"]
            same(number(page.texts(".tally")[0]), len(devices), "devices")
            one = devices[0]
            page.open(f"#/devices/{path_of(one['device_id'])}")
            page.wait("return document.querySelector('.days') || document.querySelector('.problem')", "the device")
            text = page.run("return document.getElementById('main').innerText")
            expect(one["device_id"] in text and (one["model"] or "") in text, "id and model")

        def the_timeline_s_table_has_the_spans_of_the_api():
            page.open("#/timeline?last=86400&view=table")
            page.wait("return document.querySelector('.lanes-table tbody tr')", "states")
            asked = page.run(
                "return performance.getEntriesByType('resource').filter((one) => one.name.includes('/timeline')).at(-1).name"
            )
            query = asked.split("?")[1]
            import urllib.parse

            parameters = urllib.parse.parse_qs(query)
            lanes = page.ask("/timeline", **{name: value for name, value in parameters.items()})["lanes"]
            expect(
                abs(sum(len(lane["spans"]) for lane in lanes) - len(page.texts(".lanes-table tbody tr"))) <= len(lanes),
                "states in the table and in the API",
            )
            totals = sum(sum(lane["totals"].values()) for lane in lanes)
            expect(totals > 0, "some time is known")

        def groups_fold_in_the_timeline():
            page.open("#/timeline?last=86400")
            lanes = page.ask("/timeline")["lanes"]
            members = {lane["device_id"]: lane["group"] for lane in lanes if lane["group"]}
            groups = set(members.values())
            expect(groups, "there is a group")
            names = {lane["device_id"]: lane["device"] or lane["device_id"] for lane in lanes}
            rows = (
                "return [...document.querySelectorAll('.lane-name:not([hidden])')].map((row) => "
                "[row.querySelector('.lane-label').textContent, row.classList.contains('member'), "
                "row.querySelector('.fold').hidden ? null : row.querySelector('.fold').getAttribute('aria-expanded')])"
            )
            of_group = "[...document.querySelectorAll('.lane-name:not([hidden]) .fold:not([hidden])')]"
            page.wait(f"return {of_group}.length", "a group's lane")

            def shown():
                return page.run(rows)

            def below():
                return sorted(name for name, is_member, _ in shown() if is_member)

            everything = sorted(names[device] for device in members)
            same(below(), everything, "members below their group")
            same(len(shown()), len(lanes), "lanes")
            for group in groups:
                [place] = [at for at, row in enumerate(shown()) if row[0] == names[group]]
                count = sum(1 for one in members.values() if one == group)
                expect(all(row[1] for row in shown()[place + 1 : place + 1 + count]), f"{names[group]}: its members follow")
                same(shown()[place][2], "true", f"{names[group]} is open")
            page.run(f"{of_group}.forEach((one) => one.click())")
            page.until(lambda: not below(), "folded members are gone", 10)
            same(len(shown()), len(lanes) - len(members), "lanes while groups are folded")
            page.until(lambda: "folded=" in page.run("return location.hash"), "the address knows", 10)
            page.open(page.run("return location.hash"))
            page.wait(f"return {of_group}.length", "the group's lane again")
            same(below(), [], "members, from an address with a folded group")
            page.run(f"{of_group}.forEach((one) => one.click())")
            page.until(lambda: below() == everything, "members are back", 10)

        def history_is_sorted_by_any_column():
            page.open("#/history?period=30d")
            page.module(
                "const { columns } = await import('/assets/columns.js');"
                "localStorage.setItem('castledger.columns', JSON.stringify(columns.map((one) => one.name)));"
            )
            page.open("#/history?period=30d")
            page.wait(READY, "plays")
            heads = len(page.texts("thead th"))
            same(len(page.run("return [...document.querySelectorAll('thead th button')]")), heads, "columns to sort by")
            for number_of in range(heads):
                page.run("document.querySelectorAll('thead th button')[arguments[0]].click()", number_of)
                sort = page.wait(
                    "const head = document.querySelectorAll('thead th')[arguments[0]];"
                    "const body = document.querySelector('tbody');"
                    "return head.ariaSort && !body.ariaBusy"
                    " && (new URLSearchParams(location.hash.split('?')[1]).get('sort') ?? '-started_at')",
                    f"column {number_of} sorts",
                    20,
                    number_of,
                )
                same(
                    page.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.dataset.play)"),
                    [play["play_id"] for play in page.ask("/plays", sort=sort, limit=100)["items"]],
                    f"plays by {sort}",
                )
            page.run("localStorage.removeItem('castledger.columns')")

        def health_is_the_status():
            page.open("#/health")
            page.wait("return document.querySelector('.verdict')", "the verdict")
            status = page.ask("/status")
            tiles = page.texts(".tile b")
            storage = status["storage"]
            facts = page.run(
                "return Object.fromEntries([...document.querySelectorAll('.fact-list div')].map((one) => "
                "[one.querySelector('dt').innerText, one.querySelector('dd').innerText]))"
            )
            expect(storage["archive_bytes"] > 0 and facts["Size"], "the archive's size")
            same(facts["Last check"].split()[0], "not" if storage["last_verify"] is None else "intact", "the last check")
            days = [row.split("\t")[0] for row in page.texts("tbody tr") if row[:2] == "20" and row[4] == "-"]
            same(days, [one["day"] for one in reversed(storage["archive_days"])][:14], "days of the archive")
            if status.get("pid"):
                same(tiles[0], f"{status['devices']['linked']} of {status['devices']['known']}", "devices linked")
                expect(number(tiles[1]) <= status["frames"], "frames")

        def the_api_says_what_the_database_says():
            if not database:
                return
            plays = psql(
                database,
                "SELECT position || '/' || ordinal, played_seconds, ended_at IS NULL FROM ledger.plays ORDER BY started_at DESC, position DESC",
            )
            api = {play["play_id"]: play for play in page.ask("/plays", sort="-started_at", limit=1000)["items"]}
            same(set(api), {row[0] for row in plays}, "plays")
            for name, played, lasts in plays:
                if lasts == "f":
                    expect(abs(api[name]["played_seconds"] - float(played)) < 0.001, f"{name}: {played}")
            [[count]] = psql(database, "SELECT count(*) FROM ledger.conflicts")
            same(len(page.ask("/conflicts", limit=1000)["items"]), int(count), "conflicts")
            [[count]] = psql(database, "SELECT count(*) FROM ledger.devices")
            same(len(page.ask("/devices")["items"]), int(count), "devices")

        def nothing_was_complained_of():
            same(page.complaints(), [], "complaints of the browser")

        check(
            now_shows_every_device_with_what_it_does,
            a_chip_shows_only_its_own,
            history_shows_the_plays_of_the_api,
            a_filter_gives_the_same_to_table_address_and_files,
            events_and_a_moment_are_the_api_s,
            conflicts_are_the_api_s_and_explained,
            devices_are_the_api_s,
            the_timeline_s_table_has_the_spans_of_the_api,
            groups_fold_in_the_timeline,
            history_is_sorted_by_any_column,
            health_is_the_status,
            the_api_says_what_the_database_says,
            nothing_was_complained_of,
        )


main()
