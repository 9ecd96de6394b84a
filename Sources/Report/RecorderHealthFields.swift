public import CastModel
import Recording

extension RecorderHealth {
    /// The facts, what is wrong, and the same for people, under stable names.
    public var json: JSONValue {
        let troubles = self.troubles
        return .object(
            JSONObject([
                ("health", .string(troubles.isEmpty ? "healthy" : "degraded")),
                (
                    "troubles",
                    .array(troubles.map { ["kind": .string($0.kind), "sentence": .string($0.sentence)] })
                ),
                ("pid", .integer(Int64(processID))), ("version", .string(version)),
                ("recorder_id", .string(recorderID)), ("started_at", .string(startedAt.text)),
                ("uptime_seconds", Self.seconds(uptimeSeconds)), ("devices", deviceFields),
                ("links", ["opened": .integer(Int64(linksOpened)), "failed": .integer(Int64(linksFailed))]),
                ("frames", .integer(Int64(frames))), ("frames_received", .integer(Int64(framesReceived))),
                ("frames_malformed", .integer(Int64(framesMalformed))),
                ("frames_sent", .object(JSONObject(framesSent.map { ($0.type, .integer(Int64($0.count))) }))),
                ("frames_lost", .integer(Int64(framesLost))),
                ("frames_lost_last_hour", .integer(Int64(framesLostLastHour))), ("archive", archiveFields),
                ("database", databaseFields), ("discovery", ["trouble": Self.text(discoveryTrouble)]),
                ("settings", ["trouble": Self.text(settingsTrouble)]),
                (
                    "volume",
                    [
                        "free_bytes": freeBytes.map { .integer($0) } ?? .null,
                        "free_share": freeShare.map { .number($0) } ?? .null,
                        "days_until_full": Self.seconds(daysUntilFull),
                    ]
                ),
                (
                    "process",
                    [
                        "resident_bytes": .integer(residentBytes), "open_files": Self.count(openFiles),
                        "open_files_limit": .integer(Int64(openFilesLimit)), "threads": Self.count(threads),
                    ]
                ),
                (
                    "silent_seconds",
                    .object(JSONObject(silentSeconds.map { ($0.thread, Self.seconds($0.seconds)) }))
                ),
                ("device_list", .array(devices.map(\.json))), ("summary", .array(summary.map { .string($0) })),
            ]))
    }

    private var deviceFields: JSONValue {
        [
            "known": .integer(Int64(devices.count)), "typed": .integer(Int64(devicesTyped)),
            "linked": .integer(Int64(linked)), "joined": .integer(Int64(joined)),
            "refused": .integer(Int64(refused)), "platform_only": .integer(Int64(platformOnly)),
            "unreachable": .integer(Int64(unreachable)), "over_limit": .integer(Int64(devicesOverLimit)),
            "no_link_seconds": Self.seconds(noLinkSeconds),
        ]
    }

    private var archiveFields: JSONValue {
        [
            "durable_position": .integer(durablePosition), "durable_seconds_ago": Self.seconds(durableSeconds),
            "records": .integer(records), "stalled_seconds": Self.seconds(stalledSeconds),
            "disk_silent_seconds": Self.seconds(diskSilentSeconds), "waiting_bytes": .integer(Int64(waitingBytes)),
            "written_bytes": .integer(writtenBytes), "syncs": .integer(syncs), "sync_seconds": .number(syncSeconds),
        ]
    }

    private var databaseFields: JSONValue {
        [
            "applied_position": appliedPosition.map { .integer($0) } ?? .null,
            "lag_records": lagRecords.map { .integer($0) } ?? .null, "lag_seconds": Self.seconds(lagSeconds),
            "events": .integer(Int64(events)), "trouble": Self.text(databaseTrouble),
        ]
    }

    /// To the millisecond: more would be noise.
    fileprivate static func seconds(_ seconds: Double?) -> JSONValue {
        seconds.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
    }

    fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    private static func count(_ count: Int?) -> JSONValue { count.map { .integer(Int64($0)) } ?? .null }
}

extension RecorderHealth.Device {
    fileprivate var json: JSONValue {
        [
            "device_id": .string(deviceID), "name": RecorderHealth.text(name), "model": RecorderHealth.text(model),
            "address": .string(address), "reach": .string(reach), "app": RecorderHealth.text(appName),
            "not_recorded": RecorderHealth.text(notRecorded), "platform_only": .bool(isPlatformOnly),
            "last_heard_seconds_ago": RecorderHealth.seconds(lastHeardSeconds), "failures": .integer(Int64(failures)),
            "last_failure": RecorderHealth.text(lastFailure),
            // To the microsecond: a device on the same switch takes less than a millisecond.
            "round_trip_seconds": roundTripSeconds.map { .number(($0 * 1e6).rounded() / 1e6) } ?? .null,
            "frames_received": .integer(Int64(framesReceived)), "bytes_received": .integer(Int64(bytesReceived)),
        ]
    }
}

extension RecorderHealth {
    /// The same in a handful of lines for people, worst first.
    public var summary: [String] {
        let troubles = self.troubles.map(\.sentence)
        let first = troubles.first.map { "degraded   \($0)" } ?? "healthy"
        return [first] + troubles.dropFirst().map { "           \($0)" } + [
            "recording  for \(Figures.stretch(uptimeSeconds)), process \(processID), castledger \(version)",
            "devices    \(deviceLine)", "archive    \(archiveLine)", "database   \(databaseLine)",
            "volume     \(volumeLine)", "process    \(processLine)",
        ]
    }

    private var deviceLine: String {
        let some = [
            (refused, "whose app refuses us"), (platformOnly, "that do not keep us invisible"),
            (unreachable, "unreachable"),
        ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }
        return "\(devices.count) known, \(linked) linked, \(joined) with an app joined\(some.joined())"
    }

    private var archiveLine: String {
        let age = durableSeconds.map { "safe \(Figures.stretch($0)) ago" } ?? "safe before the start"
        let last = durablePosition > 0 ? "record \(durablePosition) \(age)" : "no record yet"
        let waiting = Figures.bytes(Int64(clamping: waitingBytes))
        return "\(last), \(waiting) waiting, \(framesLost) frames lost since the start"
    }

    private var databaseLine: String {
        guard let appliedPosition, let lagRecords else { return "not reached since the start" }
        let lag = lagRecords == 0 ? "up to date" : "\(lagRecords) records (\(Figures.stretch(lagSeconds))) behind"
        return "record \(appliedPosition) applied, \(lag), \(events) change events since the start"
    }

    private var volumeLine: String {
        guard let freeBytes, let freeShare else { return "unknown" }
        let full = daysUntilFull.map { ", full in \(Figures.stretch($0 * 86_400)) at this rate" } ?? ""
        return "\(Figures.bytes(freeBytes)) free (\(Figures.percent(freeShare)))\(full)"
    }

    private var processLine: String {
        let files = openFiles.map { "\($0) of \(openFilesLimit) files open, " } ?? ""
        return
            "\(Figures.bytes(residentBytes)) resident, \(files)\(threads.map { "\($0) threads" } ?? "threads unknown")"
    }
}
