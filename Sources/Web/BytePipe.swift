import Glibc
import IO

/// Bytes of a streamed answer on their way from a thread that makes them to the daemon's, which sends them.
///
/// Bounded: whoever makes them waits for room, or loses the reader.
final class BytePipe: Sendable {
    /// Room, in bytes; one write may go beyond it.
    static let limitBytes = 1 << 20
    /// Who takes nothing for so long is given up.
    static let stallLimit = Duration.seconds(60)

    private struct Content {
        var pieces: [[UInt8]] = []
        var waitingBytes = 0
        /// Bytes of the first piece that are gone.
        var offset = 0
        var isEnded = false
        var isBroken = false
        var isSuspended = false
        var wake: (@Sendable () -> Void)?
        var takenBytes: Int64 = 0
        var isJoined = false
    }

    private let content = Guarded(Content())

    /// Calls `wake` whenever the daemon waits and there is something.
    func wakes(_ wake: @escaping @Sendable () -> Void) { content.withLock { $0.wake = wake } }

    /// Adds bytes without waiting; false when `limit` bytes wait already, or nobody reads any more.
    func offer(_ bytes: [UInt8], limit: Int = limitBytes) -> Bool {
        content.withLock { content in
            guard !content.isBroken, !content.isEnded, content.waitingBytes < limit else { return false }
            guard !bytes.isEmpty else { return true }
            content.pieces.append(bytes)
            content.waitingBytes += bytes.count
            Self.wake(&content)
            return true
        }
    }

    /// Adds bytes, and waits for room; false when nobody reads any more.
    func write(_ bytes: [UInt8]) -> Bool {
        var taken = takenBytes
        var deadline = Clock.monotonicNanoseconds(after: Self.stallLimit)
        while !offer(bytes) {
            guard !isBroken, Clock.monotonicNanoseconds() < deadline else {
                abandon()
                return false
            }
            _ = poll(nil, 0, 5)
            if takenBytes != taken {
                taken = takenBytes
                deadline = Clock.monotonicNanoseconds(after: Self.stallLimit)
            }
        }
        return true
    }

    /// No more comes.
    func end() {
        content.withLock { content in
            content.isEnded = true
            Self.wake(&content)
        }
    }

    /// Nobody reads any more, or what was begun cannot be brought to its end.
    func abandon() {
        content.withLock { content in
            content.isBroken = true
            content.pieces = []
            Self.wake(&content)
        }
    }

    /// Whether it was given up.
    var isBroken: Bool { content.withLock { $0.isBroken } }
    /// How many bytes were taken since the beginning, and how many pieces wait.
    var progress: (taken: Int64, waiting: Int) { content.withLock { ($0.takenBytes, $0.pieces.count) } }
    /// Whether somebody else goes on filling it.
    var isJoined: Bool {
        get { content.withLock { $0.isJoined } }
        set { content.withLock { $0.isJoined = newValue } }
    }
    private var takenBytes: Int64 { content.withLock { $0.takenBytes } }

    private static func wake(_ content: inout Content) {
        guard content.isSuspended else { return }
        content.isSuspended = false
        content.wake?()
    }

    /// On the daemon's thread: puts bytes into a place; 0 after `suspend`, -1 at the end, -2 when it broke.
    ///
    /// `suspend` is called under the lock, so that a wake cannot come before it.
    func read(into place: UnsafeMutableRawBufferPointer, suspend: () -> Void) -> Int {
        content.withLock { content in
            guard !content.isBroken else { return -2 }
            guard let first = content.pieces.first else {
                guard !content.isEnded else { return -1 }
                content.isSuspended = true
                suspend()
                return 0
            }
            let count = min(place.count, first.count - content.offset)
            unsafe first.withUnsafeBytes { bytes in
                unsafe place.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[content.offset..<content.offset + count]))
            }
            content.offset += count
            content.waitingBytes -= count
            content.takenBytes += Int64(count)
            if content.offset == first.count {
                content.pieces.removeFirst()
                content.offset = 0
            }
            return count
        }
    }
}
