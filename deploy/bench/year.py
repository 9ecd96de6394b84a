#!/usr/bin/env python3
"""Fills a database with years of a whole fleet, and measures what people ask of it.

usage: year.py CASTLEDGER [--devices 1000] [--days 365] [--events 270] [--plays 8] [--folder DIR]

Makes a private cluster with the program's own schema and writes rows straight into its tables, day by day in the order
of time, as a projection would: `--events` change events and `--plays` plays per device and day, and a gap every third
day. The values are made up by arithmetic, so that equal arguments give equal rows. Then, each five times with the
fastest printed: one TV's month of change events, one day of the whole fleet's plays, and the totals of all plays by
device, and EXPLAIN (ANALYZE, BUFFERS) of each in DIR/plans. 100 million events take about 40 GB: without room for that,
take fewer devices. Needs psql.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RECORDER = "00000000-0000-4000-8000-000000000001"
BEGIN = "2025-01-01 00:00:00+00"

# A number between 0 and 2^31, the same for the same arguments on every machine.
FUNCTIONS = """
CREATE OR REPLACE FUNCTION pg_temp.dice(a bigint, b bigint, c bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT (((a * 7919 + b * 104729 + c * 1299709) * 2654435761 % 4294967296) >> 1) $$;
"""

DEVICES = """
INSERT INTO projection.recorder VALUES ('{recorder}', 'bench');
INSERT INTO projection.device
SELECT md5(d::text), '{recorder}', 'TV ' || d, 'Chromecast Ultra', '10.0.' || d / 250 || '.' || d % 250, 'linked',
    timestamptz '{begin}', timestamptz '{begin}' + {days} * interval '1 day'
FROM generate_series(1, {devices}) d;
INSERT INTO projection.checkpoint VALUES ('{recorder}', {days} * 1000000000::bigint,
    timestamptz '{begin}' + {days} * interval '1 day', {days}::bigint * {devices} * {events}, 0, 0);
"""

# Of ten events, three are of the player, two of volume, and the rest of apps, media, tracks, seeks and the link.
EVENTS = """
INSERT INTO projection.change_event (device_id, observed_at, recorder_id, position, ordinal, app_session_id,
    media_session_id, kind, attribution, request_id, callbacks, effective, before, after, position_seconds)
SELECT md5(d::text), at, '{recorder}', {day} * 1000000000::bigint + row_number() OVER (ORDER BY at, d), 0,
    md5(d || '/' || {day} || '/' || n / 20), n / 20,
    (ARRAY['player_state_changed', 'player_state_changed', 'player_state_changed', 'device_volume_changed',
        'device_volume_changed', 'media_session_started', 'media_session_ended', 'active_tracks_changed', 'seeked',
        'supported_commands_changed'])[1 + n % 10],
    CASE n % 3 WHEN 0 THEN 'receiver' ELSE 'sender_request' END, n, ARRAY['media_status'], true,
    '{{"playerState": "PLAYING"}}', '{{"playerState": "PAUSED", "currentTime": 1234.5}}', n * 10
FROM (
    SELECT d, n, timestamptz '{begin}' + {day} * interval '1 day' + interval '6 hours'
        + (n * 64000.0 / {events} + pg_temp.dice(d, {day}, n) % 60000 / 1000.0) * interval '1 second' AS at
    FROM generate_series(1, {devices}) d, generate_series(0, {events} - 1) n
) e ORDER BY at, d;
"""

PLAYS = """
INSERT INTO projection.play (device_id, started_at, recorder_id, position, ordinal, app_session_id, media_session_id,
    app_id, app_name, content_id, title, duration_seconds, start_cause, ended_at, end_reason, end_is_uncertain,
    counted_at, played_seconds, paused_seconds, buffering_seconds, ad_seconds, input_inactive_seconds, gap_seconds,
    first_position_seconds, last_position_seconds, max_position_seconds, seeks, tracks, members)
SELECT md5(d::text), at, '{recorder}', {day} * 1000000000::bigint + 500000000 + row_number() OVER (ORDER BY at, d), 0,
    md5(d || '/' || {day} || '/' || n), n, 'CC1AD845', 'Default Media Receiver', 'content-' || dice % 5000,
    'Title ' || dice % 5000, 5400, 'sender_request', at + seconds * interval '1 second',
    (ARRAY['finished', 'stopped', 'replaced', 'app_closed'])[1 + dice % 4], false, at + seconds * interval '1 second',
    seconds * 0.95, seconds * 0.05, 0, 0, 0, 0, 0, seconds, seconds, dice % 3, '[]', '[]'
FROM (
    SELECT d, n, dice, 300 + dice % 5000 AS seconds, timestamptz '{begin}' + {day} * interval '1 day'
        + interval '6 hours' + (n * 64000.0 / {plays} + dice % 1000) * interval '1 second' AS at
    FROM generate_series(1, {devices}) d, generate_series(0, {plays} - 1) n,
        LATERAL (SELECT pg_temp.dice(d, {day}, n + 1000) AS dice) x
) e ORDER BY at, d;
"""

GAPS = """
INSERT INTO projection.gap
SELECT md5(d::text), '{recorder}', {day} * 1000000000::bigint + 900000000 + d, 0,
    timestamptz '{begin}' + {day} * interval '1 day' + pg_temp.dice(d, {day}, 7) % 80000 * interval '1 second',
    timestamptz '{begin}' + {day} * interval '1 day' + (pg_temp.dice(d, {day}, 7) % 80000 + 600) * interval '1 second',
    'link_lost'
FROM generate_series(1, {devices}) d WHERE (d + {day}) % 3 = 0;
"""

QUESTIONS = {
    "one TV, one month of change events (budget 50 ms)": """
        SELECT * FROM ledger.events WHERE device_id = md5('17')
        AND observed_at >= timestamptz '{begin}' + interval '{month} days'
        AND observed_at < timestamptz '{begin}' + interval '{month} days' + interval '30 days'
        ORDER BY observed_at, position, ordinal""",
    "one TV, one month of plays": """
        SELECT * FROM ledger.plays WHERE device_id = md5('17')
        AND started_at >= timestamptz '{begin}' + interval '{month} days'
        AND started_at < timestamptz '{begin}' + interval '{month} days' + interval '30 days' ORDER BY started_at""",
    "a fleet day of plays (budget 500 ms for 1,000 TVs)": """
        SELECT * FROM ledger.plays WHERE started_at >= timestamptz '{begin}' + interval '{month} days'
        AND started_at < timestamptz '{begin}' + interval '{month} days' + interval '1 day'""",
    "totals of everything by device": """
        SELECT device_id, count(*), sum(played_seconds) FROM projection.play GROUP BY 1""",
    "coverage of one device and month": """
        SELECT * FROM ledger.coverage(timestamptz '{begin}' + interval '{month} days',
        timestamptz '{begin}' + interval '{month} days' + interval '30 days', 'UTC', md5('17'))""",
}


class Database:
    """One psql that stays connected."""

    def __init__(self, socket):
        command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", socket, "-U", "castledger", "castledger"]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid", "postgres", "--clear-groups", *command]
        self.psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")

    def run(self, sql):
        self.psql.stdin.write(sql.rstrip().rstrip(";") + ";\n\\echo END\n")
        self.psql.stdin.flush()
        lines = []
        for line in iter(self.psql.stdout.readline, "END\n"):
            if not line:
                sys.exit("psql ended: see above")
            lines.append(line.rstrip("\n"))
        return lines


def fill(database, arguments):
    names = dict(recorder=RECORDER, begin=BEGIN, devices=arguments.devices, days=arguments.days,
                 events=arguments.events, plays=arguments.plays)
    database.run("SET TimeZone TO 'UTC'; SET synchronous_commit TO off;" + FUNCTIONS)
    database.run(DEVICES.format(**names))
    for month in range(arguments.days // 28 + 2):
        first = f"date_trunc('month', timestamptz '{BEGIN}') + interval '{month} months'"
        (name, start, end), = [line.split("|") for line in database.run(
            f"SELECT to_char({first}, 'YYYYMM'), {first}, {first} + interval '1 month'")]
        database.run(f"CREATE TABLE IF NOT EXISTS projection.change_event_{name} PARTITION OF projection.change_event "
                     f"FOR VALUES FROM ('{start}') TO ('{end}')")
    began = time.monotonic()
    for day in range(arguments.days):
        for sql in (EVENTS, PLAYS, GAPS):
            database.run(sql.format(day=day, **names))
        if day % 10 == 9:
            rows = (day + 1) * arguments.devices * arguments.events
            print(f"{rows} events, {rows / (time.monotonic() - began):.0f} per second", file=sys.stderr)
    database.run("VACUUM ANALYZE projection.change_event; VACUUM ANALYZE projection.play; ANALYZE projection.gap;")


def ask(database, arguments, folder):
    month = max(0, arguments.days // 2 - 15)
    plans = folder / "plans"
    plans.mkdir(exist_ok=True)
    print(*database.run("SELECT 'database of ' || pg_size_pretty(pg_database_size(current_database())) || ', '"
                        " || count(*) || ' change events' FROM projection.change_event"))
    for number, (what, sql) in enumerate(QUESTIONS.items(), 1):
        sql = sql.format(begin=BEGIN, month=month)
        times = []
        for _ in range(5):
            began = time.monotonic()
            rows = database.run(sql)
            times.append((time.monotonic() - began) * 1000)
        (plans / f"{number}.txt").write_text("\n".join([what, *database.run("EXPLAIN (ANALYZE, BUFFERS) " + sql)]) + "\n")
        print(f"{what}: {min(times):.0f} ms, first {times[0]:.0f} ms, {len(rows)} rows")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--devices", type=int, default=1000)
    arguments.add_argument("--days", type=int, default=365)
    arguments.add_argument("--events", type=int, default=270)
    arguments.add_argument("--plays", type=int, default=8)
    arguments.add_argument("--folder", help="kept when named; else one in the folder for temporary files, removed at the end")
    arguments = arguments.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="castledger-year-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    # A recorder without devices starts the cluster, makes the schema, and keeps the cluster for us.
    with open(folder / "log", "wb") as log:
        recorder = subprocess.Popen([arguments.program, "record", "--data", str(folder / "data"), "--no-discovery"],
                                    stdout=log, stderr=log)
    try:
        ready = time.monotonic() + 60
        while b"projection started" not in (folder / "log").read_bytes() and time.monotonic() < ready:
            time.sleep(0.2)
            if subprocess.run([arguments.program, "events", "--data", str(folder / "data"), "--limit", "1"],
                              capture_output=True).returncode in (0, 1):
                break
        database = Database(str(folder / "data/postgres"))
        fill(database, arguments)
        ask(database, arguments, folder)
        database.psql.stdin.close()
        database.psql.wait()
    finally:
        recorder.send_signal(signal.SIGTERM)
        recorder.wait()
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
