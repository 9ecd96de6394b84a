import CastModel
import Plays
import Recording
import Report

/// XMLTV: each device is listed like a television's channel, and each play like a program on it.
///
/// The elements and their order are those of xmltv.dtd 0.5. All devices of the heading are listed, also those that
/// played nothing.
public struct XMLTVExport: ExportWriter {
    private var zone = Zone.utc
    private var apps = AppRegistry.builtIn

    /// An empty listing.
    public init() {}

    /// The declarations and the devices.
    public mutating func begin(_ heading: ExportHeading) -> String {
        zone = heading.zone
        apps = heading.apps
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE tv SYSTEM "xmltv.dtd">
            <tv source-info-name="CastLedger" generator-info-name="\(XMLText.escaped(heading.program))">

            """
        for device in heading.devices {
            text += "  <channel id=\"\(Self.name(device.deviceID))\">\n"
            text += Self.element("display-name", device.label) + "  </channel>\n"
        }
        return text
    }

    /// A `programme` for a play.
    public mutating func add(_ row: ExportRow) -> String {
        guard case .play(let fields) = row else { return "" }
        let play = fields.play
        let content = play.content
        let wording = PlayWording(fields: fields, apps: apps)
        var text = "  <programme start=\"\(moment(play.startedAt))\""
        if let stop = stop(play) { text += " stop=\"\(stop)\"" }
        text += " channel=\"\(Self.name(play.deviceID))\">\n"
        // As listings have it, an episode's title stands below that of its series.
        text += Self.element("title", wording.series ?? wording.title)
        if wording.series != nil, let title = PlayWording.said(content.title), title != wording.series {
            text += Self.element("sub-title", title)
        } else if let artist = PlayWording.said(content.artist) {
            let album = PlayWording.said(content.album).map { " – \($0)" } ?? ""
            text += Self.element("sub-title", artist + album)
        }
        text += Self.element("desc", wording.facts.joined(separator: "\n"))
        if let app = wording.app { text += Self.element("category", app) }
        if let length = content.durationSeconds.flatMap({ Int64(exactly: $0.rounded()) }), length > 0 {
            text += "    <length units=\"seconds\">\(length)</length>\n"
        }
        if let episode = wording.episode {
            text += "    <episode-num system=\"onscreen\">\(episode)</episode-num>\n"
        }
        return text + "  </programme>\n"
    }

    /// The end of the listing.
    public mutating func end() -> String { "</tv>\n" }

    private static func element(_ name: String, _ text: String) -> String {
        "    <\(name)>\(XMLText.escaped(text))</\(name)>\n"
    }

    /// A name in the form of a domain, as the DTD asks for.
    private static func name(_ device: DeviceID) -> String { XMLText.escaped(device.text + ".castledger") }

    /// The end of a play, a second after its start at the least, since this form knows no shorter time.
    ///
    /// Nil while it lasts.
    private func stop(_ play: Play) -> String? {
        guard let endedAt = play.endedAt else { return nil }
        let earliest = play.startedAt.microseconds / 1_000_000 &+ 1
        return moment(WallTime(microseconds: max(endedAt.microseconds / 1_000_000, earliest) &* 1_000_000))
    }

    /// "20260301211504 +0100": whole seconds, rounded down.
    private func moment(_ time: WallTime) -> String {
        let digits = zone.text(time).prefix(19).filter { $0.isNumber }
        return "\(digits) \(zone.offset(time))"
    }
}
