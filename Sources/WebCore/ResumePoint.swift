/// From where a stream of changes goes on: for each recorder the last change event that was seen.
///
/// Its text is the event's name, `812/0`, where there is one recorder, and else a list with each recorder's id:
/// `812/0@11111111-…,17/2@22222222-…`.
public struct ResumePoint: Sendable, Equatable {
    /// One recorder's place.
    public struct Place: Sendable, Equatable {
        /// The record.
        public var position: Int64
        /// The change event within it.
        public var ordinal: Int32

        /// A place.
        public init(position: Int64, ordinal: Int32) {
            self.position = position
            self.ordinal = ordinal
        }
    }

    /// The places by recorder; an empty id stands for the only one there is.
    public var places: [String: Place]

    /// A point, place by place.
    public init(_ places: [String: Place] = [:]) { self.places = places }

    /// The point of a text; nil when it is none.
    public init?(_ text: String) {
        guard text.utf8.count <= 4_096 else { return nil }
        var places: [String: Place] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "@", omittingEmptySubsequences: false)
            let numbers = sides[0].split(separator: "/", omittingEmptySubsequences: false)
            guard sides.count <= 2, numbers.count == 2, let position = Int64(numbers[0]), position >= 0,
                let ordinal = Int32(numbers[1]), ordinal >= 0
            else { return nil }
            let recorder = sides.count == 2 ? sides[1].lowercased() : ""
            guard sides.count == 1 || Self.isUUID(recorder), places[recorder] == nil else { return nil }
            places[recorder] = Place(position: position, ordinal: ordinal)
        }
        guard places[""] == nil || places.count == 1 else { return nil }
        self.places = places
    }

    /// Its text.
    public var text: String {
        guard places.count != 1 else { return places.first.map { "\($0.value.position)/\($0.value.ordinal)" } ?? "" }
        return places.sorted { $0.key < $1.key }
            .map { "\($0.value.position)/\($0.value.ordinal)@\($0.key)" }.joined(separator: ",")
    }

    /// Whether an event of a recorder lies behind this point.
    public func isBefore(_ recorder: String, _ position: Int64, _ ordinal: Int32) -> Bool {
        guard let place = places[recorder] else { return true }
        return (place.position, place.ordinal) < (position, ordinal)
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
            }
    }
}
