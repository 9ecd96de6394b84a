import CastModel
import Glibc
import IO
import Recording
import Report
import Store
import WebCore

/// Health, figures for Prometheus, and the status for the page.
struct WebFigures {
    let sources: WebSources
    let counts: [RequestCounts.Key: Int]
    let connections: Int
    var observed = ObservedShares()
    var streams = StreamFigures()
    let ledger: () throws -> LedgerQueries

    /// What the live streams tell.
    struct StreamFigures: Sendable {
        /// Who listens now.
        var readers = 0
        /// Those that were too slow, since the start.
        var dropped = 0
    }

    func answer(_ route: Route) throws -> HTTPAnswer {
        switch route {
        case .health: healthAnswer()
        case .metrics: HTTPAnswer(contentType: MetricsText.contentType, body: Array(metrics().utf8))
        default: try status()
        }
    }

    // MARK: Health

    private func healthAnswer() -> HTTPAnswer {
        if sources.isRecorder {
            guard let health = sources.health() else { return .text("the recorder does not answer\n", status: 503) }
            if health["health"]?.string == "healthy" { return .text("ok\n") }
            let troubles = (health["troubles"]?.array ?? []).compactMap { $0["sentence"]?.string }
            return .text(troubles.joined(separator: "\n") + "\n", status: 503)
        }
        do {
            _ = try ledger().recorders()
            return .text("ok\n")
        } catch { return .text("\(error)\n", status: 503) }
    }

    // MARK: Status

    private func status() throws -> HTTPAnswer {
        var object = sources.health()?.object ?? JSONObject([("health", .string("down"))])
        let devices = object["device_list"]?.array ?? []
        object["summary"] = nil
        object["device_list"] = nil
        object["troubled_devices"] = .array(Self.troubled(devices))
        object["now"] = .string(WallTime(microseconds: Clock.wallMicroseconds()).text)
        object["program_version"] = .string(sources.version)
        let recorders = try ledger().recorders().map { row -> JSONValue in
            [
                "recorder_id": .string(row.recorderID), "site": row.site.map(JSONValue.string) ?? .null,
                "position": .integer(row.checkpoint.number),
                "at": row.checkpointAt.map { .string($0.text) } ?? .null, "events": .integer(row.events),
                "is_down": .bool(sources.isDown(row.recorderID)),
            ]
        }
        object["recorders"] = .array(recorders)
        object["storage"] = .object(try storage(devices))
        return .json(.object(object))
    }

    /// Rows of a list that people look through, at most.
    private static let rowLimit = 100

    /// Those that are not linked, or not recorded as a whole.
    private static func troubled(_ devices: [JSONValue]) -> [JSONValue] {
        let found = devices.filter { device in
            device["reach"] != "linked" || device["not_recorded"] ?? .null != .null || device["failures"] != 0
        }
        return Array(found.prefix(rowLimit))
    }

    /// What devices sent since the recorder's start, the most first.
    private static func loudest(_ devices: [JSONValue]) -> JSONValue {
        func bytes(_ device: JSONValue) -> Int64 {
            if case .integer(let count)? = device["bytes_received"] { count } else { 0 }
        }
        let sorted = devices.sorted { bytes($0) > bytes($1) }.prefix(rowLimit)
        return .array(
            sorted.map { device in
                [
                    "device_id": device["device_id"] ?? .null, "device": device["name"] ?? .null,
                    "frames_received": device["frames_received"] ?? 0, "bytes_received": device["bytes_received"] ?? 0,
                ]
            })
    }

    /// What is kept, how fast it grows, and whether it was found whole.
    private func storage(_ devices: [JSONValue]) throws -> JSONObject {
        let sizes = try ledger().sizes()
        var object = sources.storage()?.object ?? JSONObject([])
        object["database_bytes"] = .integer(sizes.databaseBytes)
        object["tables"] = .array(
            sizes.tables.map {
                ["name": .string($0.name), "bytes": .integer($0.bytes), "rows": .integer($0.rows)]
            })
        object["devices"] = Self.loudest(devices)
        return object
    }

    // MARK: Metrics

    private func metrics() -> String {
        var page = MetricsText()
        page.family("castledger_build_info", .gauge, "The version of the program; always 1.")
        page.add("castledger_build_info", [("version", sources.version)], 1)
        let health = sources.health()
        page.one("castledger_up", .gauge, "Whether a recorder runs: 1 or 0.", health == nil ? 0 : 1)
        addLedger(&page)
        if let health { RecorderFigures(health: health).add(to: &page) }
        if let storage = sources.storage() { addStorage(&page, storage) }
        addRequests(&page)
        addNotices(&page)
        addProcess(&page)
        return page.text
    }

    private func addLedger(_ page: inout MetricsText) {
        let isUp = "castledger_database_up"
        do {
            let queries = try ledger()
            let devices = try queries.devices()
            page.one(isUp, .gauge, "Whether the database answers: 1 or 0.", 1)
            page.family("castledger_devices", .gauge, "Devices by how they stand to us.")
            for reach in DeviceRow.Reach.allCases {
                page.add(
                    "castledger_devices", [("state", reach.rawValue)], Double(devices.count { $0.reach == reach }))
            }
            page.family("castledger_device_info", .gauge, "Names and models; always 1.")
            for device in devices {
                page.add(
                    "castledger_device_info",
                    [
                        ("device_id", device.deviceID.text), ("device", device.name ?? ""),
                        ("model", device.model ?? ""),
                    ],
                    1)
            }
            page.family("castledger_device_up", .gauge, "Whether there is a link to the device: 1 or 0.")
            for device in devices {
                let isLinked = device.reach == .linked && !sources.isDown(device.recorderID)
                page.add("castledger_device_up", [("device_id", device.deviceID.text)], isLinked ? 1 : 0)
            }
            try addDevices(&page, queries)
            let sums = try queries.sums()
            page.one("castledger_change_events_total", .counter, "Change events stored.", Double(sums.events))
            page.family("castledger_conflicts_total", .counter, "Conflicts found, by kind.")
            for (kind, count) in sums.conflicts {
                page.add("castledger_conflicts_total", [("kind", kind)], Double(count))
            }
        } catch { page.one(isUp, .gauge, "Whether the database answers: 1 or 0.", 0) }
    }

    /// What is worked out for each device, beside how it stands to us.
    private func addDevices(_ page: inout MetricsText, _ queries: LedgerQueries) throws {
        let shares = try observed.shares(queries, now: WallTime(microseconds: Clock.wallMicroseconds()))
        page.family(
            "castledger_device_observed_ratio", .gauge, "The share of the last 24 hours that was observed, 0 through 1."
        )
        for (device, share) in shares.sorted(by: { $0.key.text < $1.key.text }) {
            page.add("castledger_device_observed_ratio", [("device_id", device.text)], share)
        }
        let now = try queries.now()
        page.one(
            "castledger_storms_active", .gauge, "Devices that send a storm of messages.",
            Double(now.count { $0.state?["storm"]?["frames"] != nil }))
        guard !sources.allowedApps.isEmpty else { return }
        let allowed = Set(sources.allowedApps.map { $0.lowercased() })
        page.family("castledger_app_not_allowed", .gauge, "1 while a receiver app runs that is not allowed.")
        for row in now {
            guard let app = row.appID else { continue }
            let names = [app.text, row.appName, sources.apps[app]?.name].compactMap { $0?.lowercased() }
            guard allowed.isDisjoint(with: names) else { continue }
            page.add(
                "castledger_app_not_allowed", [("device_id", row.device.deviceID.text), ("app_id", app.text)], 1)
        }
    }

    private func addStorage(_ page: inout MetricsText, _ storage: ArchiveStorage) {
        page.one(
            "castledger_archive_size_bytes", .gauge, "What the archive takes on disk.", Double(storage.bytes))
        guard let check = storage.check else { return }
        page.one(
            "castledger_archive_verified_timestamp_seconds", .gauge,
            "When the archive was last verified, in seconds since 1970.", Double(check.at.microseconds) / 1e6)
        page.one(
            "castledger_archive_intact", .gauge, "Whether it was as it was written then: 1 or 0.",
            check.isIntact ? 1 : 0)
    }

    private func addRequests(_ page: inout MetricsText) {
        page.family("castledger_http_requests_total", .counter, "Requests answered, by route and status code.")
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
            page.add(
                "castledger_http_requests_total", [("route", key.route), ("code", "\(key.code)")], Double(count))
        }
        page.one(
            "castledger_http_connections", .gauge, "Connections that are open.", Double(connections))
        page.one("castledger_stream_clients", .gauge, "Who listens to live changes.", Double(streams.readers))
        page.one(
            "castledger_stream_dropped_total", .counter, "Listeners that were too slow and were dropped.",
            Double(streams.dropped))
    }

    private func addNotices(_ page: inout MetricsText) {
        guard let notices = sources.notices() else { return }
        page.family("castledger_webhook_notices_total", .counter, "Notices delivered, and given up.")
        page.add("castledger_webhook_notices_total", [("outcome", "delivered")], Double(notices.delivered))
        page.add("castledger_webhook_notices_total", [("outcome", "given_up")], Double(notices.givenUp))
    }

    private func addProcess(_ page: inout MetricsText) {
        page.one(
            "process_resident_memory_bytes", .gauge, "Resident memory.", Double(ThisProcess.residentBytes))
        page.one("process_open_fds", .gauge, "Open file descriptors.", ThisProcess.openFiles.map(Double.init))
        page.one("process_cpu_seconds_total", .counter, "Processor time used.", Self.processorSeconds)
        page.one(
            "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.", Self.startSeconds)
    }

    private static var processorSeconds: Double? {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// By the kernel: `starttime` of /proc/self/stat, in hundredths of a second since the machine started (proc(5)).
    private static let startSeconds: Double? = {
        guard let bytes = try? Files.read("/proc/self/stat", limitBytes: 4_096), let end = bytes.lastIndex(of: 0x29)
        else { return nil }
        let fields = String(decoding: bytes[end...], as: UTF8.self).split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]) else { return nil }
        let boot = Double(Clock.wallMicroseconds()) / 1e6 - Double(Clock.monotonicNanoseconds()) / 1e9
        return boot + ticks / 100
    }()
}
