import IO
import Telemetry

/// Answers whoever connects to a unix socket in the data folder with one JSON object: how the recorder is.
///
/// A socket and not a file, since a full disk must not hide that it is full. Whoever does not read is dropped.
///
/// `@unchecked Sendable`: after ``start()``, everything happens on the thread of `loop`.
final class StatusService: @unchecked Sendable {
    /// At most so many are answered at a time; more wait in the kernel's queue.
    static let answerLimit = 8
    /// After so long, somebody is accepted again after that has failed: descriptors may have run out.
    private static let pause = Duration.seconds(1)
    /// Who asks again within this time gets the same answer: asking costs little.
    private static let freshNanoseconds: Int64 = 200_000_000
    private static let retryInterval = Duration.seconds(10)

    private let path: String
    private let log: Log
    private let readLimit: Duration
    private let report: @Sendable () -> [UInt8]
    private let acceptNext: @Sendable (_ listener: Int32) throws(IOError) -> Int32?
    private let loop: EventLoop
    private var thread: OwnedThread?

    private struct Answer {
        var rest: ArraySlice<UInt8>
        var watch: EventLoop.Watch
        var timer: EventLoop.TimerToken
    }

    private var listener: Int32?
    /// Nil while nobody is accepted.
    private var listenerWatch: EventLoop.Watch?
    private var answers: [Int32: Answer] = [:]
    private var last: (at: Int64, bytes: [UInt8])?
    private var hasComplained = false

    /// A service that does not listen yet.
    ///
    /// - Parameters:
    ///   - readLimit: Who has not taken an answer within so long is dropped; less than 'castledger status' waits.
    ///   - acceptNext: Takes the next one who asks.
    ///   - report: Called on the thread of this service.
    init(
        path: String, readLimit: Duration = .seconds(3), log: Log,
        acceptNext: @escaping @Sendable (_ listener: Int32) throws(IOError) -> Int32? = LocalSocket.accept,
        report: @escaping @Sendable () -> [UInt8]
    ) throws(IOError) {
        self.acceptNext = acceptNext
        self.path = path
        self.readLimit = readLimit
        self.log = log
        self.report = report
        loop = try EventLoop()
    }

    /// Starts the thread `status`.
    func start() {
        loop.post { self.listen() }
        let loop = loop
        thread = OwnedThread("status") { loop.run() }
    }

    /// Ends the thread, removes the socket and drops whoever still reads.
    ///
    /// - Returns: False when a report keeps the thread for longer, and it was left behind.
    @discardableResult
    func stop(within limit: Duration = .seconds(3600)) -> Bool {
        loop.post { self.end() }
        loop.stop()
        defer { thread = nil }
        guard thread?.join(within: limit) != false else {
            LocalSocket.remove(path)
            return false
        }
        return true
    }

    private func end() {
        lookAway()
        let listener = listener
        self.listener = nil
        for fd in Array(answers.keys) { drop(fd) }
        guard let listener else { return }
        Socket.close(listener)
        LocalSocket.remove(path)
    }

    private func listen() {
        do throws(IOError) {
            listener = try LocalSocket.listen(at: path)
            lookForAskers()
        } catch {
            // On a full disk even a socket's name may have no room; it may have later.
            if !hasComplained { log(.warning, "'castledger status' is not answered", [.error: error.description]) }
            hasComplained = true
            loop.schedule(after: Self.retryInterval) { [weak self] in self?.listen() }
        }
    }

    /// Accepts from now on, unless as many are being answered as may be.
    private func lookForAskers() {
        guard let listener, listenerWatch == nil, answers.count < Self.answerLimit else { return }
        do throws(IOError) {
            listenerWatch = try loop.watch(listener, for: .readable) { [weak self] _ in self?.accept(listener) }
        } catch { lookLater() }
    }

    /// Accepts nobody for a while: a listener that has somebody waiting would keep the loop spinning.
    private func lookAway() {
        if let listenerWatch { loop.unwatch(listenerWatch) }
        listenerWatch = nil
    }

    private func lookLater() {
        lookAway()
        loop.schedule(after: Self.pause) { [weak self] in self?.lookForAskers() }
    }

    private func accept(_ listener: Int32) {
        do throws(IOError) {
            while answers.count < Self.answerLimit {
                guard let fd = try acceptNext(listener) else { return }
                answer(fd)
            }
            lookAway()
        } catch { lookLater() }
    }

    private func answer(_ fd: Int32) {
        do throws(IOError) {
            let watch = try loop.watch(fd, for: .writable) { [weak self] _ in self?.write(fd) }
            let timer = loop.schedule(after: readLimit) { [weak self] in self?.drop(fd) }
            answers[fd] = Answer(rest: fresh()[...], watch: watch, timer: timer)
        } catch { Socket.close(fd) }
    }

    private func fresh() -> [UInt8] {
        let now = Clock.monotonicNanoseconds()
        if let last, now - last.at < Self.freshNanoseconds { return last.bytes }
        let bytes = report()
        last = (Clock.monotonicNanoseconds(), bytes)
        return bytes
    }

    private func write(_ fd: Int32) {
        guard let answer = answers[fd] else { return }
        do throws(IOError) {
            let sent = try Socket.send(fd, Array(answer.rest.prefix(65_536)))
            answers[fd]?.rest = answer.rest.dropFirst(sent)
            if answers[fd]?.rest.isEmpty == true { drop(fd) }
        } catch { drop(fd) }
    }

    private func drop(_ fd: Int32) {
        guard let answer = answers.removeValue(forKey: fd) else { return }
        loop.unwatch(answer.watch)
        loop.cancel(answer.timer)
        Socket.close(fd)
        lookForAskers()
    }
}
