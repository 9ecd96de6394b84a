import CAvahi
import CastModel
import Glibc

/// The poll loop of libavahi, for one thread.
///
/// A class, since libavahi keeps a pointer to it; freed once, by `deinit`. Unchecked Sendable: only `wake`, which writes
/// to a pipe, is called from any thread; all else belongs to the one that turns the loop.
@safe final class AvahiLoop: @unchecked Sendable {
    private let loop: OpaquePointer

    init() {
        guard let loop = unsafe avahi_simple_poll_new() else {
            preconditionFailure("avahi_simple_poll_new failed: out of memory or descriptors")
        }
        unsafe self.loop = loop
    }

    deinit { unsafe avahi_simple_poll_free(loop) }

    /// The longest wait: libavahi loses a wake that comes while it clears the one before.
    private static let longestWaitMilliseconds: Int32 = 1000

    /// Waits for news up to the timeout or a second, and lets libavahi call back.
    func turn(timeoutMilliseconds: Int32) {
        _ = unsafe avahi_simple_poll_iterate(loop, min(timeoutMilliseconds, Self.longestWaitMilliseconds))
    }

    /// Ends the waiting of the current or the next turn.
    func wake() { unsafe avahi_simple_poll_wakeup(loop) }

    fileprivate var poll: UnsafePointer<AvahiPoll>? { unsafe avahi_simple_poll_get(loop) }
}

/// One D-Bus client of the Avahi daemon, with everything it browses, resolves and publishes.
///
/// Belongs to one thread. A class, since libavahi keeps pointers to it; `deinit` frees the client and with it all its
/// objects. Callbacks only add to the news; see ``MDNSNews``.
@safe final class MDNSClient {
    /// What a callback finds behind its userdata pointer.
    ///
    /// Retained by the client as long as libavahi may call back.
    @safe private final class Subject {
        unowned let owner: MDNSClient
        let instance: ServiceInstance
        var handle: OpaquePointer?

        init(_ owner: MDNSClient, _ instance: ServiceInstance) {
            self.owner = owner
            self.instance = instance
        }

        var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

        static func at(_ pointer: UnsafeMutableRawPointer?) -> Subject? {
            unsafe pointer.map { unsafe Unmanaged<Subject>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private let loop: AvahiLoop
    private var handle: OpaquePointer?
    private var news: [MDNSNews] = []
    private var browsers: [Subject] = []
    private var resolvers: [ServiceInstance: Subject] = [:]
    private var textWatches: [ServiceInstance: Subject] = [:]
    private var entryGroups: [String: Subject] = [:]

    /// Connects to D-Bus.
    ///
    /// Throws when there is none. The daemon may still be missing: the news say so, and say when it comes.
    init(loop: AvahiLoop) throws(MDNSError) {
        self.loop = loop
        var code: Int32 = 0
        let userdata = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle = avahi_client_new(
            loop.poll, AVAHI_CLIENT_NO_FAIL,
            { handle, phase, userdata in
                guard let userdata = unsafe userdata else { return }
                let owner = unsafe Unmanaged<MDNSClient>.fromOpaque(userdata).takeUnretainedValue()
                owner.news.append(unsafe MDNSClient.clientNews(handle, phase))
            }, userdata, &code)
        if unsafe handle == nil { throw Self.error("connect to D-Bus", code) }
    }

    deinit {
        if let handle = unsafe handle { unsafe avahi_client_free(handle) }
    }

    /// Whether there are news to take.
    var hasNews: Bool { !news.isEmpty }

    /// The news since the last call, oldest first.
    func takeNews() -> [MDNSNews] {
        defer { news = [] }
        return news
    }

    /// How many objects this client has in the daemon, which allows objects-per-client-max of them.
    var objectCount: Int { browsers.count + resolvers.count + textWatches.count + entryGroups.count }

    /// Such as "avahi 0.8"; nil before the daemon has answered.
    var daemonVersion: String? {
        unsafe avahi_client_get_version_string(handle).map { unsafe String(cString: $0) }
    }

    // MARK: Looking for services

    /// Browses a service type on all interfaces, over IPv4 and IPv6.
    func browse(_ serviceType: String) throws(MDNSError) {
        let anything = ServiceInstance(interface: Self.anyInterface, family: .four, name: "", domain: "")
        let subject = Subject(self, anything)
        let made = unsafe avahi_service_browser_new(
            handle, Self.anyInterface, Self.anyProtocol, serviceType, nil, AvahiLookupFlags(rawValue: 0),
            { _, interface, family, event, name, _, domain, _, userdata in
                guard let owner = unsafe Subject.at(userdata)?.owner else { return }
                let instance = ServiceInstance(
                    interface: interface, family: family == Int32(AVAHI_PROTO_INET6) ? .six : .four,
                    name: unsafe MDNSClient.text(name), domain: unsafe MDNSClient.text(domain))
                switch event {
                case AVAHI_BROWSER_NEW: owner.news.append(.appeared(instance))
                case AVAHI_BROWSER_REMOVE: owner.news.append(.disappeared(instance))
                case AVAHI_BROWSER_ALL_FOR_NOW: owner.news.append(.firstRoundComplete)
                case AVAHI_BROWSER_FAILURE: owner.news.append(.browseFailed(reason: owner.lastReason))
                default: break
                }
            }, subject.pointer)
        unsafe subject.handle = try created(made, "browse")
        browsers.append(subject)
    }

    /// Asks where an instance is and what it says: one answer, then ``stopResolving(_:)``.
    ///
    /// - Parameter anyFamily: Takes an address of either family instead of the one that the instance was seen on.
    func resolve(_ instance: ServiceInstance, anyFamily: Bool = false) throws(MDNSError) {
        guard resolvers[instance] == nil else { return }
        let subject = Subject(self, instance)
        let family = Self.protocolNumber(instance.family)
        let made = unsafe avahi_service_resolver_new(
            handle, instance.interface, family, instance.name, DeviceAdvertisement.serviceType, instance.domain,
            anyFamily ? Self.anyProtocol : family, AvahiLookupFlags(rawValue: 0),
            { _, interface, _, event, _, _, _, _, address, port, strings, _, userdata in
                guard let subject = unsafe Subject.at(userdata) else { return }
                if event == AVAHI_RESOLVER_FOUND, let address = unsafe address {
                    let resolution = Resolution(
                        address: unsafe MDNSClient.text(address, interface: interface), port: port,
                        txt: unsafe MDNSClient.strings(strings))
                    subject.owner.news.append(.resolved(subject.instance, resolution))
                } else {
                    subject.owner.news.append(
                        .resolveFailed(subject.instance, reason: subject.owner.lastReason))
                }
            }, subject.pointer)
        unsafe subject.handle = try created(made, "resolve")
        resolvers[instance] = subject
    }

    /// Gives the resolver back: a client may keep 1,024 objects only.
    func stopResolving(_ instance: ServiceInstance) {
        guard let subject = resolvers.removeValue(forKey: instance) else { return }
        if let handle = unsafe subject.handle { unsafe avahi_service_resolver_free(handle) }
    }

    /// Watches the TXT record of an instance for changes.
    func watchText(_ instance: ServiceInstance) throws(MDNSError) {
        guard textWatches[instance] == nil else { return }
        guard let name = Self.fullName(instance) else { return }
        let subject = Subject(self, instance)
        let made = unsafe avahi_record_browser_new(
            handle, instance.interface, Self.protocolNumber(instance.family), name, UInt16(AVAHI_DNS_CLASS_IN),
            UInt16(AVAHI_DNS_TYPE_TXT), AvahiLookupFlags(rawValue: 0),
            { _, _, _, event, _, _, _, data, size, _, userdata in
                guard let subject = unsafe Subject.at(userdata) else { return }
                if event == AVAHI_BROWSER_NEW {
                    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size))
                    subject.owner.news.append(.text(subject.instance, TXTRecord.strings(bytes)))
                } else if event == AVAHI_BROWSER_REMOVE {
                    subject.owner.news.append(.textExpired(subject.instance))
                }
            }, subject.pointer)
        unsafe subject.handle = try created(made, "watch TXT record")
        textWatches[instance] = subject
    }

    /// Stops watching.
    func stopWatchingText(_ instance: ServiceInstance) {
        guard let subject = textWatches.removeValue(forKey: instance) else { return }
        if let handle = unsafe subject.handle { unsafe avahi_record_browser_free(handle) }
    }

    // MARK: Publishing services

    /// Announces a service on all interfaces; the news tell whether the name was free.
    func publish(_ service: PublishedService) throws(MDNSError) {
        withdraw(instance: service.instance)
        let subject = Subject(
            self, ServiceInstance(interface: Self.anyInterface, family: .four, name: service.instance, domain: ""))
        let made = unsafe avahi_entry_group_new(
            handle,
            { _, phase, userdata in
                guard let subject = unsafe Subject.at(userdata) else { return }
                let (owner, instance) = (subject.owner, subject.instance.name)
                switch phase {
                case AVAHI_ENTRY_GROUP_ESTABLISHED: owner.news.append(.published(instance: instance))
                case AVAHI_ENTRY_GROUP_COLLISION: owner.news.append(.publishCollision(instance: instance))
                case AVAHI_ENTRY_GROUP_FAILURE:
                    owner.news.append(.publishFailed(instance: instance, reason: owner.lastReason))
                default: break
                }
            }, subject.pointer)
        let entryGroup = unsafe try created(made, "publish")
        unsafe subject.handle = entryGroup
        let result = unsafe add(service, to: entryGroup)
        guard result == 0 else {
            unsafe avahi_entry_group_free(entryGroup)
            throw Self.error("publish \(service.instance)", result)
        }
        entryGroups[service.instance] = subject
    }

    private func add(_ service: PublishedService, to entryGroup: OpaquePointer) -> Int32 {
        let (type, noFlags) = (DeviceAdvertisement.serviceType, AvahiPublishFlags(rawValue: 0))
        let result = unsafe Self.withStringList(service.txtStrings) { list in
            unsafe avahi_entry_group_add_service_strlst(
                entryGroup, Self.anyInterface, Self.anyProtocol, noFlags, service.instance, type, nil, nil,
                service.port, list)
        }
        guard result == 0 else { return result }
        for appID in service.appIDs {
            let result = unsafe avahi_entry_group_add_service_subtype(
                entryGroup, Self.anyInterface, Self.anyProtocol, noFlags, service.instance, type, nil,
                "_\(appID)._sub.\(type)")
            guard result == 0 else { return result }
        }
        return unsafe avahi_entry_group_commit(entryGroup)
    }

    /// Announces another TXT record for a service that is published.
    func updateText(_ service: PublishedService) throws(MDNSError) {
        guard let subject = entryGroups[service.instance], let entryGroup = unsafe subject.handle else { return }
        let result = unsafe Self.withStringList(service.txtStrings) { list in
            unsafe avahi_entry_group_update_service_txt_strlst(
                entryGroup, Self.anyInterface, Self.anyProtocol, AvahiPublishFlags(rawValue: 0), service.instance,
                DeviceAdvertisement.serviceType, nil, list)
        }
        guard result == 0 else { throw Self.error("update \(service.instance)", result) }
    }

    /// Takes a service back; the daemon says goodbye to the neighbors.
    func withdraw(instance: String) {
        guard let subject = entryGroups.removeValue(forKey: instance) else { return }
        if let handle = unsafe subject.handle { unsafe avahi_entry_group_free(handle) }
    }

    // MARK: C values

    private static let anyInterface = Int32(AVAHI_IF_UNSPEC)
    private static let anyProtocol = Int32(AVAHI_PROTO_UNSPEC)

    private static func protocolNumber(_ family: AddressFamily) -> Int32 {
        switch family {
        case .four: Int32(AVAHI_PROTO_INET)
        case .six: Int32(AVAHI_PROTO_INET6)
        }
    }

    private static func clientNews(_ handle: OpaquePointer?, _ phase: AvahiClientState) -> MDNSNews {
        switch phase {
        case AVAHI_CLIENT_S_RUNNING: .running
        case AVAHI_CLIENT_CONNECTING: .waitingForDaemon
        case AVAHI_CLIENT_FAILURE: .clientLost(reason: unsafe reason(avahi_client_errno(handle)))
        default: .hostNameUnsettled
        }
    }

    private var lastReason: String { unsafe Self.reason(avahi_client_errno(handle)) }

    private static func reason(_ code: Int32) -> String { unsafe text(avahi_strerror(code)) }

    private static func error(_ operation: String, _ code: Int32) -> MDNSError {
        MDNSError(operation: operation, code: code, reason: reason(code))
    }

    private func created(_ made: OpaquePointer?, _ operation: String) throws(MDNSError) -> OpaquePointer {
        guard let made = unsafe made else { throw unsafe Self.error(operation, avahi_client_errno(handle)) }
        return unsafe made
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    /// An address as text; a link-local one gets the name of its interface, or its number where it has no name here.
    private static func text(_ address: UnsafePointer<AvahiAddress>, interface: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let text = unsafe text(cavahi_address_text(&buffer, buffer.count, address))
        guard text.lowercased().hasPrefix("fe80:") else { return text }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        let found = unsafe if_indextoname(UInt32(clamping: interface), &name)
        return unsafe text + "%" + (found == nil ? "\(interface)" : Self.text(found))
    }

    /// The strings of a list that came over D-Bus, in the order on the wire.
    ///
    /// libavahi adds in front, once in the daemon and once here: turned round twice.
    private static func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var node = unsafe list
        while let item = unsafe node {
            let bytes = unsafe UnsafeBufferPointer(
                start: avahi_string_list_get_text(item), count: avahi_string_list_get_size(item))
            strings.append(unsafe Array(bytes))
            unsafe node = avahi_string_list_get_next(item)
        }
        return strings
    }

    private static func withStringList(
        _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Int32
    ) -> Int32 {
        var list: UnsafeMutablePointer<AvahiStringList>?
        // libavahi adds in front, the daemon does so once more, and then it writes from the end: the order is kept.
        for string in strings { unsafe list = avahi_string_list_add_arbitrary(list, string, string.count) }
        defer { unsafe avahi_string_list_free(list) }
        return unsafe body(list)
    }

    /// The name of an instance's records, with the instance name escaped as DNS wants it.
    private static func fullName(_ instance: ServiceInstance) -> String? {
        var buffer = [CChar](repeating: 0, count: 1024)
        let result = unsafe avahi_service_name_join(
            &buffer, buffer.count, instance.name, DeviceAdvertisement.serviceType, instance.domain)
        return unsafe result == 0 ? text(buffer) : nil
    }
}
