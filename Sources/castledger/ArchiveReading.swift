import Archive
import Arguments
import IO
import Recorder
import Recording

/// Opens the archives below a data folder, for commands that read them.
enum ArchiveReading {
    /// The archives of all recorders that used the folder, by their ids; none when nobody recorded yet.
    static func folders(_ context: CommandContext) throws -> [ArchiveFolder] {
        guard Files.exists(context.folder.archive) else { return [] }
        return try ArchiveFolder.recorders(data: context.folder.path).map { recorder in
            try ArchiveFolder(data: context.folder.path, recorder: recorder)
        }
    }

    /// The last record of an archive; nil when it has none.
    ///
    /// Reads the newest segment as a whole while no index of it is kept.
    static func last(of folder: ArchiveFolder) throws -> Record? {
        try ArchiveSearch(folder, keepsIndexes: false).last(1, before: ArchivePosition(.max), RecordFilter()).last
    }

    /// Hands over every record in order, until `each` returns false.
    ///
    /// - Throws: The first damage, after everything before it was handed over.
    static func records(
        of folder: ArchiveFolder, from position: ArchivePosition, each: (Record) throws -> Bool
    ) throws {
        let reader = ArchiveReader(folder, from: position)
        while true {
            let batches = try reader.readAvailable()
            guard !batches.isEmpty else { return }
            for record in batches.lazy.flatMap(\.records) {
                guard try each(record) else { return }
            }
        }
    }
}
