import Archive
import CastModel
import Differ
import Glibc
import IO
import Recorder
import Recording
import Store
import Telemetry

// Measures the stages behind the links, each beside a plain tool in the same run: print ratios, not promises.
// usage: castledger-bench [rounds]        (one round: 200 devices, 400 records)
//        castledger-bench find [rounds]   only the search, in an archive of 9,000 rounds unless told otherwise
//        castledger-bench exports [form|all [devices [days [plays]]]]
//                                         only the memory of exports; a year of 1,000 devices with 10 plays a day

func say(_ line: String) throws { try Files.writeAll(1, Array((line + "\n").utf8), subject: "stdout") }

if CommandLine.arguments.dropFirst().first == "find" {
    try Finding.run(rounds: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 9_000)
    exit(0)
}

if CommandLine.arguments.dropFirst().first == "exports" {
    let words = Array(CommandLine.arguments.dropFirst(2))
    func number(_ place: Int, _ usual: Int) -> Int { words.count > place ? max(1, Int(words[place]) ?? usual) : usual }
    let forms = words.first.map { $0 == "all" ? ExportMemory.forms : [$0] } ?? ExportMemory.forms
    for form in forms {
        try ExportMemory.run(form, devices: number(1, 1000), days: number(2, 365), playsPerDay: number(3, 10))
    }
    exit(0)
}

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 500
let folder = try Files.makeTemporaryFolder("castledger-bench", mode: 0o711)
defer { try? Files.removeTree(folder) }
let data = DataFolder(folder + "/data")
try data.make()
let archiveFolder = try ArchiveFolder(data: data.path, recorder: data.recorderID())
let now = MonotonicTime(nanoseconds: 0)

// Write: observations -> durable records, in batches of 5,000 as a busy recorder does, against 'zstd -3'.
var evening = Evening(devices: 200)
let observations = evening.beginning() + (0..<rounds).flatMap { evening.nextRound($0) }
let writer = try ArchiveWriter(archiveFolder, boot: Clock.bootID())
let writeSeconds = try seconds {
    var rest = observations[...]
    while !rest.isEmpty {
        try writer.append(Array(rest.prefix(5_000)), now: now)
        rest = rest.dropFirst(5_000)
    }
    try writer.finish(now: now)
}
let plain = folder + "/plain.jsonl"
_ = try ChildProcess.run(["sh", "-c", "find \(data.archive) -name '*.zst' | sort | xargs zstdcat > \(plain)"])
let toolWrite = try seconds {
    _ = try ChildProcess.run(["zstd", "-3", "-q", "-f", "-T1", plain, "-o", plain + ".zst"])
}
try say(
    Comparison(
        what: "archive, observations to durable", amount: Double(observations.count), unit: "records",
        ourSeconds: writeSeconds, tool: "'zstd -3' of the finished text", toolSeconds: toolWrite
    ).line)
let segments = try ArchiveListing.segments(archiveFolder)
let (bytes, compressed) = segments.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.compressedBytes) }
try say("archive, size: \(Double(bytes * 10 / max(1, compressed)) / 10) times smaller than its JSON Lines")

// Replay: archive -> change events, against 'zstdcat | jq'.
var batches: [ProjectionBatch] = []
var records = 0
let replaySeconds = try seconds {
    let reader = ArchiveReader(archiveFolder)
    var differ = StatusDiffer()
    var position = ArchivePosition(0)
    while case let archived = try reader.readAvailable(limitRecords: 5_000), let last = archived.last?.records.last {
        var batch = ProjectionBatch(startingAt: position, through: last.position, throughTime: last.at)
        for record in archived.lazy.flatMap(\.records) {
            batch.events.append(contentsOf: differ.fold(record))
            records += 1
        }
        position = last.position
        batches.append(batch)
    }
}
let segmentPaths = "find \(data.archive) -name '*.zst' | sort | xargs zstdcat"
let toolReplay = try seconds {
    _ = try ChildProcess.run(["sh", "-c", "\(segmentPaths) | jq -c .position > /dev/null"])
}
try say(
    Comparison(
        what: "replay, archive to change events", amount: Double(records), unit: "records", ourSeconds: replaySeconds,
        tool: "'zstdcat | jq .position'", toolSeconds: toolReplay
    ).line)

// Project: change events -> PostgreSQL, against 'COPY' of the same rows into a table without indexes.
let database = try LedgerDatabase(address: nil, data: data.path)
defer { database.close() }
let connection = try database.connect()
let projection = try Projection(connection: connection, recorderID: archiveFolder.recorder)
let projectSeconds = try seconds {
    for batch in batches { try projection.apply(batch) }
}
let events = batches.reduce(0) { $0 + $1.events.count }
try connection.executeScript(
    "CREATE TEMP TABLE plain_copy (LIKE projection.change_event)", doing: "making a plain table")
let copySeconds = try seconds {
    _ = try connection.execute(
        "INSERT INTO plain_copy SELECT * FROM projection.change_event", doing: "copying inside the server")
}
try say(
    Comparison(
        what: "projection, change events to PostgreSQL", amount: Double(events), unit: "events",
        ourSeconds: projectSeconds, tool: "'INSERT SELECT' of the same rows inside the server", toolSeconds: copySeconds
    ).line)
