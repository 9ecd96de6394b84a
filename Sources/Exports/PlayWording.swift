import CastModel
import Plays
import Recording
import Report

/// How a play is called and told of, in the files that people look at.
struct PlayWording {
    let fields: PlayFields
    let apps: AppRegistry

    private var play: Play { fields.play }
    private var content: PlayContent { fields.play.content }

    /// The device's name, else its id.
    var device: String { ExportDevice.label(fields.deviceName, play.deviceID.text) }

    /// The app's name, else its id; nil when neither was said.
    var app: String? { Self.said(play.appName) ?? play.appID.map { apps[$0]?.name ?? $0.text } }

    /// The title, else whatever names the content, else the app.
    var title: String {
        Self.said(content.title) ?? Self.said(content.contentID) ?? Self.said(content.entity)
            ?? Self.said(content.contentURL) ?? app ?? "Unknown content"
    }

    /// The title, after the series that it is an episode of, and before who performs it.
    var headline: String {
        var text = title
        if let series, series != text { text = "\(series): \(text)" }
        if let artist = Self.said(content.artist), artist != title { text += " (\(artist))" }
        return text
    }

    /// The series, where the play is of one.
    var series: String? { Self.said(content.seriesTitle) }

    /// "S02E05", "E05" or "S02".
    var episode: String? {
        func numbered(_ letter: String, _ number: Int64?) -> String {
            guard let number, number >= 0 else { return "" }
            return letter + (number < 10 ? "0" : "") + String(number)
        }
        let text = numbered("S", content.season) + numbered("E", content.episode)
        return text.isEmpty ? nil : text
    }

    /// What is known of the play, a line each.
    var facts: [String] {
        var lines: [String] = []
        if let app { lines.append("App: \(app)") }
        if let episode { lines.append("Episode: \(episode)") }
        if let album = Self.said(content.album) { lines.append("Album: \(album)") }
        lines.append(spent)
        if play.time.gapSeconds > 0 {
            lines.append(
                "Not observed for \(Figures.stretch(play.time.gapSeconds)): \(Self.share(play.coverage)) observed")
        }
        if let progress = play.progress { lines.append("Seen up to \(Self.share(progress)) of its length") }
        if play.seeks > 0 { lines.append("Jumps: \(play.seeks)") }
        lines.append("Begun by: \(Self.words(play.startCause))")
        lines.append(ending)
        if let name = Self.said(content.contentID) ?? Self.said(content.entity) ?? Self.said(content.contentURL),
            name != title
        {
            lines.append("Content: \(name)")
        }
        if !play.memberIDs.isEmpty { lines.append("Group of \(play.memberIDs.count)") }
        lines.append("Play: \(play.id.playName) of recorder \(fields.recorderID)")
        return lines
    }

    /// How it ended, or what it does.
    var ending: String {
        guard play.endedAt != nil else {
            return "Lasts" + (play.phase.map { ", \($0.rawValue) when last seen" } ?? "")
        }
        let reason = (play.endReason ?? .unknown).rawValue.split(separator: "_").joined(separator: " ")
        return "Ended: \(reason)" + (play.endIsUncertain ? ", while it was not observed" : "")
    }

    private var spent: String {
        let time = play.time
        let least = time.gapSeconds > 0 ? "at least " : ""
        var parts = ["Played \(least)\(Figures.stretch(time.playedSeconds))"]
        for (word, seconds) in [
            ("paused", time.pausedSeconds), ("buffering", time.bufferingSeconds), ("ads", time.adSeconds),
        ] where seconds > 0 {
            parts.append("\(word) \(Figures.stretch(seconds))")
        }
        return parts.joined(separator: ", ")
    }

    private static func words(_ cause: Play.StartCause) -> String {
        switch cause {
        case .senderRequest: "a sender"
        case .receiver: "the app itself"
        case .cloud: "an assistant or a routine"
        case .alreadyPlaying: "unknown, it was there when observation began"
        case .transfer: "a move from another device"
        case .unknown: "unknown"
        }
    }

    /// A share in percent, rounded down to a tenth: 100% is all of it.
    static func share(_ share: Double) -> String {
        guard share < 1 else { return "100%" }
        return Figures.decimal((max(0, share) * 1000 + 1e-9).rounded(.down) / 10, digits: 1) + "%"
    }

    /// The text, unless it says nothing.
    static func said(_ text: String?) -> String? {
        guard let text, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return nil }
        return text
    }
}
