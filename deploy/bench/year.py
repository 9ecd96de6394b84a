#!/usr/bin/env python3
"""Fills a database with a year of a whole fleet, and measures what people ask of it.

usage: year.py CASTLEDGER [--devices 1000] [--months 13] [--base 100] [--days 28] [--folder DIR] [--fill-only | --ask-only]

1. `castledger fleet --history 28d` writes the archive of BASE devices, `castledger rebuild` projects it.
2. Copies of these rows fill the tables: DEVICES / BASE copies side by side, each under device ids of its own and 1.7 s
   later than the one before; MONTHS copies one after the other, each four weeks later, so that weekdays stay weekdays.
   Rows go in by time, all devices mixed, as a projection would have written them. Indexes are made afterwards.
3. Each question is asked once with nothing in memory (the server restarted, its files dropped from the cache), then five
   times; the fastest counts. Beside it runs a plain statement that reads the whole table. EXPLAIN (ANALYZE, BUFFERS) of
   each is in DIR/plans. `cpu` is the processor time of the server's process alone, which other programs do not lengthen.

Needs psql and PostgreSQL's own programs. A million change events take about half a gigabyte.
"""
import argparse
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from year_questions import QUESTIONS

BEGIN = "2025-01-06 00:00:00+00"
# By the column that orders each.
TABLES = {
    "change_event": "observed_at", "app_session": "started_at", "media_session": "started_at", "gap": "started_at",
    "play": "started_at", "play_span": "from_at", "conflict": "started_at",
}
COPIES_APART = "interval '1.7 seconds'"
# As the program starts its own cluster, but for the memory of maintenance and the room for its log.
SETTINGS = ["listen_addresses=", "shared_buffers=64MB", "work_mem=16MB", "maintenance_work_mem=512MB",
            "wal_level=minimal", "max_wal_senders=0", "max_wal_size=4GB", "wal_compression=on", "jit=off",
            "random_page_cost=1.1", "timezone=UTC", "synchronous_commit=off", "autovacuum=off"]


def as_postgres(words):
    return (["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.getuid() == 0 else []) + words


class Server:
    """The private cluster of a data folder."""

    def __init__(self, data):
        self.folder = data / "postgres"
        self.cluster = str(self.folder / "data")
        version = (self.folder / "data/PG_VERSION").read_text().strip()
        self.program = f"/usr/lib/postgresql/{version}/bin/postgres"
        self.process = None
        self.start()

    def start(self):
        words = [self.program, "-D", self.cluster, "-c", f"unix_socket_directories={self.folder}"]
        for setting in SETTINGS:
            words += ["-c", setting]
        with open(self.folder.parent.parent / "postgres.log", "ab") as log:
            self.process = subprocess.Popen(as_postgres(words), stdout=log, stderr=log, cwd="/")
        self.database = Database(str(self.folder))

    def stop(self):
        self.database.end()
        self.process.terminate()
        self.process.wait()

    def cool(self):
        """Starts anew with nothing of the database in memory."""
        self.stop()
        os.sync()
        for path in glob.glob(self.cluster + "/base/**", recursive=True):
            if os.path.isfile(path):
                file = os.open(path, os.O_RDONLY)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)
        self.start()


class Database:
    """One psql that stays connected."""

    def __init__(self, socket):
        command = as_postgres(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", socket, "-U", "castledger", "castledger"])
        for _ in range(300):
            if subprocess.run(command + ["-c", "SELECT 1"], capture_output=True, cwd="/").returncode == 0:
                break
            time.sleep(0.2)
        self.psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
        self.backend, = self.run("SELECT pg_backend_pid()")

    def send(self, text):
        self.psql.stdin.write(text + "\n\\echo END\n")
        self.psql.stdin.flush()
        lines = []
        for line in iter(self.psql.stdout.readline, "END\n"):
            if not line:
                sys.exit("psql ended: see above")
            lines.append(line.rstrip("\n"))
        return lines

    def run(self, sql):
        return self.send(sql.strip().rstrip(";") + ";")

    def time(self, sql):
        """Milliseconds until the last row was here, and of the server's processor."""
        before = self.processor()
        lines = self.send("\\timing on\n" + " ".join(sql.split()) + " \\g /dev/null\n\\timing off")
        return float(lines[0].split()[1]), self.processor() - before

    def processor(self):
        with open(f"/proc/{self.backend}/schedstat") as file:
            return int(file.read().split()[0]) / 1e6

    def end(self):
        self.psql.stdin.close()
        self.psql.wait()


def make_base(arguments, data):
    for words in (
        ["fleet", "--history", f"{arguments.days}d", "--devices", str(arguments.base), "--groups",
         str(arguments.base // 20), "--from", BEGIN.split()[0], "--seed", "1"], ["rebuild"],
    ):
        began = time.monotonic()
        if (data / {"fleet": "recorder-id", "rebuild": "postgres"}[words[0]]).exists():
            continue  # An earlier run was here.
        if subprocess.run([arguments.program, *words, "--data", str(data)]).returncode != 0:
            sys.exit(f"castledger {words[0]} failed")
        print(f"castledger {words[0]}: {time.monotonic() - began:.0f} s", flush=True)


def columns(database, table):
    """What a copy of each column is: see the top."""
    shifted = []
    for line in database.run(f"SELECT attname, format_type(atttypid, -1) FROM pg_attribute WHERE attnum > 0 "
                             f"AND NOT attisdropped AND attrelid = 'base.{table}'::regclass ORDER BY attnum"):
        name, kind = line.split("|")
        if name == "device_id":
            shifted.append("CASE c WHEN 0 THEN b.device_id ELSE md5(b.device_id || '/' || c) END")
        elif kind == "timestamp with time zone":
            shifted.append(f"b.{name} + {{shift}} + c * {COPIES_APART}")
        elif name == "position":
            shifted.append("b.position + {positions}")
        elif name == "app_session_id":
            shifted.append("b.app_session_id || '/{month}'")
        else:
            shifted.append(f"b.{name}")
    return ", ".join(shifted)


def prepare(database, arguments):
    """Moves the rows of the base out of the way, and the indexes; returns what makes the indexes again."""
    end = f"timestamptz '{BEGIN}' + interval '{arguments.days} days'"
    database.run("CREATE SCHEMA IF NOT EXISTS base")
    indexes = []
    for table, moment in TABLES.items():
        database.run(f"CREATE TABLE base.{table} AS SELECT * FROM projection.{table} ORDER BY {moment}; "
                     f"CREATE INDEX ON base.{table} ({moment}); ANALYZE base.{table}; TRUNCATE projection.{table}")
        indexes += database.run(
            f"SELECT format('ALTER TABLE projection.{table} ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) "
            f"FROM pg_constraint WHERE contype = 'p' AND conrelid = 'projection.{table}'::regclass")
        indexes += database.run(
            f"SELECT regexp_replace(pg_get_indexdef(indexrelid), '[[:space:]]+', ' ', 'g') FROM pg_index WHERE NOT indisprimary "
            f"AND indrelid = 'projection.{table}'::regclass")
        for drop in database.run(
                f"SELECT format('ALTER TABLE projection.{table} DROP CONSTRAINT %I', conname) FROM pg_constraint "
                f"WHERE contype = 'p' AND conrelid = 'projection.{table}'::regclass UNION ALL "
                f"SELECT 'DROP INDEX ' || indexrelid::regclass FROM pg_index WHERE NOT indisprimary "
                f"AND indrelid = 'projection.{table}'::regclass"):
            database.run(drop)
    # What lasted at the end of the base has ended before its copy begins again.
    for table in ("gap", "app_session", "media_session"):
        database.run(f"UPDATE base.{table} SET ended_at = {end} WHERE ended_at IS NULL")
    database.run("UPDATE base.play SET ended_at = counted_at, end_reason = 'recording_stopped', phase = NULL, "
                 "phase_since = NULL WHERE ended_at IS NULL")
    database.run("CREATE TABLE base.device AS SELECT * FROM projection.device")
    return [index.replace(" ON ONLY ", " ON ") for index in indexes]


def fill(database, arguments):
    database.run("SET TimeZone TO 'UTC'; SET work_mem TO '256MB'; SET client_min_messages TO warning")
    copies = arguments.devices // arguments.base
    indexes = prepare(database, arguments)
    last, = database.run("SELECT max(position) FROM projection.checkpoint")
    (first, whole), = [line.split("|") for line in database.run(
        "SELECT min(observed_at), max(observed_at) FROM base.change_event")]
    print("base:", *database.run("SELECT count(*) || ' change events of ' || count(DISTINCT device_id) || ' devices and "
                                 "groups' FROM base.change_event"), flush=True)
    length = f"interval '{arguments.days} days'"
    for month in range(arguments.months + 2):
        start = f"date_trunc('month', timestamptz '{BEGIN}') + interval '{month} months'"
        (name, low, high), = [line.split("|") for line in database.run(
            f"SELECT to_char({start}, 'YYYY_MM'), {start}, {start} + interval '1 month'")]
        database.run(f"CREATE TABLE IF NOT EXISTS projection.change_event_{name} PARTITION OF projection.change_event "
                     f"FOR VALUES FROM ('{low}') TO ('{high}')")
    shifted = {table: columns(database, table) for table in TABLES}
    began = time.monotonic()
    for month in range(arguments.months):
        names = dict(shift=f"{month} * {length}", positions=month * int(last), month=month)
        for day in range(arguments.days):
            for table, moment in TABLES.items():
                database.run(
                    f"INSERT INTO projection.{table} SELECT {shifted[table].format(**names)} FROM base.{table} b, "
                    f"generate_series(0, {copies - 1}) c WHERE b.{moment} >= timestamptz '{BEGIN}' + interval '{day} days' "
                    f"AND b.{moment} < timestamptz '{BEGIN}' + interval '{day + 1} days' ORDER BY b.{moment} + c * {COPIES_APART}")
        done = (month + 1) / arguments.months
        print(f"{done:.0%} filled after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        room = shutil.disk_usage(arguments.folder).free / 1e9
        if room < arguments.leave:
            sys.exit(f"only {room:.0f} GB are left: take fewer devices or months")
    total = f"{arguments.months - 1} * {length}"
    device = columns_of_device(database)
    database.run(f"DELETE FROM projection.device; INSERT INTO projection.device SELECT {device.format(shift=total)} "
                 f"FROM base.device b, generate_series(0, {copies - 1}) c")
    database.run(f"UPDATE projection.checkpoint SET position = position + {(arguments.months - 1) * int(last)}, "
                 f"observed_at = observed_at + {total}")
    print(f"rows: {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    for index in indexes:
        database.run(index)
    print(f"indexes: {time.monotonic() - began:.0f} s", flush=True)
    database.run("DROP SCHEMA base CASCADE")
    database.run("VACUUM (ANALYZE)")


def columns_of_device(database):
    shifted = []
    for name in database.run("SELECT attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped "
                             "AND attrelid = 'base.device'::regclass ORDER BY attnum"):
        shifted.append({
            "device_id": "CASE c WHEN 0 THEN b.device_id ELSE md5(b.device_id || '/' || c) END",
            "name": "b.name || CASE c WHEN 0 THEN '' ELSE ' ' || c END", "last_heard_at": "b.last_heard_at + {shift}",
        }.get(name, f"b.{name}"))
    return ", ".join(shifted)


def ask(server, arguments):
    plans = pathlib.Path(arguments.folder) / "plans"
    plans.mkdir(exist_ok=True)
    print(*server.database.run(
        "SELECT 'database of ' || pg_size_pretty(pg_database_size(current_database())) || ', ' || count(*) || "
        "' change events of ' || (SELECT count(*) FROM projection.device) || ' devices and groups' "
        "FROM projection.change_event"), flush=True)
    # The device with as many events as half of them have less.
    device, = server.database.run(
        "SELECT device_id FROM projection.play GROUP BY 1 ORDER BY count(*) DESC, 1 "
        "OFFSET (SELECT count(*) / 2 FROM projection.device) LIMIT 1")
    begin = f"timestamptz '{BEGIN}' + interval '{arguments.days * (arguments.months // 2)} days'"
    names = dict(device=device, begin=begin, first=f"timestamptz '{BEGIN}'")
    chosen = [q for q in QUESTIONS if not arguments.only or arguments.only in q.name]
    for question in chosen:
        sql, plain = question.sql.format(**names), question.plain.format(**names)
        cold = None
        if not arguments.warm_only:
            server.cool()
            cold, _ = server.database.time(sql)
        database = server.database
        times = [database.time(sql) for _ in range(5)]
        peers = [database.time(plain) for _ in range(2)]
        rows, = database.run(f"SELECT count(*) FROM ({sql}) q")
        plan = database.run("EXPLAIN (ANALYZE, BUFFERS, SETTINGS) " + sql)
        (plans / f"{question.name}.txt").write_text("\n".join([sql, *plan]) + "\n")
        best, cpu = min(t for t, _ in times), min(c for _, c in times)
        print(f"{question.name}: {best:.0f} ms (cpu {cpu:.0f} ms" + (f", cold {cold:.0f} ms" if cold else "")
              + (f", budget {question.budget} ms" if question.budget else "") + f"), {rows} rows; {question.peer}: "
              f"{min(t for t, _ in peers):.0f} ms, {min(t for t, _ in peers) / best:.1f} times ours", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--devices", type=int, default=1000)
    arguments.add_argument("--months", type=int, default=13, help="of --days days")
    arguments.add_argument("--base", type=int, default=100)
    arguments.add_argument("--days", type=int, default=28)
    arguments.add_argument("--leave", type=float, default=25, help="gigabytes that stay free")
    arguments.add_argument("--only", help="ask only the questions with this in their name")
    arguments.add_argument("--warm-only", action="store_true", help="do not drop the cache")
    arguments.add_argument("--ask-only", action="store_true", help="the folder is filled already")
    arguments.add_argument("--folder", help="kept when named; else one in the folder for temporary files, removed at the end")
    arguments.add_argument("--fill-only", action="store_true", help="ask later, with --ask-only")
    arguments = arguments.parse_args()
    keeps = arguments.folder is not None
    arguments.folder = arguments.folder or tempfile.mkdtemp(prefix="castledger-year-")
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    data = folder / "data"
    try:
        if not arguments.ask_only:
            make_base(arguments, data)
        server = Server(data)
        try:
            if not arguments.ask_only:
                fill(server.database, arguments)
            if not arguments.fill_only:
                ask(server, arguments)
        finally:
            server.stop()
    finally:
        if not keeps:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
