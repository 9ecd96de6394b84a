import Archive
import CastModel
import IO
import Recorder
import Recording
import Report

/// What the archive of a data folder's recorder takes, and how its last verification went.
///
/// Verdicts stand in a file of the data folder, by recorder: whoever looks at the page did not verify.
enum StoredArchive {
    private static let limitBytes = 1 << 20

    /// Nil when no recorder has used the folder, or its archive cannot be read.
    static func storage(_ data: DataFolder) -> ArchiveStorage? {
        guard let recorder = (try? data.existingRecorderID()) ?? nil,
            let folder = try? ArchiveFolder(data: data.path, recorder: recorder), let sizes = try? folder.sizesOfDays()
        else { return nil }
        return ArchiveStorage(
            days: sizes.map { ArchiveStorage.Day($0.day, bytes: $0.bytes) },
            today: WallTime(microseconds: Clock.wallMicroseconds()).dayUTC,
            freeBytes: VolumeRoom(holding: data.path)?.freeBytes, check: checks(data)[recorder])
    }

    /// Notes how a verification went; a copy that may not be written keeps none.
    static func note(_ result: ArchiveVerification, of recorder: String, in data: DataFolder) {
        var known = checks(data)
        known[recorder] = ArchiveCheck(
            at: WallTime(microseconds: Clock.wallMicroseconds()), isIntact: result.isIntact,
            records: Int64(result.records), lastPosition: result.lastPosition?.number,
            damageCount: Int64(result.damageCount))
        let object = JSONObject(known.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        try? Files.replace(data.checksFile, with: Array((JSONValue.object(object).text + "\n").utf8))
    }

    private static func checks(_ data: DataFolder) -> [String: ArchiveCheck] {
        guard let bytes = try? Files.read(data.checksFile, limitBytes: limitBytes),
            let pairs = (try? JSONParser().parse(bytes))?.object?.pairs
        else { return [:] }
        return Dictionary(pairs.compactMap { pair in ArchiveCheck(pair.value).map { (pair.key, $0) } }) { $1 }
    }
}
