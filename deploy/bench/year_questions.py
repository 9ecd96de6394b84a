"""What people ask of a year, in the words that the program uses, and a plain statement beside each."""
import dataclasses


@dataclasses.dataclass
class Question:
    name: str
    sql: str
    #: Milliseconds; None where none is promised.
    budget: int | None
    peer: str
    plain: str


EVENT_COLUMNS = """recorder_id::text, position, ordinal, observed_at, device_id, app_session_id, media_session_id, kind,
    attribution, request_id, callbacks, effective, before, after, position_seconds, finding, sender_series"""
MONTH_OF_EVENTS = """SELECT count(*) FROM projection.change_event
    WHERE observed_at >= {begin} AND observed_at < {begin} + interval '30 days'"""
ALL_PLAYS = "SELECT device_id, count(*), sum(played_seconds) FROM projection.play GROUP BY 1"

QUESTIONS = [
    Question(
        "device-month-events", f"""SELECT {EVENT_COLUMNS} FROM ledger.events WHERE device_id = '{{device}}'
        AND observed_at >= {{begin}} AND observed_at < {{begin}} + interval '30 days'
        ORDER BY observed_at, recorder_id, position, ordinal""", 50, "counting the month of all devices", MONTH_OF_EVENTS),
    Question(
        "device-month-lanes", """SELECT * FROM ledger.lanes({begin}, {begin} + interval '30 days', '{device}')
        ORDER BY from_at""", 50, "counting the month of all devices", MONTH_OF_EVENTS),
    Question(
        "device-month-plays", """SELECT * FROM ledger.plays WHERE device_id = '{device}'
        AND coalesce(ended_at > {begin}, true) AND started_at < {begin} + interval '30 days'
        ORDER BY started_at, device_id, recorder_id, position, ordinal""", 50, "adding up all plays", ALL_PLAYS),
    Question(
        "fleet-day-plays", """SELECT * FROM ledger.plays WHERE coalesce(ended_at > {begin}, true)
        AND started_at < {begin} + interval '1 day' AND span && tstzrange({begin}, {begin} + interval '1 day')
        ORDER BY started_at, device_id, recorder_id, position, ordinal""", 500, "adding up all plays", ALL_PLAYS),
    Question(
        "fleet-day-lanes", "SELECT * FROM ledger.lanes({begin}, {begin} + interval '1 day')", 500,
        "adding up all plays", ALL_PLAYS),
    Question(
        "fleet-day-events", f"""SELECT {EVENT_COLUMNS} FROM ledger.events
        WHERE observed_at >= {{begin}} AND observed_at < {{begin}} + interval '1 day'
        ORDER BY observed_at, device_id, recorder_id, position, ordinal""", None, "counting a month", MONTH_OF_EVENTS),
    Question(
        "fleet-day-uptime", "SELECT * FROM ledger.uptime({begin}, {begin} + interval '1 day', 'UTC')", None,
        "adding up all plays", ALL_PLAYS),
    Question(
        "year-totals-by-device", """SELECT device_id, sum(played_seconds), sum(paused_seconds)
        FROM ledger.play_share({first}, {first} + interval '1 year', 'Europe/Berlin') GROUP BY 1""", None,
        "adding up all plays", ALL_PLAYS),
    Question(
        "year-totals-by-app-and-hour", """SELECT p.app_id, s.hour, sum(s.played_seconds)
        FROM ledger.play_share({first}, {first} + interval '1 year', 'Europe/Berlin', 'hour') s
        JOIN ledger.plays p USING (device_id, recorder_id, position, ordinal) GROUP BY 1, 2""", None,
        "adding up all plays", ALL_PLAYS),
    Question(
        "year-observed", """SELECT device_id, sum(known_seconds), sum(observed_seconds)
        FROM ledger.observed_share({first}, {first} + interval '1 year', 'Europe/Berlin') GROUP BY 1""", None,
        "adding up all plays", ALL_PLAYS),
    Question(
        "fleet-month-conflicts", """SELECT * FROM ledger.conflicts WHERE coalesce(ended_at > {begin}, true)
        AND started_at < {begin} + interval '30 days' AND span && tstzrange({begin}, {begin} + interval '30 days')
        ORDER BY started_at, device_id, recorder_id, position, ordinal, kind""", None, "counting all conflicts",
        "SELECT count(*), sum(length(evidence::text)) FROM projection.conflict"),
    Question(
        "fleet-month-coverage", "SELECT * FROM ledger.coverage({begin}, {begin} + interval '30 days', 'Europe/Berlin')",
        None, "adding up all gaps",
        "SELECT device_id, reason, sum(ended_at - started_at) FROM projection.gap GROUP BY 1, 2"),
    Question(
        "device-month-coverage", """SELECT * FROM ledger.coverage({begin}, {begin} + interval '30 days',
        'Europe/Berlin', '{device}')""", 50, "adding up all gaps",
        "SELECT device_id, reason, sum(ended_at - started_at) FROM projection.gap GROUP BY 1, 2"),
]
