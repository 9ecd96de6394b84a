import Archive
import IO
import Recorder
import Recording
import Store

/// Up to when an answer of the ledger's database holds for one recorder.
struct LedgerEnd {
    /// A database that is so much behind has a reason: one that follows is applied within two or three seconds.
    private static let limitMicroseconds: Int64 = 10_000_000

    private let recorder: RecorderRow
    private let isDown: Bool
    /// The last record of the archive, when the database is behind it.
    private let archive: Record?

    init(_ recorder: RecorderRow, _ context: CommandContext) {
        self.recorder = recorder
        isDown = Ledger.isDown(recorder.recorderID, context)
        archive = Self.archiveAhead(of: recorder, context)
    }

    /// The end of the recorder's archive, when it is in this data folder, can be read, and is ahead of the database.
    private static func archiveAhead(of recorder: RecorderRow, _ context: CommandContext) -> Record? {
        guard let folder = try? ArchiveFolder(data: context.folder.path, recorder: recorder.recorderID),
            Files.exists(folder.path)
        else { return nil }
        func isAhead(_ time: WallTime?) -> Bool {
            guard let time, let known = recorder.checkpointAt else { return time != nil }
            return time.microseconds &- known.microseconds > limitMicroseconds
        }
        // The file's time costs nothing; its last record may cost a second.
        guard let written = try? folder.lastWritten(), isAhead(written),
            let last = try? ArchiveReading.last(of: folder), last.position > recorder.checkpoint, isAhead(last.at)
        else { return nil }
        return last
    }

    /// What a person must know of it.
    func lines(_ context: CommandContext) -> [String] {
        var lines: [String] = []
        if let archive {
            let database = recorder.checkpointAt.map { "the database ends at \($0.text)" } ?? "the database is empty"
            let count = archive.position.number - recorder.checkpoint.number
            let missing = count == 1 ? "1 record is" : "\(count) records are"
            lines.append("castledger: \(database), the archive at \(archive.at.text): \(missing) not in this answer")
        }
        if isDown {
            let end = (archive?.at ?? recorder.checkpointAt).map { " after \($0.text)" } ?? ""
            lines.append("castledger: no recorder writes into \(context.folder.path) now: nothing is known\(end)")
        }
        return lines
    }
}
