/// How text tracks are drawn: `textTrackStyle` (PROTOCOL 4.6).
///
/// A new style replaces the old one whole. The JSON is kept as it came; two styles are equal when they draw the same.
public struct TextTrackStyle: Sendable, Equatable {
    /// The whole object, as it came.
    public let json: JSONObject

    /// The style that an object is.
    public init(_ json: JSONObject) { self.json = json }

    /// Size of the text, 1 for normal; also seen as a string.
    public var fontScale: Field<Double> { json.numberField("fontScale") }
    /// Colour of the text, as it came: `#RRGGBBAA`, alpha last.
    public var foregroundColor: Field<String> { json.textField("foregroundColor") }
    /// Colour behind the text, as it came.
    public var backgroundColor: Field<String> { json.textField("backgroundColor") }

    /// The same style in one spelling: colours as `#RRGGBBAA` in upper case, numbers as numbers, words in upper case.
    ///
    /// A field that is `null` leaves the default in place, as one that is not there.
    public var normalized: JSONObject {
        JSONObject(
            json.pairs.compactMap { pair in
                if case .null = pair.value { return nil }
                return (key: pair.key, value: Self.normalized(pair.value, of: pair.key))
            })
    }

    /// Whether both draw the same: spelling, key order and number type do not count.
    public static func == (one: TextTrackStyle, other: TextTrackStyle) -> Bool {
        one.json == other.json || one.normalized == other.normalized
    }

    private static func normalized(_ value: JSONValue, of key: String) -> JSONValue {
        switch key {
        case "foregroundColor", "backgroundColor", "edgeColor", "windowColor":
            value.string.map { .string(normalizedColor($0)) } ?? value
        case "fontScale", "windowRoundedCornerRadius": value.lossyNumber.map { .number($0) } ?? value
        case "edgeType", "windowType", "fontGenericFamily", "fontStyle":
            value.string.map { .string($0.uppercased()) } ?? value
        default: value
        }
    }

    /// A colour in one spelling; a text that is no colour is only put in upper case.
    ///
    /// `#RGBA` is doubled; `#RRGGBB` is taken as opaque.
    static func normalizedColor(_ text: String) -> String {
        let upper = text.uppercased()
        guard upper.hasPrefix("#"), upper.dropFirst().utf8.allSatisfy({ hexadecimal.contains($0) }) else {
            return upper
        }
        switch upper.utf8.count {
        case 5: return "#" + upper.dropFirst().map { "\($0)\($0)" }.joined()
        case 7: return upper + "FF"
        default: return upper
        }
    }

    private static let hexadecimal = Set("0123456789ABCDEF".utf8)
}
