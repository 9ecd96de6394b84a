import Archive
import Arguments
import IO
import Recorder
import Recording
import Report

/// Opens the archives below a data folder, for commands that read them.
enum ArchiveReading {
    /// The archives of all recorders that used the folder, by their ids; none when nobody recorded yet.
    static func folders(_ context: CommandContext) throws -> [ArchiveFolder] {
        guard Files.exists(context.folder.archive) else { return [] }
        return try ArchiveFolder.recorders(data: context.folder.path).map { recorder in
            try ArchiveFolder(data: context.folder.path, recorder: recorder)
        }
    }

    /// Says on the standard error which places could not be read; nil when there were none, else what to exit with.
    static func complain(of damage: [ArchiveDamage]) -> Int32? {
        guard !damage.isEmpty else { return nil }
        Terminal.complain(
            damage.map { "castledger: \(PlainText.neutralized($0.description))" } + [
                "castledger: the archive is damaged; what else was asked for was shown. "
                    + "'castledger archive verify' lists all damage and changes nothing."
            ])
        return ExitCode.dataError
    }

    /// The last record of an archive; nil when it has none.
    ///
    /// Reads the newest segment as a whole while no index of it is kept.
    static func last(of folder: ArchiveFolder) throws -> Record? {
        try ArchiveSearch(folder, keepsIndexes: false).last(1, before: ArchivePosition(.max), RecordFilter()).last
    }
}
