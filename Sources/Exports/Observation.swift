import Recording

/// What is known of one device's time: its observation spans, and the time between them that nobody knows of.
struct Observation {
    /// A part of a stretch, and what was missed in it.
    struct Part: Equatable {
        var from: WallTime
        var to: WallTime
        /// Nil where it is not known whether the device was observed.
        var missed: ObservationSpan.Missed?
        var reason: String?
    }

    /// In the order of time; they never overlap.
    private(set) var spans: [ObservationSpan] = []

    /// The last moment of which something is known; nil when there is none.
    var end: WallTime? { spans.last?.to }

    /// Takes the next span.
    ///
    /// One that is not after those before is cut, or left out.
    mutating func add(_ span: ObservationSpan) {
        var span = span
        if let last = spans.last { span.from = max(span.from, last.to) }
        guard span.from < span.to else { return }
        if let last = spans.last, last.to == span.from, last.missed == span.missed, last.reason == span.reason {
            spans[spans.count - 1].to = span.to
        } else {
            spans.append(span)
        }
    }

    /// A stretch, cut where what was missed changes; it has no holes.
    func parts(from: WallTime, to: WallTime) -> [Part] {
        var parts: [Part] = []
        var reached = from
        var index = firstSpan(endingAfter: from)
        while reached < to {
            guard index < spans.count, spans[index].from < to else {
                parts.append(Part(from: reached, to: to, missed: nil, reason: nil))
                break
            }
            let span = spans[index]
            if span.from > reached { parts.append(Part(from: reached, to: span.from, missed: nil, reason: nil)) }
            let (start, end) = (max(span.from, reached), min(span.to, to))
            parts.append(Part(from: start, to: end, missed: span.missed, reason: span.reason))
            reached = end
            index += 1
        }
        return parts
    }

    private func firstSpan(endingAfter moment: WallTime) -> Int {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].to > moment { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
