import Archive
import CastModel
import CastWire
import Recording

/// Observations and folders that the archive's tests share.
enum Samples {
    /// 2026-03-01T20:15:04.000000Z.
    static let evening: Int64 = 1_772_396_104_000_000
    static let boot = "0b0e2c5a-1111-2222-3333-444455556666"

    static let folder: ArchiveFolder = {
        guard let folder = try? ArchiveFolder(data: "/memory", recorder: "attic") else { fatalError("a valid name") }
        return folder
    }()

    static func device(_ number: Int) -> DeviceID { DeviceID("00000000000000000000000000000\(100 + number)") }

    /// Frames, a second apart.
    static func frames(_ numbers: Range<Int>, from: Int64 = evening) -> [Observation] {
        numbers.map { number in
            let text =
                #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":\#(number),"currentTime":\#(number * 7).5}]}"#
            return Observation(
                at: WallTime(microseconds: from + Int64(number) * 1_000_000),
                monotonic: MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000),
                .frame(
                    RecordedFrame(
                        device: device(number % 3), link: LinkNumber(Int64(number % 3)), direction: .inbound,
                        message: CastMessage(from: "transport-\(number % 3)", to: "*", .media, text: text))))
        }
    }

    /// Frames with so many bytes of payload each.
    static func longFrames(_ count: Int, bytes: Int) -> [Observation] {
        let text = String(repeating: "x", count: bytes)
        return frames(0..<count).map { observation in
            guard case .frame(var frame) = observation.body else { return observation }
            frame.message = CastMessage(from: "transport-0", to: "*", .media, text: text)
            return Observation(at: observation.at, monotonic: observation.monotonic, .frame(frame))
        }
    }

    /// The records that those observations become, at positions counted from 1.
    static func records(_ observations: [Observation], from first: Int64 = 1) -> [Record] {
        observations.enumerated().map { index, observation in
            Record(
                position: ArchivePosition(first + Int64(index)), at: observation.at, monotonic: observation.monotonic,
                boot: boot, body: observation.body)
        }
    }

    static func limits(
        batchRecords: Int = 3, frameBytes: Int = 4 << 20, segmentBytes: Int = 64 << 20,
        indexEntryBytes: Int = 1 << 20
    ) -> ArchiveLimits {
        var limits = ArchiveLimits.standard
        limits.batchRecords = batchRecords
        limits.frameBytes = frameBytes
        limits.segmentBytes = segmentBytes
        limits.indexEntryBytes = indexEntryBytes
        return limits
    }

    static let now = MonotonicTime(nanoseconds: 0)

    /// Everything that a fresh reader finds.
    static func all(_ files: some ArchiveFiles, from position: Int64 = 1) throws -> [Record] {
        let reader = ArchiveReader(folder, from: ArchivePosition(position), files: files)
        var records: [Record] = []
        while true {
            let batches = try reader.readAvailable(limitRecords: 1)
            guard !batches.isEmpty else { return records }
            records += batches.flatMap(\.records)
        }
    }
}
