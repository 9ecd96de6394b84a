import CastModel
import CastWire
import FoundationEssentials
import Recording
import Testing

/// A file of real messages, as records of one device whose link has just come up.
///
/// `Fixtures/corpus/INDEX.md` says where each file comes from and what a recorder should derive from it.
enum CorpusFile {
    private static var folder: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(2)
        return parts.joined(separator: "/") + "/Fixtures/corpus"
    }

    /// The names of all files of messages, without `.jsonl`, sorted.
    static func allNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .map { String($0.dropLast(6)) }.filter { $0 != "discovery" }.sorted()
    }

    /// The lines of a file.
    static func lines(_ name: String) throws -> [JSONValue] {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name).jsonl"))
        let parser = JSONParser()
        return try data.split(separator: UInt8(ascii: "\n")).map { try parser.parse(Array($0)) }
    }

    /// The records of a file: the link comes up at second 0, the first line at second 1.
    ///
    /// A line without a time comes a second after the one before.
    static func replay(_ name: String) throws -> Replay {
        var replay = Replay()
        replay.open(0)
        let lines = try lines(name)
        var clock = 0.0
        let start = lines.lazy.compactMap { $0.numberField("t").ifPresent }.first ?? 0
        for line in lines {
            clock = line.numberField("t").ifPresent.map { $0 - start + 1 } ?? clock + 1
            let payload = try #require(line["payload"])
            let message = CastMessage(
                from: line["source_id"]?.string ?? "receiver-0", to: line["destination_id"]?.string ?? "*",
                Namespace(try #require(line["namespace"]?.string)), text: payload.string ?? payload.text)
            replay.add(
                clock,
                .frame(
                    RecordedFrame(
                        device: replay.device, link: LinkNumber(1),
                        direction: line["dir"] == "out" ? .outbound : .inbound,
                        message: message)))
        }
        return replay
    }
}
