import CastModel
import Differ
import Plays
import Recording
import Report

/// Prints the plays that change events make, all at the end: a play may change until then.
///
/// Memory grows with the plays, not with the messages.
struct PlayPrinter: ExplanationPrinter {
    /// What a play is known by: devices of several archives may share a position.
    private struct Key: Hashable {
        var deviceID: DeviceID
        var id: ChangeEvent.ID
        var recorderID: String
    }

    private let isJSON: Bool
    private let zone: Zone
    private let output: StandardOutput
    private var ledgers: [String: PlayLedger] = [:]
    private var keys: [Key] = []
    private var plays: [Key: PlayFields] = [:]

    var count: Int { keys.count }

    init(isJSON: Bool, zone: Zone, output: StandardOutput) {
        self.isJSON = isJSON
        self.zone = zone
        self.output = output
    }

    mutating func emit(_ event: ChangeEvent, recorderID: String, deviceName: String?) throws {
        for play in ledgers[recorderID, default: PlayLedger()].fold(event) {
            let key = Key(deviceID: play.deviceID, id: play.id, recorderID: recorderID)
            let name = play.deviceID == event.deviceID ? deviceName : plays[key]?.deviceName
            if plays.updateValue(PlayFields(play: play, recorderID: recorderID, deviceName: name), forKey: key) == nil {
                keys.append(key)
            }
        }
    }

    mutating func finish() throws {
        let rows = keys.compactMap { plays[$0] }
        guard !isJSON else {
            for row in rows { try output.line(row.json) }
            return
        }
        guard !rows.isEmpty else { return }
        let table = Table(PlayFields.columns, rows: rows.map { $0.row(zone: zone) })
        for line in table.lines(widthColumns: Terminal.widthColumns) { try output.line(line) }
    }
}
