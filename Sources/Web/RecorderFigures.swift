import CastModel
import WebCore

/// The figures of a running recorder for Prometheus, out of what it tells of its health.
///
/// What it does not tell is left out.
struct RecorderFigures {
    let health: JSONValue

    /// Adds all of them.
    func add(to page: inout MetricsText) {
        addLinks(&page)
        addFrames(&page)
        addArchive(&page)
        page.one(
            "castledger_projection_lag_records", .gauge, "Records that the database does not know yet.",
            number("database", "lag_records"))
        page.one(
            "castledger_projection_lag_seconds", .gauge, "For how long the database has been behind.",
            number("database", "lag_seconds"))
    }

    private func number(_ path: String...) -> Double? {
        var value: JSONValue? = health
        for key in path { value = value?[key] }
        return Self.number(value)
    }

    private static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let whole)?: Double(whole)
        case .number(let number)?: number
        default: nil
        }
    }

    private func addLinks(_ page: inout MetricsText) {
        page.one(
            "castledger_links_opened_total", .counter, "Links that came up since the start.",
            number("links", "opened"))
        page.one(
            "castledger_links_failed_total", .counter, "Attempts to open a link that failed since the start.",
            number("links", "failed"))
        page.family(
            "castledger_link_round_trip_seconds", .gauge, "How long a device took to answer our last PING.")
        for device in health["device_list"]?.array ?? [] {
            guard let id = device["device_id"]?.string, let seconds = Self.number(device["round_trip_seconds"]) else {
                continue
            }
            page.add("castledger_link_round_trip_seconds", [("device_id", id)], seconds)
        }
    }

    private func addFrames(_ page: inout MetricsText) {
        page.one(
            "castledger_frames_received_total", .counter, "Frames that devices sent since the start.",
            number("frames_received"))
        page.one(
            "castledger_frames_malformed_total", .counter, "Of them, those that were no messages.",
            number("frames_malformed"))
        page.family("castledger_frames_sent_total", .counter, "Messages that we sent since the start, by type.")
        for pair in health["frames_sent"]?.object?.pairs ?? [] {
            guard let count = Self.number(pair.value) else { continue }
            page.add("castledger_frames_sent_total", [("type", pair.key)], count)
        }
        page.one(
            "castledger_frames_lost_total", .counter, "Frames that could not be kept.", number("frames_lost"))
    }

    private func addArchive(_ page: inout MetricsText) {
        page.one(
            "castledger_records_durable_total", .counter, "Records safe on disk since the start.",
            number("archive", "records"))
        page.one(
            "castledger_archive_written_bytes_total", .counter, "Bytes that the archive wrote since the start.",
            number("archive", "written_bytes"))
        if let seconds = number("archive", "sync_seconds"), let count = number("archive", "syncs") {
            page.summary(
                "castledger_archive_sync_seconds", "How long the disk took to make bytes of the archive durable.",
                sum: seconds, count: count)
        }
        page.one(
            "castledger_archive_waiting_bytes", .gauge, "Frames in memory that wait for the disk.",
            number("archive", "waiting_bytes"))
        page.one(
            "castledger_archive_free_bytes", .gauge, "Free room of the volume that holds the data.",
            number("volume", "free_bytes"))
    }
}
