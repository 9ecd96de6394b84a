import IO

/// Times one piece of work.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = Clock.monotonicNanoseconds()
    try work()
    return Double(Clock.monotonicNanoseconds() - start) / 1e9
}

/// One line of the result: ours beside a plain tool that does the comparable part, in the same run.
struct Comparison {
    var what: String
    var amount: Double
    var unit: String
    var ourSeconds: Double
    var tool: String
    var toolSeconds: Double

    var line: String {
        let rate = Int((amount / ourSeconds).rounded())
        let ratio = Double(Int((toolSeconds / ourSeconds * 100).rounded())) / 100
        return "\(what): \(rate) \(unit)/s; \(tool) takes \(ratio) times our time"
    }
}
