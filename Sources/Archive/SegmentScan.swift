import Glibc
import IO
import Recording

extension SegmentScanner {
    /// Hands over all good batches of the segment, and behind damage goes on with the next zstd frame.
    ///
    /// Throws what is no damage, as when the disk cannot be read.
    ///
    /// - Parameters:
    ///   - isOver: Whether nobody writes it any more, so that bytes behind the last whole batch are damage.
    ///   - onDamage: Gets each damaged place, in order.
    func forEachBatch(
        isOver: Bool, onDamage: (ArchiveDamage) -> Void, _ visit: (ScannedBatch) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        repeat {
            do throws(ArchiveError) {
                while true {
                    if let batch = try next() {
                        try visit(batch)
                    } else if let batch = try nextBehindUnfinished() {
                        try visit(batch)
                    } else {
                        break
                    }
                }
                // What looked like a frame's beginning led nowhere; perhaps another does.
                if isAfterDamage { continue }
                let left = try bytesLeft()
                if isOver, left > 0 { throw damage(.tornTail, to: good.offset + left) }
                return
            } catch {
                guard case .damaged(let damage) = error else { throw error }
                onDamage(damage)
            }
        } while try skipToNextFrame()
    }

    /// The last good batch of the segment, wherever it is; nil when there is none.
    ///
    /// Afterwards ``good`` says how far the segment is good.
    func lastBatch() throws(ArchiveError) -> ScannedBatch? {
        var last: ScannedBatch?
        try forEachBatch(isOver: false, onDamage: { _ in }) { batch throws(ArchiveError) in last = batch }
        return last
    }

    /// The damage that an error tells of, when the disk does not give bytes any more; nil when it says anything else.
    ///
    /// EIO, and EBADMSG where the file system's own checksum is wrong: asking again later is no use.
    func unreadable(_ error: ArchiveError) -> ArchiveDamage? {
        guard case .files(let failure) = error, Self.isUnreadable(error) else { return nil }
        let left = (try? bytesLeft()) ?? 0
        return ArchiveDamage(
            segment: path, firstPosition: expectedPosition, bytes: good.offset..<good.offset + max(0, left),
            problem: .unreadable(failure))
    }

    /// Whether an error says that the disk does not give bytes any more.
    static func isUnreadable(_ error: ArchiveError) -> Bool {
        guard case .files(let failure) = error, failure.call == "pread" else { return false }
        return failure.number == EIO || failure.number == EBADMSG
    }

    /// Damage where bytes claim to go on and good batches follow; nil when the rest may be a batch that is being written.
    private func nextBehindUnfinished() throws(ArchiveError) -> ScannedBatch? {
        let left = try bytesLeft()
        guard !isAfterDamage, left > 0, try isFollowedByGoodBatch() else { return nil }
        // It may have become whole in between.
        if let batch = try next() { return batch }
        throw damage(.compression("a block that reaches beyond the end"), to: good.offset + left)
    }
}
