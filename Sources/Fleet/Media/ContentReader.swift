import IO
import Telemetry

/// Fetches the http content of LOADs from loopback addresses and discards it: VLC serves its media this way, and waits
/// for a reader.
///
/// Bounded in fetches at a time and in bytes of each. Nothing beyond this machine is ever asked.
final class ContentReader {
    private static let fetchesLimit = 8
    private static let contentLimitBytes = 1 << 28
    private static let readsPerTurn = 16

    /// One fetch.
    private final class Fetch {
        var watch: EventLoop.Watch?
        var request: [UInt8]
        var receivedBytes = 0

        init(request: [UInt8]) { self.request = request }
    }

    private let loop: EventLoop
    private let log: Log
    private var fetches: [Int32: Fetch] = [:]
    private var scratch = [UInt8](repeating: 0, count: 1 << 16)

    init(loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
    }

    /// Begins a GET, unless the URL is not plain http on a loopback address or too many are under way.
    func fetch(_ url: String) {
        guard let (address, path) = Self.loopbackTarget(url), fetches.count < Self.fetchesLimit else { return }
        do throws(IOError) {
            let fd = try Socket.connect(to: address)
            let head = "GET \(path) HTTP/1.0\r\nHost: \(address)\r\nRange: bytes=0-\r\n\r\n"
            let fetch = Fetch(request: Array(head.utf8))
            fetches[fd] = fetch
            fetch.watch = try loop.watch(fd, for: .writable) { [unowned self] readiness in
                advance(fd, fetch, readiness)
            }
        } catch { log(.debug, "simulated device cannot fetch content", [.error: "\(error)"]) }
    }

    /// The address and path of an http URL on 127.0.0.0/8; nil for every other.
    static func loopbackTarget(_ url: String) -> (SocketAddress, String)? {
        guard url.hasPrefix("http://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let rest = url.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, host.hasPrefix("127."), parts.count <= 2,
            let port = parts.count == 2 ? UInt16(parts[1]) : 80, port > 0,
            let address = SocketAddress(host: String(host), port: port)
        else { return nil }
        let path = rest.dropFirst(authority.count)
        return (address, path.isEmpty ? "/" : String(path))
    }

    private func advance(_ fd: Int32, _ fetch: Fetch, _ readiness: EventLoop.Readiness) {
        do throws(IOError) {
            if !fetch.request.isEmpty {
                fetch.request.removeFirst(try Socket.send(fd, fetch.request))
                if fetch.request.isEmpty, let watch = fetch.watch { loop.change(watch, to: .readable) }
                return
            }
            for _ in 0..<Self.readsPerTurn {
                guard let count = try Socket.receive(fd, into: &scratch) else { return }
                fetch.receivedBytes += count
                if count == 0 || fetch.receivedBytes > Self.contentLimitBytes { return end(fd, fetch) }
            }
        } catch { end(fd, fetch) }
    }

    private func end(_ fd: Int32, _ fetch: Fetch) {
        if let watch = fetch.watch { loop.unwatch(watch) }
        fetches[fd] = nil
        Socket.close(fd)
        log(.debug, "simulated device fetched content", [.count: String(fetch.receivedBytes)])
    }

    func stop() {
        for (fd, fetch) in fetches { end(fd, fetch) }
    }
}
