import CastModel
import Recording
import Report

/// A timeline as SVG: one lane per device, with the hours above.
struct HTMLChart {
    /// The time on its axis.
    let from: WallTime
    let to: WallTime
    /// The part of it that was asked for.
    let asked: (from: WallTime, to: WallTime)
    let zone: Zone

    private static let nameWidth = 168.0
    private static let width = 1000.0
    private static let top = 24.0
    private static let pitch = 30.0
    private static let bar = 16.0

    /// The whole drawing.
    func svg(
        _ devices: [ExportDevice], spans: [DeviceID: [LaneSpan]], conflicts: [DeviceID: [ConflictMark]], label: String
    ) -> String {
        let height = Self.top + Self.pitch * Double(devices.count) + 4
        var text =
            "<svg class=\"chart\" viewBox=\"0 0 1000 \(Self.number(height))\" role=\"img\" "
            + "aria-label=\"\(HTMLText.escaped(label))\">\n" + axis(height)
        for (index, device) in devices.enumerated() {
            let y = Self.top + Self.pitch * Double(index) + 8
            text +=
                "<g><title>\(HTMLText.escaped(device.label))</title><text x=\"0\" y=\"\(Self.number(y + 12.5))\">"
                + "\(XMLText.escaped(Self.shortened(device.label)))</text></g>\n"
            for span in spans[device.deviceID] ?? [] { text += rectangle(span, y) }
            for mark in conflicts[device.deviceID] ?? [] { text += triangle(mark, y) }
        }
        return text + outside(height) + "</svg>\n"
    }

    /// A name that fits the column.
    private static func shortened(_ name: String) -> String {
        let plain = PlainText.neutralized(name, limitCharacters: 80)
        return PlainText.columns(plain) > 22 ? PlainText.fitted(plain, columns: 22) : plain
    }

    private func axis(_ height: Double) -> String {
        var lines = ""
        var texts = ""
        for mark in HourAxis.marks(from: from, to: to, zone: zone) {
            let x = Self.number(place(mark.at))
            lines += "M\(x) \(Self.number(Self.top - 4))V\(Self.number(height - 4))"
            texts += "<text class=\"hour\" x=\"\(x)\" y=\"12\">\(mark.text)</text>"
        }
        return "<path class=\"grid\" d=\"\(lines)\"/>\(texts)\n"
    }

    private func rectangle(_ span: LaneSpan, _ y: Double) -> String {
        let (start, end) = (place(max(span.from, from)), place(min(span.to, to)))
        guard span.from < to, span.to > from || span.from == span.to else { return "" }
        // What is short stays visible, and what adjoins is told apart.
        let width = end - start > 4 ? end - start - 0.8 : max(end - start, 1)
        let share: Double =
            switch span.activity {
            case .playing, .unknown, .advertisement, .unobserved: 1
            case .buffering, .loading: 0.7
            case .paused: 0.5
            case .appOnly: 0.35
            case .idle, .standby, .otherInput: 0.12
            }
        let height = Self.bar * share
        let what = [span.title, span.app].compactMap(PlayWording.said).joined(separator: ", ")
        let words = (what.isEmpty ? "" : "\(what): ") + span.words + (span.reason.map { " (\($0))" } ?? "")
        let times = "\(HTMLText.second(span.from, zone)) to \(HTMLText.second(span.to, zone))"
        let length = Figures.stretch(max(0, span.to.seconds(since: span.from)))
        return "<rect class=\"\(span.activity.rawValue)\" x=\"\(Self.number(start))\" "
            + "y=\"\(Self.number(y + (Self.bar - height) / 2))\" width=\"\(Self.number(width))\" "
            + "height=\"\(Self.number(height))\"><title>\(HTMLText.escaped(words)), \(times), \(length)</title></rect>\n"
    }

    private func triangle(_ mark: ConflictMark, _ y: Double) -> String {
        guard mark.from < to, mark.to >= from else { return "" }
        let x = place(max(mark.from, from))
        return "<path class=\"conflict\" d=\"M\(Self.number(x)) \(Self.number(y + 2))l-6 -9h12z\">"
            + "<title>\(HTMLText.escaped(mark.sentence, limitCharacters: 400))</title></path>\n"
    }

    /// What lies on the axis and was not asked for is veiled.
    private func outside(_ height: Double) -> String {
        var text = ""
        for (start, end) in [(from, asked.from), (asked.to, to)] where start < end {
            text +=
                "<rect class=\"outside\" x=\"\(Self.number(place(start)))\" y=\"\(Self.number(Self.top - 4))\" "
                + "width=\"\(Self.number(place(end) - place(start)))\" height=\"\(Self.number(height - Self.top))\">"
                + "<title>not asked for</title></rect>\n"
        }
        return text
    }

    private func place(_ time: WallTime) -> Double {
        let whole = to.seconds(since: from)
        guard whole > 0 else { return Self.nameWidth }
        let share = max(0, min(1, time.seconds(since: from) / whole))
        return Self.nameWidth + share * (Self.width - Self.nameWidth - 18)
    }

    private static func number(_ value: Double) -> String { Figures.decimal(value, digits: 2) }

    /// Explains the drawing.
    static let legend: String = {
        let samples: [(LaneSpan.Activity, String, Double)] = [
            (.playing, "playing", 14), (.unknown, "something on", 14),
            (.paused, "paused", 7), (.buffering, "loading, buffering", 10),
            (.advertisement, "ads", 14), (.appOnly, "an app that tells of no media", 5), (.idle, "nothing on", 2),
            (.standby, "standby, another input", 2), (.unobserved, "not observed", 14),
        ]
        let items = samples.map { activity, words, height in
            "<li><svg viewBox=\"0 0 26 14\" aria-hidden=\"true\"><rect class=\"\(activity.rawValue)\" width=\"26\" "
                + "height=\"\(number(height))\" y=\"\(number((14 - height) / 2))\"/></svg>\(words)</li>\n"
        }
        return "<ul class=\"legend\">\n" + items.joined()
            + "<li><svg viewBox=\"0 0 26 14\" aria-hidden=\"true\"><path class=\"conflict\" d=\"M13 12l-6 -9h12z\"/></svg>"
            + "conflict</li>\n<li>blank: not known</li>\n</ul>\n"
    }()
}
