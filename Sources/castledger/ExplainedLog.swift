import CastModel
import Differ
import Identity
import Recording

/// What is known of the devices of one recorder, or of those of all logs that are no archive.
///
/// What one recorder saw says nothing of what another one saw, nor does its choice what to leave out.
struct ExplainedLog {
    /// Whose records they are.
    enum Source: Hashable {
        /// Messages that no recorder of ours wrote.
        case transcript
        /// An archive; nil where neither a segment's line nor a recorder's start said whose.
        case archive(recorder: String?)

        /// Stands where events name their recorder.
        var recorderID: String {
            switch self {
            case .transcript: "transcript"
            case .archive(let recorder): recorder ?? "archive"
            }
        }
    }

    /// The names of the devices, as told last.
    private(set) var names: [DeviceID: String] = [:]
    /// Whether titles are left out only because the recorder's choice was not read; once told, it stays so.
    private(set) var isChoiceUnknown = false
    /// Whether the recorder's start could not be read: nothing may be shown then (docs/format.md).
    var isRefused = false
    private var differ = StatusDiffer(judge: CertificateJudge())
    private var lastPosition: ArchivePosition?

    /// The change events of the next record; none of a recorder that is refused.
    mutating func fold(_ entry: TranscriptReader.Entry) -> [ChangeEvent] {
        let record = entry.record
        defer { lastPosition = record.position }
        let saysChoice = if case .recorderStarted = record.body { true } else { false }
        if saysChoice { isRefused = false }
        guard !isRefused else { return [] }
        if !saysChoice, entry.isArchived, entry.isFirst, lastPosition?.next != record.position {
            differ.leaveOutTitles(from: record)
            isChoiceUnknown = true
        }
        if case .deviceSeen(let said) = record.body { names[said.deviceID] = said.name }
        return differ.fold(record)
    }
}
