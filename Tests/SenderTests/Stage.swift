import CastModel
import CastWire
import Glibc
import IO
import Recording
import SenderCore
import TLS
import Telemetry
import Testing

@testable import Sender

/// Keeps what it is given, or is full.
final class ArraySink: RecordSink {
    private(set) var observations: [Observation] = []
    var isFull = false

    func append(_ observations: [Observation]) -> Bool {
        guard !isFull else { return false }
        self.observations += observations
        return true
    }

    /// What was observed, one line each, without our own frames and heartbeats.
    var lines: [String] { observations.compactMap { Self.line($0.body) } }

    /// The frames that came, heartbeats left out.
    var frames: [RecordedFrame] {
        observations.compactMap {
            guard case .frame(let frame) = $0.body, frame.direction == .inbound, frame.message.namespace != .heartbeat
            else { return nil }
            return frame
        }
    }

    static func line(_ body: RecordBody) -> String? {
        switch body {
        case .deviceSeen(let seen): "seen \(seen.deviceID) \(seen.name ?? "-") \(seen.source.rawValue)"
        case .deviceWithdrawn(let device): "withdrawn \(device)"
        case .linkOpened(let opened): "opened \(opened.device) \(opened.link.number) \(opened.attachMode.rawValue)"
        case .linkClosed(let closed): "closed \(closed.device) \(closed.link.number) \(closed.reason.rawValue)"
        case .frame(let frame):
            frame.direction == .outbound || frame.message.namespace == .heartbeat
                ? nil
                : "in \(frame.device) \(frame.link.number) \(frame.message.namespace.urn.split(separator: ".").last ?? "")"
        case .frameMalformed(let frame): "malformed \(frame.device) \(frame.bytes.count)"
        case .framesLost(let device, let count, _): "lost \(device?.text ?? "-") \(count)"
        case .gap(let gap):
            "gap \(gap.device?.text ?? "all") \(gap.reason.rawValue)\(gap.to == nil ? " lasts" : " over")"
        case .recorderStarted, .recorderStopped, .segmentsPruned: nil
        }
    }
}

/// A loop with a supervisor and devices on it, and steps that wait for each other.
final class Stage {
    let loop: EventLoop
    let sink = ArraySink()
    let supervisor: SenderSupervisor
    private var steps: [(name: String, condition: () -> Bool, action: () -> Void)] = []
    private var isOver = false

    init(
        filter: DeviceFilter = DeviceFilter(), attachMode: AttachMode = .invisible, handshakeLimit: Int = 64,
        log: Log = .silent, clocks: @escaping () -> ClockTimes = ClockTimes.read
    ) throws {
        signal(SIGPIPE, SIG_IGN)  // as the program does
        loop = try EventLoop()
        supervisor = SenderSupervisor(
            loop: loop, tls: try TLSContext.forDeviceLinks(), sink: sink,
            settings: SenderSupervisor.Settings(
                attachMode: attachMode, filter: filter, version: "1.2", firstConnectJitter: .zero, seed: 7,
                handshakeLimit: handshakeLimit),
            log: log, clocks: clocks)
    }

    /// Adds a step: `action` happens once `condition` holds, and after all earlier steps.
    func when(_ name: String, _ condition: @escaping () -> Bool, then action: @escaping () -> Void = {}) {
        steps.append((name, condition, action))
    }

    /// Runs the loop until all steps have been taken, at most so long.
    func run(seconds: Int64 = 20, sourceLocation: SourceLocation = #_sourceLocation) {
        loop.schedule(after: .seconds(seconds)) { [self] in
            guard !isOver else { return }
            Issue.record("still waiting: \(steps.first?.name ?? "")", sourceLocation: sourceLocation)
            loop.stop()
        }
        step()
        loop.run()
    }

    private func step() {
        while let next = steps.first, next.condition() {
            steps.removeFirst()
            next.action()
        }
        guard !steps.isEmpty else {
            isOver = true
            return loop.stop()
        }
        loop.schedule(after: .milliseconds(1)) { [self] in step() }
    }

    /// A device as a person types it.
    func type(_ device: ScriptedDevice) {
        supervisor.apply(.seen(Self.typed(port: device.port)))
    }

    static func typed(port: UInt16) -> DeviceAdvertisement {
        DeviceAdvertisement(
            deviceID: .unidentified(host: "127.0.0.1", port: port), name: nil, model: nil, addresses: ["127.0.0.1"],
            port: port, capabilities: nil, txt: [], source: .static)
    }

    /// A device as mDNS announces it.
    static func announced(_ id: String, name: String, addresses: [String] = ["127.0.0.1"], port: UInt16)
        -> DeviceAdvertisement
    {
        DeviceAdvertisement(
            deviceID: DeviceID(id), name: name, model: "Hub", addresses: addresses, port: port, capabilities: nil,
            txt: [], source: .mdns)
    }

    func summary(_ id: String) -> LinkSummary? { supervisor.summaries.first { $0.deviceID == DeviceID(id) } }
}
