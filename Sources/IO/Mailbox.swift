import Glibc

/// A bounded queue from any thread to one thread that waits for it.
///
/// The limit is in elements. When it is reached, `post` takes nothing and says so: the sender slows down or counts
/// what it loses. Nothing is dropped silently.
public final class Mailbox<Element: Sendable>: Sendable {
    private struct Content {
        var elements: [Element] = []
        var closed = false
        /// From how many elements on the reader wants to be woken.
        var enough = 1
    }

    private let content = Guarded(Content())
    private let wakeup: Int32
    /// How many elements may wait.
    public let limit: Int

    /// A mailbox for `limit` elements.
    public init(limit: Int) throws(IOError) {
        self.limit = limit
        wakeup = try Linux.eventDescriptor()
    }

    deinit { close(wakeup) }

    /// Adds a batch as a whole.
    ///
    /// False when it does not fit or the mailbox is closed: nothing was added then.
    ///
    /// A batch beyond the limit still fits into an empty mailbox, so that it cannot wait for ever.
    public func post(_ batch: [Element]) -> Bool {
        let (taken, isEnough) = content.withLock { content in
            let before = content.elements.count
            guard !content.closed else { return (false, false) }
            // Full is enough for any reader.
            guard before == 0 || before + batch.count <= limit else { return (false, true) }
            content.elements.append(contentsOf: batch)
            // Those before have woken the reader already.
            return (true, before < content.enough && content.elements.count >= content.enough)
        }
        if isEnough { wake() }
        return taken
    }

    /// Takes all that waits; waits up to `timeout` for at least `enough` elements.
    ///
    /// Nil once closed and empty.
    ///
    /// - Parameter enough: 1 or more. A reader that has time lets several posts come together, and is woken once.
    public func take(timeout: Duration, enough: Int = 1) -> [Element]? {
        let (elements, closed) = takeNow(atLeast: enough)
        if !elements.isEmpty { return elements }
        if closed { return nil }
        var descriptor = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&descriptor, 1, timeout.pollMilliseconds)
        let later = takeNow(atLeast: 0)
        return later.elements.isEmpty && later.closed ? nil : later.elements
    }

    /// Nothing when fewer than `enough` wait, unless no more can come.
    private func takeNow(atLeast enough: Int) -> (elements: [Element], closed: Bool) {
        var count: UInt64 = 0
        _ = unsafe read(wakeup, &count, 8)
        return content.withLock { content in
            content.enough = enough
            guard content.closed || content.elements.count >= enough else { return ([], false) }
            defer { content.elements = [] }
            return (content.elements, content.closed)
        }
    }

    /// No more posts; the reader gets what is left, then nil.
    public func close() {
        content.withLock { $0.closed = true }
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeup, &one, 8)
    }

    private func close(_ fd: Int32) { _ = Glibc.close(fd) }
}
