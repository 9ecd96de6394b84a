import Archive
import CastModel
import IO
import Recording

/// One device's ten minutes in the middle of a large archive, by index, against `zstdcat | grep` of the device.
enum Finding {
    private static let device = "0123456789abcdef0123456789ab1007"

    static func run(rounds: Int) throws {
        let data = try Files.makeTemporaryFolder("castledger-bench-find")
        defer { try? Files.removeTree(data) }
        let folder = try ArchiveFolder(data: data, recorder: "bench")
        try write(rounds, into: folder)
        let segments = try ArchiveListing.segments(folder)
        let lineBytes = segments.reduce(0) { $0 + $1.bytes }
        // A round takes a second.
        let middle = 1_772_395_200_000_000 + Int64(rounds) * 500_000
        var filter = RecordFilter()
        filter.devices = [DeviceID(device)]
        filter.from = WallTime(microseconds: middle - 300_000_000)
        filter.to = WallTime(microseconds: middle + 300_000_000)
        let tool = try seconds {
            _ = try ChildProcess.run(
                ["sh", "-c", "find \(data) -name '*.zst' | sort | xargs zstdcat | grep -c \(device)"])
        }
        for isFirst in [false, true] {
            if isFirst { _ = try ChildProcess.run(["sh", "-c", "find \(data) -name '*.index' | xargs rm"]) }
            let search = ArchiveSearch(folder)
            var found = 0
            let ours = try seconds {
                try search.run(filter) { _, _ in
                    found += 1
                    return true
                }
            }
            precondition(found > 0, "nothing was found, so nothing was measured")
            let what = isFirst ? "the first search, which makes the indexes" : "search"
            try say(
                Comparison(
                    what: "\(what): \(found) records of one device's 10 minutes, of \(lineBytes >> 20) MiB of lines",
                    amount: Double(lineBytes >> 20), unit: "MiB", ourSeconds: ours,
                    tool: "'zstdcat | grep' of the device", toolSeconds: tool
                ).line)
            try say(
                "  \(Int(ours * 1000)) ms; \(search.entriesRead) entries of the indexes read, in \(segments.count) segments"
            )
        }
    }

    private static func write(_ rounds: Int, into folder: ArchiveFolder) throws {
        let writer = try ArchiveWriter(folder, boot: Clock.bootID())
        var evening = Evening(devices: 200)
        try writer.append(evening.beginning(), now: MonotonicTime(nanoseconds: 0))
        for round in 0..<rounds {
            try writer.append(evening.nextRound(round), now: MonotonicTime(nanoseconds: Int64(round) * 1_000_000_000))
        }
        try writer.finish(now: MonotonicTime(nanoseconds: 0))
    }
}
