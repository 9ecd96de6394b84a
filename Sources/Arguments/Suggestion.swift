/// Finds what a person may have meant by a misspelled word.
public enum Suggestion {
    /// The candidate nearest to a word; nil when none is near: more than a third of its letters would have to change.
    ///
    /// Of two equally near ones, the first.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(from: Array(word.lowercased()), to: Array(candidate.lowercased()))
            let letters = candidate.filter { $0 != "-" }.count
            guard distance <= max(1, letters / 3), distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// How many letters to insert, delete, replace or swap with their neighbor (optimal string alignment).
    static func distance(from one: [Character], to other: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for (column, otherLetter) in other.enumerated() {
                let replaced = last[column] + (letter == otherLetter ? 0 : 1)
                var cost = min(last[column + 1] + 1, current[column] + 1, replaced)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }
}
