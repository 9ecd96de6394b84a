import CastModel

/// Says in one plain sentence what a conflict was, without time and device.
enum Wording {
    // MARK: Fights

    /// Of a fight: "two senders set the volume against each other six times; ended at 35 %".
    static func sentence(of row: Conflict, _ subject: Board.Subject) -> String {
        let deed =
            switch subject {
            case .deviceVolume: "set the volume"
            case .streamVolume: "set the volume of the media"
            case .playPause: "paused and resumed"
            case .seek: "jumped back and forth"
            case .tracks: "chose tracks"
            case .style: "changed the style of captions"
            }
        return "\(fighters(row)) \(deed) against each other \(times(row.undoings)); ended \(end(row, subject))"
    }

    private static func fighters(_ row: Conflict) -> String {
        let senders = row.actors.filter { !$0.isReceiver }.count
        let hasDevice = row.actors.contains { $0.isReceiver }
        let many = row.otherTurns > 0 ? "more than \(count(senders))" : count(senders)
        if !hasDevice { return "\(many) senders" }
        return senders == 1 && row.otherTurns == 0 ? "a sender and the device" : "\(many) senders and the device"
    }

    private static func end(_ row: Conflict, _ subject: Board.Subject) -> String {
        switch subject {
        case .deviceVolume, .streamVolume:
            if row.after?["muted"]?.lossyFlag == true { return "muted" }
            return row.after?["level"]?.lossyNumber.map { "at \(percent($0))" } ?? "unmuted"
        case .playPause:
            return row.after?["playerState"]?.string.map { PlayerState($0) } == .paused ? "paused" : "playing"
        case .seek: return "at " + (row.after?["currentTime"]?.lossyNumber.map(position) ?? "an unknown position")
        case .tracks: return "with " + tracks(row.after)
        case .style: return "with " + style(from: row.before, to: row.after)
        }
    }

    private static func tracks(_ value: JSONValue?) -> String {
        let ids = value?["activeTrackIds"]?.array ?? []
        let told = value?["tracks"]?.array ?? []
        let words = ids.prefix(4).map { id in
            let track = told.first { $0["trackId"] == id }
            return "track \(id.lossyText ?? "?")"
                + (name(track?["language"] ?? track?["name"]).map { " (\($0))" } ?? "")
        }
        return words.isEmpty ? "no track" : words.joined(separator: ", ")
    }

    /// What the last style has other than the first one; where they are equal, that it is the first one.
    private static func style(from before: JSONValue?, to after: JSONValue?) -> String {
        let old = before?["textTrackStyle"]?.object
        guard let new = after?["textTrackStyle"]?.object, !new.pairs.isEmpty else { return "no style" }
        // By name, since the order in which a device told them is not kept everywhere.
        let changed = new.pairs.filter { old?[$0.key] != $0.value }.sorted { $0.key < $1.key }.prefix(3)
        guard !changed.isEmpty else { return "the first one" }
        return changed.map { "\(clipped($0.key)) \($0.value.lossyText.map(clipped) ?? $0.value.text)" }
            .joined(separator: ", ")
    }

    // MARK: Takeovers

    /// Of a takeover: `a sender loaded "Clip" while "Film" of another sender played`.
    static func takeover(interrupted: Stage.Interrupted, next: String?, isAdopted: Bool) -> String {
        let media = interrupted.media
        let phase = media.phase == .over ? media.lastPhase : media.phase
        let old = quoted(media.title) ?? "media"
        let owner = isAdopted ? "that a sender had taken in hand" : "of another sender"
        let state = phase == .paused ? "was paused" : "played"
        if interrupted.isByApp {
            let app = interrupted.nextName.map { "started \($0)" } ?? "started another app"
            let load = next.map { " with " + (quoted($0) ?? "media") } ?? ""
            let place = interrupted.appName.map { " in \($0)" } ?? ""
            return "a sender \(app)\(load) while \(old) \(owner) \(state)\(place)"
        }
        return "a sender loaded \(quoted(next) ?? "other media") while \(old) \(owner) \(state)"
    }

    // MARK: Values

    /// A text that a device said, short enough for a sentence; nil when it is none.
    static func name(_ value: JSONValue?) -> String? {
        guard let text = value?.lossyText, !text.isEmpty else { return nil }
        return clipped(text)
    }

    /// What media is called; nil when it is not said.
    static func title(of media: JSONValue?) -> String? {
        if let metadata = media?["metadata"]?.object, let title = MediaMetadata(metadata).displayTitle, !title.isEmpty {
            return clipped(title)
        }
        return name(media?["contentId"])
    }

    static func percent(_ level: Double) -> String { "\(number((level * 1000).rounded() / 10)) %" }

    /// "0:05", "12:34", "1:02:03"; whole seconds, rounded down.
    static func position(_ seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds.rounded(.down)), whole >= 0, whole < 1_000_000_000 else { return "?" }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// "once", "twice", "three times", … "40 times".
    static func times(_ number: Int64) -> String {
        switch number {
        case 1: "once"
        case 2: "twice"
        default: "\(count(Int(clamping: number))) times"
        }
    }

    /// A number in words up to twelve.
    static func count(_ number: Int) -> String {
        let words = [
            "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ]
        return words.indices.contains(number) ? words[number] : "\(number)"
    }

    /// Without a fraction where there is none.
    static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    private static func quoted(_ text: String?) -> String? { text.map { "\"\($0)\"" } }

    private static let limitCharacters = 80

    private static func clipped(_ text: String) -> String {
        text.count > limitCharacters ? String(text.prefix(limitCharacters - 1)) + "…" : text
    }
}
