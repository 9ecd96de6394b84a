import Recording
import Report

/// Foreign text in a page: without markup, without control of its direction, and not too long.
enum HTMLText {
    /// As content or attribute.
    static func escaped(_ text: String, limitCharacters: Int = 200) -> String {
        XMLText.escaped(PlainText.neutralized(text, limitCharacters: limitCharacters))
    }

    /// As content that leaves the direction of what is around it alone.
    static func isolated(_ text: String, limitCharacters: Int = 200) -> String {
        "<bdi>\(escaped(text, limitCharacters: limitCharacters))</bdi>"
    }

    /// "2026-03-01 20:15".
    static func minute(_ time: WallTime, _ zone: Zone) -> String {
        zone.day(time) + " " + zone.timeOfDay(time).prefix(5)
    }

    /// "20:15:04".
    static func second(_ time: WallTime, _ zone: Zone) -> String { String(zone.timeOfDay(time).prefix(8)) }

    /// A row of cells; those of numbers are set to the right.
    static func row(_ cells: [(html: String, isNumber: Bool)], _ tag: String = "td") -> String {
        "<tr>" + cells.map { "<\(tag)\($0.isNumber ? " class=\"n\"" : "")>\($0.html)</\(tag)>" }.joined() + "</tr>\n"
    }
}
