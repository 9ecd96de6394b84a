import CastModel
import Glibc
import IO
import Recorder
import Recording
import Report
import Sender
import Telemetry

/// What a person sees of a running recorder: one calm line per device on a terminal, log lines elsewhere.
///
/// A class, since it remembers how many lines to paint over; used from the main thread only.
final class LiveDisplay {
    /// Whether somebody watches; what is shown otherwise goes nowhere.
    let isLive = Terminal.showsOutput && isatty(STDERR_FILENO) == 1 && ThisProcess.environment("TERM") != "dumb"
    private var lines: [String] = []

    /// Where the recorder writes its log: everything when piped, only what a person must know beside live lines.
    var log: Log { Terminal.log(minimum: isLive ? .warning : .info) }

    /// Paints the present over the past, when something changed.
    func show(_ snapshot: RecorderSnapshot) {
        guard isLive else { return }
        let size = Terminal.size
        var next = snapshot.links.prefix(max(1, size.rows - 3)).map { link in
            LiveLine(
                name: link.name ?? (link.address.isEmpty ? link.deviceID.text : link.address),
                link: link.isUp
                    ? .up : link.nextAttemptAfter.map { .down(nextAttemptSeconds: $0 / .seconds(1)) } ?? .opening,
                app: link.appName, playerState: link.playerState, title: link.title
            ).text(widthColumns: size.columns)
        }
        if snapshot.links.count > next.count { next.append("and \(snapshot.links.count - next.count) more") }
        if snapshot.links.isEmpty { next.append("no device found yet") }
        next.append(PlainText.fitted(footing(snapshot), columns: size.columns - 1))
        guard next != lines else { return }
        let up = lines.isEmpty ? "" : "\u{1B}[\(lines.count)A"
        paint("\r" + up + next.map { "\u{1B}[K" + $0 + "\n" }.joined() + "\u{1B}[J")
        lines = next
    }

    /// Leaves the last lines as they stand.
    func end() { lines = [] }

    private func footing(_ snapshot: RecorderSnapshot) -> String {
        if snapshot.isArchiveStalled { return "The disk refuses writes: nothing new is kept." }
        if let trouble = snapshot.databaseTrouble { return "Recording. Database: " + PlainText.neutralized(trouble) }
        return "Recording: \(snapshot.durable) records safe, \(snapshot.events) change events. End with Ctrl-C."
    }

    private func paint(_ text: String) {
        try? Files.writeAll(STDOUT_FILENO, Array(text.utf8), subject: "stdout")
    }
}
