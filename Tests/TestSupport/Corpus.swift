public import CastModel
import IO

/// The files of real messages in `Fixtures/corpus`, read without mercy: a line that is not as all are is an error.
///
/// `INDEX.md` there says where each file comes from and what a recorder should derive from it.
public enum Corpus {
    /// One message as a file has it.
    public struct Message: Sendable {
        /// When it came, in seconds after the link came up.
        public let seconds: Double
        /// Whether a sender sent it; otherwise the device did.
        public let isOutbound: Bool
        /// Who sent it.
        public let sourceID: String
        /// Whom it is for.
        public let destinationID: String
        /// Its namespace.
        public let namespace: String
        /// What it says.
        public let text: String
    }

    /// What is wrong with a file.
    public struct BadLine: Error, CustomStringConvertible {
        /// File, line, and what is missing.
        public let description: String

        init(_ file: String, _ line: Int, _ what: String) {
            description = "\(file).jsonl:\(line): \(what)"
        }
    }

    /// Where the files are.
    public static var folder: String {
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fixtures/corpus"
    }

    /// The names of all files of messages, without `.jsonl`, sorted.
    public static func names() throws -> [String] {
        try Files.names(in: folder).filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }
            .filter { $0 != "discovery" }.sorted()
    }

    /// The lines of a file, each an object.
    public static func lines(_ name: String) throws -> [JSONValue] {
        let parser = JSONParser()
        let content = try Files.read("\(folder)/\(name).jsonl").split(separator: UInt8(ascii: "\n"))
        return try content.enumerated().map { index, line in
            let value = try parser.parse(Array(line))
            guard value.object != nil else { throw BadLine(name, index + 1, "no object") }
            return value
        }
    }

    /// The messages of a file.
    ///
    /// The first one comes at second 1, one without a time a second after the one before.
    public static func messages(_ name: String) throws -> [Message] {
        let lines = try lines(name)
        let first = lines.lazy.compactMap { $0["t"]?.lossyNumber }.first ?? 0
        var clock = 0.0
        return try lines.enumerated().map { index, line in
            func text(_ key: String) throws -> String {
                guard let text = line[key]?.string else { throw BadLine(name, index + 1, "no text in '\(key)'") }
                return text
            }
            guard let time = line["t"], let payload = line["payload"] else {
                throw BadLine(name, index + 1, "no time or no payload")
            }
            clock = time.lossyNumber.map { $0 - first + 1 } ?? clock + 1
            let direction = try text("dir")
            guard ["in", "out"].contains(direction) else { throw BadLine(name, index + 1, "no direction") }
            return Message(
                seconds: clock, isOutbound: direction == "out", sourceID: try text("source_id"),
                destinationID: try text("destination_id"), namespace: try text("namespace"),
                text: payload.string ?? payload.text)
        }
    }
}
