import Recording

/// The archive again, as simply as it can be said: what was handed over, in order, and how much of it is safe.
///
/// The rules: what is durable stays, at its position. What is not may be lost by a crash, from its end on.
struct NaiveArchive {
    private(set) var accepted: [Observation] = []
    private(set) var durable = 0

    mutating func accept(_ observations: [Observation]) { accepted += observations }

    /// What was wrong with the news that everything up to `position` is durable; nil when nothing was.
    mutating func becameDurable(_ position: ArchivePosition) -> String? {
        let count = Int(position.number)
        guard count >= durable, count <= accepted.count else {
            return "position \(count) is said to be durable; \(durable) were, of \(accepted.count)"
        }
        durable = count
        return nil
    }

    /// What is wrong with the records that are left after a crash; nil when nothing is.
    mutating func reopened(_ found: [Record]) -> String? {
        guard found.count >= durable else { return "\(found.count) records are left, and \(durable) were durable" }
        guard found.count <= accepted.count else {
            return "\(found.count) records, and only \(accepted.count) were given"
        }
        if let fault = fault(in: found, from: 1) { return fault }
        accepted.removeLast(accepted.count - found.count)
        durable = found.count
        return nil
    }

    /// What is wrong with records that were read from a position on; nil when they are what was accepted there.
    func fault(in records: [Record], from first: Int) -> String? {
        for (index, record) in records.enumerated() {
            let position = first + index
            guard position <= accepted.count else { return "position \(position) was never given" }
            let expected = Samples.records([accepted[position - 1]], from: Int64(position))[0]
            guard record == expected else { return "position \(position) holds \(record), not \(expected)" }
        }
        return nil
    }
}
