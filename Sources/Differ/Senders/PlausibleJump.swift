import Recording

/// How far a sender's ids may have moved on unseen.
///
/// Every request uses up an id, and we see the broadcasts that it causes, but no questions, no refusals, and no device
/// volume where its broadcast bears no id.
package enum PlausibleJump {
    /// What a sender easily uses up unseen: a few questions around a command, and twice what the most talkative poller
    /// known asks, which is two a second (PROTOCOL 7.2).
    ///
    /// Where one sender fits easily, those that would have had to ask more than this are ruled out.
    package static let easy = (burst: 4.0, perSecond: 4.0)
    /// What one sender can use up at all: somebody drags the slider of the device's volume.
    ///
    /// A second sender is likelier beyond this. Ids that begin at random are spread over 31 bits, so two senders are
    /// hardly ever as close.
    package static let possible = (burst: 1000.0, perSecond: 20.0)

    /// Whether ids can have moved from one to another within a time; false when they did not grow.
    package static func fits(
        _ limit: (burst: Double, perSecond: Double), from lastID: Int64, to id: Int64, within seconds: Double
    ) -> Bool {
        lastID < id && Double(id) - Double(lastID) <= limit.burst + limit.perSecond * max(0, seconds)
    }
}

extension SenderSeries.Sender {
    /// Whether an id can be the next that we see of this sender.
    func couldSend(_ id: Int64, at: WallTime, easily: Bool) -> Bool {
        PlausibleJump.fits(
            easily ? PlausibleJump.easy : PlausibleJump.possible, from: lastID, to: id,
            within: at.secondsLater(than: lastAt))
    }
}

extension SenderSeries.Crowd {
    init(_ sender: SenderSeries.Sender) {
        self.init(lowestID: sender.lastID, highestID: sender.lastID, earliestAt: sender.lastAt)
    }

    /// Whether an id can be the next of anybody in the crowd.
    func couldSend(_ id: Int64, at: WallTime) -> Bool {
        guard lowestID < id else { return false }
        return id <= highestID
            || PlausibleJump.fits(
                PlausibleJump.possible, from: highestID, to: id, within: at.secondsLater(than: earliestAt))
    }

    /// The crowd with one more.
    func joined(by sender: SenderSeries.Sender) -> SenderSeries.Crowd {
        SenderSeries.Crowd(
            lowestID: min(lowestID, sender.lastID), highestID: max(highestID, sender.lastID),
            earliestAt: min(earliestAt, sender.lastAt))
    }
}

extension WallTime {
    /// Seconds from another moment to this one, whatever the two are.
    ///
    /// The wall clock is used, since it goes on through a restart; a jump of it makes an answer more or less cautious, not
    /// wrong about ids that do not grow.
    func secondsLater(than other: WallTime) -> Double {
        (Double(microseconds) - Double(other.microseconds)) / 1e6
    }
}
