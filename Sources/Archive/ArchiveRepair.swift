/// Brings an archive to a good end without a recorder: what every start of a recorder does first.
///
/// Sets a torn tail aside in a `.torn` file and ends an open zstd frame. Damage with good batches behind it is no torn
/// tail and stays as it is; ``ArchiveVerification`` names it. Doing it again changes nothing.
public struct ArchiveRepair: Sendable, Equatable {
    /// What was set aside, and the segment whose zstd frame was ended.
    public let recovery: ArchiveRecovery

    /// Whether there was anything to do.
    public var hasChanged: Bool { !recovery.cuts.isEmpty || recovery.ended != nil }

    /// Repairs the archive in a folder.
    ///
    /// Throws ``ArchiveError/locked(folder:holder:)`` while a recorder, or another repair, has it.
    public static func run(
        _ folder: ArchiveFolder, files: any ArchiveFiles = DiskFiles()
    ) throws(ArchiveError) -> ArchiveRepair {
        let lock = try WriterLock.take(folder, files, purpose: "repairing")
        defer { withExtendedLifetime(lock) {} }
        return ArchiveRepair(recovery: try SegmentRecovery.run(folder, files))
    }
}
