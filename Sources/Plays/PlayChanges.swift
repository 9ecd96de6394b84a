import CastModel
import Differ

/// What one event did to the plays of a device.
struct PlayChanges {
    /// The rows that changed, in the order of their changes.
    private(set) var rows: [Play] = []
    /// Plays that began, by their ids.
    var begun: [ChangeEvent.ID] = []
    /// Plays that ended.
    var ended: [ChangeEvent.ID] = []
    /// Whether the state of the device changed.
    var isTouched = false

    /// A row changed; a later change of the same play takes its place.
    mutating func put(_ play: OpenPlay) {
        guard play.hasBegun else { return }
        put(play.row)
    }

    mutating func put(_ row: Play) {
        if let index = rows.firstIndex(where: { $0.id == row.id }) { rows[index] = row } else { rows.append(row) }
    }
}
