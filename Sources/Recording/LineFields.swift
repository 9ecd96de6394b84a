import CastModel

/// The fields of one line, each read as the type it must have.
struct LineFields {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func has(_ key: String) -> Bool { object[key] != nil }

    func text(_ key: String) throws(RecordingError) -> String {
        guard let text = try textIfThere(key) else { throw .missingField(key) }
        return text
    }

    func textIfThere(_ key: String) throws(RecordingError) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else { throw .malformedField(key) }
        return text
    }

    func integer(
        _ key: String, in range: ClosedRange<Int64> = Int64.min...Int64.max
    ) throws(RecordingError) -> Int64 {
        guard let value = object[key] else { throw .missingField(key) }
        guard case .integer(let number) = value, range.contains(number) else { throw .malformedField(key) }
        return number
    }

    func bool(_ key: String) throws(RecordingError) -> Bool {
        guard let value = object[key] else { throw .missingField(key) }
        guard case .bool(let truth) = value else { throw .malformedField(key) }
        return truth
    }

    func array(_ key: String) throws(RecordingError) -> [JSONValue] {
        guard let value = object[key] else { throw .missingField(key) }
        guard let array = value.array else { throw .malformedField(key) }
        return array
    }

    func time(_ key: String) throws(RecordingError) -> WallTime {
        guard let time = WallTime(text: try text(key)) else { throw .malformedField(key) }
        return time
    }

    func base64(_ key: String) throws(RecordingError) -> [UInt8] {
        guard let bytes = Base64.decode(try text(key)) else { throw .malformedField(key) }
        return bytes
    }

    /// Bytes under whichever of the two keys is there; nil when neither is.
    func payload(_ textKey: String, _ base64Key: String) throws(RecordingError) -> [UInt8]? {
        if let text = try textIfThere(textKey) { return Array(text.utf8) }
        return has(base64Key) ? try base64(base64Key) : nil
    }

    func choice<Choice: RawRepresentable<String>>(_ key: String) throws(RecordingError) -> Choice {
        guard let choice = Choice(rawValue: try text(key)) else { throw .malformedField(key) }
        return choice
    }

    func device() throws(RecordingError) -> DeviceID { DeviceID(try text("device")) }

    func deviceIfThere() throws(RecordingError) -> DeviceID? { try textIfThere("device").map { DeviceID($0) } }

    func link() throws(RecordingError) -> LinkNumber { LinkNumber(try integer("link")) }
}
