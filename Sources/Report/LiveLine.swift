/// The calm line per device that a terminal shows while recording.
public struct LiveLine: Sendable, Equatable {
    /// How the link stands.
    public enum Link: Sendable, Equatable {
        /// Up.
        case up
        /// Not up, and being opened.
        case opening
        /// Not up; the next attempt comes in so many seconds.
        case down(nextAttemptSeconds: Double?)
    }

    /// The device's name, or whatever stands for it.
    public var name: String
    /// How the link stands.
    public var link: Link
    /// The receiver app's display name; nil when none runs.
    public var app: String?
    /// The player state as on the wire; nil when no media is reported.
    public var playerState: String?
    /// The title; nil when unknown.
    public var title: String?

    /// A line, part by part.
    public init(name: String, link: Link, app: String? = nil, playerState: String? = nil, title: String? = nil) {
        self.name = name
        self.link = link
        self.app = app
        self.playerState = playerState
        self.title = title
    }

    /// The line in at most `widthColumns` columns, without trailing blanks.
    public func text(widthColumns: Int) -> String {
        let nameColumns = min(24, max(8, widthColumns / 3))
        var line = PlainText.fitted(PlainText.neutralized(name), columns: nameColumns) + "  " + story
        line = PlainText.fitted(line, columns: widthColumns)
        while line.last == " " { line.removeLast() }
        return line
    }

    private var story: String {
        switch link {
        case .up: playing
        case .opening: "connecting"
        case .down(nil): "not reached"
        case .down(let seconds?): "not reached, next attempt in " + Figures.stretch(max(0, seconds))
        }
    }

    private var playing: String {
        guard let app else { return "idle" }
        var story = PlainText.neutralized(app, limitCharacters: 60)
        if let playerState { story += ", " + Wording.playerStateWord(playerState) }
        if let title { story += " " + PlainText.quoted(title) }
        return story
    }
}
