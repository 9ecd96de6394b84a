import CastModel

/// Finds the device that a person means.
enum DeviceLookup {
    /// How many names an error suggests.
    static let suggestionLimit = 3

    /// By id in any spelling, else by name in any case.
    static func find(_ spelling: String, among devices: [DeviceRow]) throws(StoreError) -> DeviceRow {
        let id = DeviceID(spelling)
        if let device = devices.first(where: { $0.deviceID == id }) { return device }
        let wanted = spelling.lowercased()
        let named = devices.filter { $0.name?.lowercased() == wanted }
        guard let device = named.first else {
            throw .unknownDevice(spelling, similar: similar(to: wanted, among: devices))
        }
        guard named.count == 1 else { throw .ambiguousDevice(spelling, matches: named.map(\.deviceID.text).sorted()) }
        return device
    }

    /// Names that contain the spelling, or differ from it in few letters; the closest first.
    private static func similar(to wanted: String, among devices: [DeviceRow]) -> [String] {
        let letters = Array(wanted)
        guard !letters.isEmpty else { return [] }
        let ranked = Set(devices.compactMap(\.name)).compactMap { name -> (distance: Int, name: String)? in
            let lowered = name.lowercased()
            if lowered.contains(wanted) { return (0, name) }
            let distance = distance(letters, Array(lowered.prefix(200)))
            return distance <= max(1, letters.count / 3) ? (distance, name) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(suggestionLimit).map(\.name)
    }

    /// Letters to insert, drop or replace to get from one word to the other (Levenshtein).
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var previous = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for (column, otherLetter) in other.enumerated() {
                current.append(
                    min(
                        previous[column + 1] + 1, current[column] + 1,
                        previous[column] + (letter == otherLetter ? 0 : 1)))
            }
            previous = current
        }
        return previous[other.count]
    }
}
