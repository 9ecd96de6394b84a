"""zones.py ADDRESS: the page's clocks against Python's own tz database: instants to clocks, clocks to instants, days, marks of axes."""

import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from browser import Page, check, expect, same

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Africa/Casablanca",
    "Asia/Tehran",
    "Europe/London",
    "Pacific/Kiritimati",
]
SEED = 20261130
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def main():
    numbers = random.Random(SEED)
    print(f"seed {SEED}")
    # Up to the present: of the future, two editions of the tz database may foretell different things.
    first, last = datetime(2011, 1, 1, tzinfo=timezone.utc), datetime(2026, 1, 1, tzinfo=timezone.utc)
    span = int((last - first).total_seconds())
    with Page(sys.argv[1]) as page:
        page.open()

        def clocks_show_what_they_show():
            for name in ZONES:
                zone = ZoneInfo(name)
                instants = [first + timedelta(seconds=numbers.randrange(span)) for _ in range(300)]
                found = page.module(
                    """const it = await import("/assets/zone.js"); it.setZone(values[0]);
                    return values[1].map((at) => it.momentText(at));""",
                    name,
                    [at.timestamp() * 1000 for at in instants],
                )
                for at, text in zip(instants, found):
                    same(text, at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S"), f"{name} {at}")

        def days_begin_where_they_begin():
            for name in ZONES:
                zone = ZoneInfo(name)
                days = [
                    (first + timedelta(seconds=numbers.randrange(span))).astimezone(zone).date() for _ in range(150)
                ]
                found = page.module(
                    """const it = await import("/assets/zone.js"); it.setZone(values[0]);
                    return values[1].map(([year, month, day]) => it.instantOf(year, month, day));""",
                    name,
                    [[day.year, day.month, day.day] for day in days],
                )
                for day, at in zip(days, found):
                    # The first moment whose clocks show the day; found by walking over the minutes around midnight.
                    start = datetime(day.year, day.month, day.day, tzinfo=timezone.utc) - timedelta(hours=15)
                    low, high = 0, 30 * 60
                    while low < high:
                        middle = (low + high) // 2
                        if (start + timedelta(minutes=middle)).astimezone(zone).date() >= day:
                            high = middle
                        else:
                            low = middle + 1
                    same(at / 1000, (start + timedelta(minutes=low)).timestamp(), f"{name} {day}")

        def skipped_and_doubled_hours_are_told_apart():
            read = """const it = await import("/assets/zone.js"); it.setZone("Europe/Berlin");
                return [it.instantOf(2026, 3, 29, 2, 30), it.instantOf(2026, 10, 25, 2, 30)].map((at) => it.rfc(at));"""
            # Clocks go from 02:00 to 03:00 at 01:00 UTC; 02:30 came first at 00:30 UTC, in summer time.
            same(page.module(read), ["2026-03-29T01:00:00.000Z", "2026-10-25T00:30:00.000Z"], "Berlin")

        def axes_call_round_hours():
            read = """const zone = await import("/assets/zone.js"); zone.setZone(values[0]);
                const axis = await import("/assets/axis.js");
                return axis.marks(new axis.Scale(values[1], values[2], 1200)).map((mark) => [zone.rfc(mark.at), mark.text]);"""
            start = datetime(2026, 10, 24, 22, tzinfo=timezone.utc)  # Midnight in Berlin: a day of 25 hours follows.
            marks = page.module(
                read, "Europe/Berlin", start.timestamp() * 1000, (start + timedelta(hours=25)).timestamp() * 1000
            )
            texts = [text for _, text in marks]
            same(texts[0], "Sun 25 Oct", "the day's first mark")
            for at, text in marks[1:-1]:
                hour = datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(ZoneInfo("Europe/Berlin"))
                same(text, hour.strftime("%H:%M"), at)
            same(texts[-1], "Mon 26 Oct", "the next day's mark")
            for name in ZONES:
                zone = ZoneInfo(name)
                for length in (2, 90, 3600, 5 * 3600, 86_400, 9 * 86_400, 70 * 86_400, 380 * 86_400):
                    begin = first + timedelta(seconds=numbers.randrange(span))
                    marks = page.module(
                        read, name, begin.timestamp() * 1000, (begin + timedelta(seconds=length)).timestamp() * 1000
                    )
                    expect(3 <= len(marks) <= 16, f"{name}, {length} s: {len(marks)} marks")
                    instants = [datetime.fromisoformat(at.replace("Z", "+00:00")) for at, _ in marks]
                    expect(instants == sorted(set(instants)), f"{name}, {length} s: out of order")
                    if length >= 3600:
                        for at in instants:
                            shown = at.astimezone(zone)
                            expect(shown.second == 0 and shown.microsecond == 0, f"{name}: a mark at {shown}")
                    if length >= 9 * 86_400:
                        for at in instants:
                            same(
                                (at.astimezone(zone) - timedelta(minutes=1)).date() < at.astimezone(zone).date(),
                                True,
                                f"{name}: {at}",
                            )

        check(
            clocks_show_what_they_show,
            days_begin_where_they_begin,
            skipped_and_doubled_hours_are_told_apart,
            axes_call_round_hours,
        )


main()
