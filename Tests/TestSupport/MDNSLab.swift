import Glibc
public import IO

/// Two hosts on one wire, each with its own D-Bus and Avahi daemon, made of network namespaces.
///
/// Needs root: see ``RootSuite``. Everything it starts is ended by its process id, and everything it makes is removed.
public final class MDNSLab {
    /// One host.
    public final class Host {
        /// Its network namespace.
        public let namespace: String
        /// Its end of the wire.
        public let interface: String
        /// Its IPv4 address.
        public let address: String
        /// Where its daemons keep what they write.
        public let folder: String
        fileprivate(set) var bus: ChildProcess?
        fileprivate(set) var avahi: ChildProcess?

        fileprivate init(_ name: String, address: String, folder: String) {
            namespace = "cl-\(name)-\(getpid())"
            interface = "\(name)\(getpid())"
            self.address = address
            self.folder = "\(folder)/\(name)"
        }

        /// What DBUS_SYSTEM_BUS_ADDRESS is on this host.
        public var busAddress: String { "unix:path=\(folder)/bus" }
    }

    /// Something did not come about.
    public struct Failure: Error, CustomStringConvertible {
        /// What.
        public let description: String
        /// Something did not come about.
        public init(description: String) { self.description = description }
    }

    /// Where everything is kept: named by the process that runs the tests, so that those it starts agree on it.
    public static var sharedFolder: String {
        if let known = getenv("CASTLEDGER_TEST_FOLDER") { return String(cString: known) }
        let folder = "/tmp/castledger-mdns-\(getpid())"
        setenv("CASTLEDGER_TEST_FOLDER", folder, 1)
        return folder
    }

    private let folder: String
    /// Where the devices are.
    public let devices: Host
    /// Where the browser is.
    public let monitor: Host

    /// Builds both hosts and starts their daemons.
    public init(folder: String = sharedFolder, name: String = "") throws {
        self.folder = folder
        devices = Host("dev" + name, address: "10.99.0.2", folder: folder)
        monitor = Host("mon" + name, address: "10.99.0.1", folder: folder)
        try Self.checkPrograms()
        do {
            try wire()
            for host in [devices, monitor] {
                try startBus(host)
                try startAvahi(host)
            }
        } catch {
            close()
            throw error
        }
    }

    /// Without its programs there is no lab: never a reason to pass a test over.
    private static func checkPrograms() throws {
        for program in ["ip", "dbus-daemon", "avahi-daemon", "unshare"] {
            let found = ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"].contains { access($0 + program, X_OK) == 0 }
            guard found else { throw Failure(description: "\(program) is not installed: run 'make test-deps' first") }
        }
    }

    private func wire() throws {
        for host in [devices, monitor] {
            try Files.makeFolders(host.folder)
            try Self.run(["ip", "netns", "add", host.namespace])
        }
        try Self.run([
            "ip", "link", "add", devices.interface, "netns", devices.namespace, "type", "veth", "peer", "name",
            monitor.interface, "netns", monitor.namespace,
        ])
        for host in [devices, monitor] {
            let inside = ["ip", "-n", host.namespace]
            try Self.run(inside + ["addr", "add", "\(host.address)/16", "dev", host.interface])
            try Self.run(inside + ["link", "set", host.interface, "up"])
            try Self.run(inside + ["link", "set", "lo", "up"])
            try Self.run(inside + ["route", "add", "224.0.0.0/4", "dev", host.interface])
        }
        try Files.makeFolders("/run/avahi-daemon", mode: 0o755)
    }

    /// Starts the D-Bus of a host, and waits until it listens.
    public func startBus(_ host: Host) throws {
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>system</type><listen>\(host.busAddress)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/><allow user="*"/></policy></busconfig>
            """
        try Files.replace("\(host.folder)/bus.conf", with: Array(configuration.utf8))
        host.bus = try start(
            host, ["dbus-daemon", "--config-file=\(host.folder)/bus.conf", "--nofork", "--nopidfile"])
        try Self.wait(seconds: 10, for: "the bus of \(host.namespace)") { Files.exists("\(host.folder)/bus") }
    }

    /// Starts the Avahi daemon of a host; returns before it answers.
    public func startAvahi(_ host: Host) throws {
        let configuration = """
            [server]
            host-name=\(host.interface)
            allow-interfaces=\(host.interface)
            use-ipv4=yes
            use-ipv6=yes
            ratelimit-interval-usec=1000000
            ratelimit-burst=1000
            [rlimits]
            rlimit-nofile=4096
            """
        try Files.replace("\(host.folder)/avahi.conf", with: Array(configuration.utf8))
        // The daemon's pid file has a fixed place: each daemon gets a file system of its own there.
        let script =
            "mount --make-rprivate / && mount -t tmpfs tmpfs /run/avahi-daemon && "
            + "exec avahi-daemon -f \(host.folder)/avahi.conf --no-drop-root --no-chroot"
        host.avahi = try start(host, ["unshare", "-m", "sh", "-c", script])
    }

    /// Ends the Avahi daemon of a host: with goodbyes (SIGTERM) or without (SIGKILL).
    public func stopAvahi(_ host: Host, _ signal: Int32) {
        host.avahi?.send(signal)
        host.avahi?.wait()
        host.avahi = nil
    }

    /// Ends the D-Bus of a host without a word.
    public func stopBus(_ host: Host) {
        host.bus?.send(SIGKILL)
        host.bus?.wait()
        host.bus = nil
        unlink("\(host.folder)/bus")
    }

    /// Pulls the wire out of a host, or puts it back: packets are lost, and nobody is told.
    public func setWire(of host: Host, isIn: Bool) throws {
        try Self.run(["ip", "-n", host.namespace, "link", "set", host.interface, isIn ? "up" : "down"])
    }

    /// Starts a program on a host, with the host's D-Bus; its output goes to a file there.
    public func start(_ host: Host, _ arguments: [String]) throws -> ChildProcess {
        let log = open("\(host.folder)/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { Glibc.close(log) }
        return try ChildProcess(
            ["ip", "netns", "exec", host.namespace] + arguments,
            environment: Self.environment + ["DBUS_SYSTEM_BUS_ADDRESS=\(host.busAddress)"], output: log, errors: log)
    }

    /// Ends everything and removes everything.
    public func close() {
        for host in [devices, monitor] {
            stopAvahi(host, SIGTERM)
            host.bus?.send(SIGTERM)
            host.bus?.wait()
            host.bus = nil
            _ = try? ChildProcess.run(["ip", "netns", "del", host.namespace])
        }
        _ = try? ChildProcess.run(["rm", "-rf", folder])
    }

    private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]

    private static func run(_ arguments: [String]) throws {
        let (exit, output) = try ChildProcess.run(arguments)
        guard exit == .code(0) else {
            throw Failure(
                description: "'\(arguments.joined(separator: " "))' ended with \(exit): "
                    + String(decoding: output, as: UTF8.self))
        }
    }

    /// Waits until something is so; throws when it is not in time.
    public static func wait(seconds: Int, for what: String, until isSo: () throws -> Bool) throws {
        let deadline = Clock.monotonicNanoseconds() + Int64(seconds) * 1_000_000_000
        while try !isSo() {
            guard Clock.monotonicNanoseconds() < deadline else {
                throw Failure(description: "waited \(seconds) s for \(what)")
            }
            poll(nil, 0, 10)
        }
    }
}
