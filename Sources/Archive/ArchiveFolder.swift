import IO
public import Recording

/// Where one recorder's archive is: `DATA/archive/<recorder-id>`.
public struct ArchiveFolder: Sendable, Hashable {
    /// The recorder's id.
    public let recorder: String
    /// The folder's path.
    public let path: String

    /// The archive of a recorder under a data folder.
    ///
    /// Throws ``ArchiveError/invalidRecorder(_:)`` when the id cannot be a folder's name.
    public init(data: String, recorder: String) throws(ArchiveError) {
        guard Self.isValidRecorder(recorder) else { throw .invalidRecorder(recorder) }
        self.recorder = recorder
        path = "\(data)/archive/\(recorder)"
    }

    /// The file that the one writer locks.
    var lockPath: String { path + "/writer.lock" }

    /// Whether a recorder writes here now; nil when that cannot be told, as on another machine than the recorder's.
    public var hasWriter: Bool? { FileLock.isHeld(lockPath) }

    /// Whether a text can name a recorder: 1 to 64 ASCII letters, digits, `.`, `_` and `-`, a letter or digit first.
    public static func isValidRecorder(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isLetterOrDigit(first) else {
            return false
        }
        return name.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    /// The recorders that have an archive under a data folder, sorted.
    public static func recorders(data: String, files: any ArchiveFiles = DiskFiles()) throws(ArchiveError) -> [String] {
        do { return try files.names(in: "\(data)/archive").filter { isValidRecorder($0) } } catch {
            throw ArchiveError(error)
        }
    }

    /// The first record that the archive has: 1, or a later one when what came before was pruned; nil when it is empty.
    public func firstPosition(files: any ArchiveFiles = DiskFiles()) throws(ArchiveError) -> ArchivePosition? {
        try segments(files).first?.firstPosition
    }

    /// When something was last written to the newest segment, by the file system; nil when there is none.
    public func lastWritten() throws(ArchiveError) -> WallTime? {
        guard let newest = try segments(DiskFiles()).last else { return nil }
        return Files.modifiedMicroseconds(path(of: newest)).map { WallTime(microseconds: $0) }
    }

    /// What the archive takes on disk, by the day of the first records: segments with their indexes, and what was set aside.
    public func sizesOfDays(
        files: any ArchiveFiles = DiskFiles()
    ) throws(ArchiveError) -> [(day: CalendarDay, bytes: Int64)] {
        try days(files).map { day in
            let folder = "\(path)/\(SegmentName.folder(of: day))"
            var sum: Int64 = 0
            // What is pruned meanwhile takes nothing.
            for name in (try? files.names(in: folder)) ?? [] {
                sum += (try? files.open("\(folder)/\(name)", writing: false).size()) ?? 0
            }
            return (day, sum)
        }
    }

    /// The segments there, by first position, and those that claim the same one by day.
    ///
    /// Not by path: after the wall clock went back a day, later segments lie in an earlier day's folder.
    func segments(_ files: any ArchiveFiles) throws(ArchiveError) -> [SegmentName] {
        var found: [SegmentName] = []
        for day in try days(files) {
            let names = try attempt { () throws(IOError) in
                try files.names(in: "\(path)/\(SegmentName.folder(of: day))")
            }
            found += names.compactMap { SegmentName(day: day, file: $0) }
        }
        return found.sorted()
    }

    /// The days that have a folder.
    func days(_ files: any ArchiveFiles) throws(ArchiveError) -> [CalendarDay] {
        var found: [CalendarDay] = []
        do {
            for year in try files.names(in: path) where year.utf8.count == 4 {
                for month in try files.names(in: "\(path)/\(year)") where month.utf8.count == 2 {
                    for day in try files.names(in: "\(path)/\(year)/\(month)") where day.utf8.count == 2 {
                        guard let year = Int(year), let month = Int(month), let dayOfMonth = Int(day),
                            let date = CalendarDay(year: year, month: month, day: dayOfMonth)
                        else { continue }
                        found.append(date)
                    }
                }
            }
        } catch { throw ArchiveError(error) }
        return found
    }

    func path(of segment: SegmentName) -> String { "\(path)/\(segment.path)" }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

/// One archive file: the day of its first record, and that record's position.
struct SegmentName: Sendable, Hashable, Comparable {
    let day: CalendarDay
    let firstPosition: ArchivePosition

    static let suffix = ".jsonl.zst"
    /// As many digits as the largest position has, so that names sort as positions do.
    static let digits = 19

    init(day: CalendarDay, firstPosition: ArchivePosition) {
        self.day = day
        self.firstPosition = firstPosition
    }

    /// The segment of a file name; nil for any other file.
    init?(day: CalendarDay, file: String) {
        guard file.hasSuffix(Self.suffix), file.utf8.count == Self.digits + Self.suffix.utf8.count,
            let number = Int64(file.dropLast(Self.suffix.count)), number > 0
        else { return nil }
        self.init(day: day, firstPosition: ArchivePosition(number))
    }

    /// By first position; the day decides between two that claim the same one.
    static func < (one: SegmentName, other: SegmentName) -> Bool {
        one.firstPosition == other.firstPosition ? one.path < other.path : one.firstPosition < other.firstPosition
    }

    /// `2026/03/01`.
    static func folder(of day: CalendarDay) -> String {
        let (year, month, dayOfMonth) = day.parts
        return "\(year)/\(padded(month))/\(padded(dayOfMonth))"
    }

    /// `2026/03/01`.
    var folder: String { Self.folder(of: day) }

    /// `0000000000000000812.jsonl.zst`.
    var file: String {
        let number = firstPosition.description
        return String(repeating: "0", count: Self.digits - number.utf8.count) + number + Self.suffix
    }

    /// `2026/03/01/0000000000000000812.jsonl.zst`.
    var path: String { "\(folder)/\(file)" }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
