import Exports
import Glibc
import IO
import Recording

/// Where a file goes, and how far it is.
///
/// A class, since whoever writes shares one buffer; used by one thread.
final class ExportOutput {
    private static let bufferBytes = 65_536

    private let file: ReplacingFile?
    private let write: ([UInt8]) throws -> Void
    private let hasNoReader: () -> Bool
    private var progress: ExportProgress
    private let tells: Bool
    private var hasTold = false
    private var buffer: [UInt8] = []
    private var writtenBytes: Int64 = 0
    /// How many rows were written.
    private(set) var rows = 0

    /// - Parameters:
    ///   - path: The file to replace; nil for standard output.
    ///   - from: The beginning of the stretch that the rows are from.
    init(_ path: String?, _ standard: StandardOutput, from: WallTime?, to: WallTime?) throws {
        do { file = try path.map { path throws(IOError) in try ReplacingFile(path) } } catch {
            throw Self.failure(path ?? "", error)
        }
        write = { try standard.bytes($0) }
        hasNoReader = { standard.isClosed }
        progress = ExportProgress(from: from, to: to, now: Clock.monotonicNanoseconds())
        tells = isatty(STDERR_FILENO) == 1 && (path != nil || !Terminal.showsOutput)
    }

    /// Output that somebody else takes, piece by piece; false from `write` means that nobody reads any more.
    init(write: @escaping ([UInt8]) -> Bool) {
        var isGone = false
        file = nil
        self.write = { if !isGone { isGone = !write($0) } }
        hasNoReader = { isGone }
        progress = ExportProgress(from: nil, to: nil, now: Clock.monotonicNanoseconds())
        tells = false
    }

    /// Whether the reader has gone away.
    var isClosed: Bool { file == nil && hasNoReader() }

    /// Writes a text that is no row.
    func text(_ text: String) throws {
        guard !text.isEmpty else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes the text of a row of this moment.
    func row(_ text: String, at moment: WallTime) throws {
        try self.text(text)
        rows += 1
        if tells, rows & 0xFF == 0 { tell(moment) }
    }

    /// Puts the file into its place.
    func finish() throws {
        try flush()
        do { try file?.commit() } catch { throw Self.failure(file?.path ?? "", error) }
        if hasTold { erase() }
    }

    deinit { if hasTold { erase() } }

    private func flush() throws {
        writtenBytes &+= Int64(buffer.count)
        defer { buffer.removeAll(keepingCapacity: true) }
        guard let file else { return try write(buffer) }
        do { try file.append(buffer) } catch { throw Self.failure(file.path, error) }
    }

    private static func failure(_ path: String, _ error: IOError) -> any Error {
        if error.number == EEXIST {
            return CommandFailure(ExitCode.cannotCreate, "\(path) is no regular file, and is left alone.")
        }
        return CommandFailure(
            error.isVolumeFull ? ExitCode.inputOutput : ExitCode.cannotCreate,
            "\(error). Nothing was written to \(path).")
    }

    /// One line that is written over, on a terminal only.
    private func tell(_ moment: WallTime) {
        let now = Clock.monotonicNanoseconds()
        guard let word = progress.word(rows: rows, bytes: writtenBytes, moment: moment, now: now) else { return }
        hasTold = true
        try? Files.writeAll(STDERR_FILENO, Array("\r\u{1B}[Kcastledger: \(word)".utf8), subject: "stderr")
    }

    private func erase() {
        hasTold = false
        try? Files.writeAll(STDERR_FILENO, Array("\r\u{1B}[K".utf8), subject: "stderr")
    }
}
