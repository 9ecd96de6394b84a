"""The dashboard that asks Prometheus: how the recorder itself does. docs/metrics.md says what each metric means."""
from shapes import (BLUE, GREEN, ORANGE, RED, dashboard, figure, graph, metric, override, sql, table)


def recorder():
    return dashboard("recorder", "recorder", "How the recorder does: lag, archive, links, memory.", [
        figure("Recorder", "1: it runs and answers.", metric("min(castledger_up)", "", instant=True), (0, 0, 4, 4),
               thresholds=((None, RED), (1, GREEN)), decimals=0),
        figure("Database", "1: it answers.", metric("min(castledger_database_up)", "", instant=True), (4, 0, 4, 4),
               thresholds=((None, RED), (1, GREEN)), decimals=0),
        figure("Behind", "How far the database is behind the archive.",
               metric("max(castledger_projection_lag_seconds)", "", instant=True), (8, 0, 4, 4), unit="s",
               thresholds=((None, GREEN), (10, ORANGE), (60, RED))),
        figure("Full in", "When the volume of the archive will be full, by the last six hours.", metric(
            "min(castledger_archive_free_bytes / clamp_min(-deriv(castledger_archive_free_bytes[6h]), 1))", "",
            instant=True), (12, 0, 4, 4), unit="s", thresholds=((None, RED), (172800, ORANGE), (1209600, GREEN))),
        figure("Storms", "Devices that send more than 100 messages a second.",
               metric("sum(castledger_storms_active)", "", instant=True), (16, 0, 4, 4),
               thresholds=((None, GREEN), (1, ORANGE)), decimals=0),
        figure("Frames lost", "Frames that could not be kept, within the time chosen. There is no good number but 0.",
               metric("sum(increase(castledger_frames_lost_total[$__range]))", "", instant=True), (20, 0, 4, 4),
               thresholds=((None, GREEN), (1, RED)), decimals=0),
        graph("Devices", "By what we have of them.", [metric("sum by (state) (castledger_devices)", "{{state}}")],
              (0, 4, 8, 8), stacked=True, decimals=0),
        graph("Frames received", "Per second.", [
            metric("sum by (instance) (rate(castledger_frames_received_total[$__rate_interval]))", "{{instance}}"),
        ], (8, 4, 8, 8), unit="cps"),
        graph("Links", "Opened and closed, in each span of time. Many at once are a network rather than devices.", [sql("""
SELECT $__timeGroup(e.observed_at, $__interval) AS time, e.kind AS metric, count(*) AS value
FROM ledger.events e
WHERE $__timeFilter(e.observed_at) AND e.kind IN ('link_opened', 'link_closed')
GROUP BY 1, 2
ORDER BY 1, 2
""", "time_series")], (16, 4, 8, 8), bars=True, decimals=0),
        graph("Behind", "How far the database is behind the archive.", [
            metric("castledger_projection_lag_seconds", "{{instance}}")], (0, 12, 8, 8), unit="s"),
        graph("Waiting for the disk", "What is in memory and not yet in the archive: little, unless the disk is slow or full.", [
            metric("castledger_archive_waiting_bytes", "{{instance}}")], (8, 12, 8, 8), unit="bytes"),
        graph("Growth of the archive", "Per second; what pruning takes away is below 0.", [
            metric("deriv(castledger_archive_size_bytes[15m])", "{{instance}}")], (16, 12, 8, 8), unit="Bps"),
        graph("Room", "Size of the archive, and what is free on its volume.", [
            metric("castledger_archive_size_bytes", "archive {{instance}}"),
            metric("castledger_archive_free_bytes", "free {{instance}}", ref="B"),
        ], (0, 20, 8, 8), unit="bytes"),
        graph("Notices", "Webhook calls per second, by how they went.", [
            metric("sum by (outcome) (rate(castledger_webhook_notices_total[$__rate_interval]))", "{{outcome}}")],
              (8, 20, 8, 8), unit="cps"),
        graph("Records behind", "Records of the archive that the database does not know yet.", [
            metric("castledger_projection_lag_records", "{{instance}}")], (16, 20, 8, 8), decimals=0),
        graph("Rows", "Records made durable and change events applied, per second.", [
            metric("sum(rate(castledger_records_durable_total[$__rate_interval]))", "records durable"),
            metric("sum(rate(castledger_change_events_total[$__rate_interval]))", "change events", ref="B"),
        ], (0, 28, 8, 8), unit="cps"),
        graph("Memory", "Resident.", [metric("process_resident_memory_bytes{job=\"castledger\"}", "{{instance}}")],
              (8, 28, 8, 8), unit="bytes"),
        graph("Processor", "Of one core.", [
            metric("rate(process_cpu_seconds_total{job=\"castledger\"}[$__rate_interval])", "{{instance}}")],
              (16, 28, 8, 8), unit="percentunit"),
        graph("Open files", "One for each device, and some.", [
            metric("process_open_fds{job=\"castledger\"}", "{{instance}}")], (0, 36, 8, 8), decimals=0),
        graph("Readers of the page", "Requests per second by answer, and streams of changes that are open.", [
            metric("sum by (code) (rate(castledger_http_requests_total[$__rate_interval]))", "{{code}}"),
            metric("sum(castledger_stream_clients)", "streams", ref="B"),
            metric("sum(rate(castledger_stream_dropped_total[$__rate_interval]))", "streams dropped", ref="C"),
        ], (8, 36, 8, 8)),
        table("Recorders", "How far the archive of each recorder is in the database.", """
SELECT coalesce(site, recorder_id::text) AS recorder, observed_at AS "last record", position, events,
    sanitized_rows AS "rows sanitized", refused_rows AS "rows refused"
FROM ledger.recorders
ORDER BY 1
""", (16, 36, 8, 8), [override("last record", unit="dateTimeFromNow"), override("events", unit="short")]),
        graph("Round trips", "How long devices take to answer our PING: half of them, nearly all, the slowest.", [
            metric("quantile by (instance) (0.5, castledger_link_round_trip_seconds)", "half {{instance}}"),
            metric("quantile by (instance) (0.95, castledger_link_round_trip_seconds)", "95 % {{instance}}", ref="B"),
            metric("max by (instance) (castledger_link_round_trip_seconds)", "slowest {{instance}}", ref="C"),
        ], (0, 44, 8, 8), unit="s"),
        graph("Attempts to connect", "Links that came up, and attempts that failed, per second.", [
            metric("sum(rate(castledger_links_opened_total[$__rate_interval]))", "opened"),
            metric("sum(rate(castledger_links_failed_total[$__rate_interval]))", "failed", ref="B"),
        ], (8, 44, 8, 8), unit="cps"),
        graph("Messages that we send", "Per second, by type: there are no others.", [
            metric("sum by (type) (rate(castledger_frames_sent_total[$__rate_interval]))", "{{type}}"),
        ], (16, 44, 8, 8), unit="cps", stacked=True),
        graph("Syncs", "How long the disk takes to make a batch durable, on the average.", [
            metric("rate(castledger_archive_sync_seconds_sum[$__rate_interval]) "
                   "/ rate(castledger_archive_sync_seconds_count[$__rate_interval])", "{{instance}}"),
        ], (0, 52, 8, 8), unit="s"),
        graph("Written to the archive", "Per second, as it is on disk.", [
            metric("rate(castledger_archive_written_bytes_total[$__rate_interval])", "{{instance}}"),
        ], (8, 52, 8, 8), unit="Bps"),
        figure("Malformed frames", "Frames that were no messages, within the time chosen. They are kept.",
               metric("sum(increase(castledger_frames_malformed_total[$__range]))", "", instant=True), (16, 52, 8, 3),
               thresholds=((None, GREEN), (1, ORANGE)), decimals=0),
        figure("Archive", "1: the last 'castledger archive verify' found it as it was written.",
               metric("min(castledger_archive_intact)", "", instant=True), (16, 55, 4, 5),
               thresholds=((None, RED), (1, GREEN)), decimals=0),
        figure("Last verified", "How long ago that was.",
               metric("time() - min(castledger_archive_verified_timestamp_seconds)", "", instant=True), (20, 55, 4, 5),
               unit="s", thresholds=((None, GREEN), (7776000, ORANGE))),
    ], since="now-6h", refresh="30s")
