import CastModel
import CastWire
import IO
import Recording
import SenderCore
import Telemetry

/// Our own sender for one device: performs what ``SenderMachine`` decides, and writes down every frame.
///
/// Belongs to the loop's thread.
final class RecordingSender {
    let resources: LinkResources
    private let outlet: ObservationOutlet
    private let log: Log
    private weak var owner: (any RecordingSenderOwner)?
    private(set) var machine: SenderMachine
    private var timers: [SenderMachine.Timer: EventLoop.TimerToken] = [:]
    private(set) var link: Link?
    private var reassembler = MessageReassembler()
    private var reassemblyTimer: EventLoop.TimerToken?
    /// Set while the link's device has yet to say its id.
    private var held: HeldObservations?
    private var holdTimer: EventLoop.TimerToken?
    /// The link that is recorded as open.
    private var linkNumber: LinkNumber?
    /// Whether the link turned out to be a second one to its device before it was recorded as open.
    ///
    /// Its frames are recorded, its beginning and end are not: the device was and stays linked.
    private var isSecondLink = false
    private(set) var gaps: DeviceGaps
    /// Which of the addresses is next; moves on when one fails.
    private var addressIndex = 0
    private(set) var connectDueAt: MonotonicTime?

    /// Under which id the device was first known; of a typed device, its address.
    let place: DeviceID
    /// What we know of the device.
    private(set) var advertisement: DeviceAdvertisement
    /// Addresses to try, those of the advertisement first.
    private(set) var addresses: [SocketAddress]
    /// Why the last attempt or link ended; nil while a link is up.
    private(set) var lastFailure: String?
    /// Frames that came from the device since the start, and their bytes.
    private(set) var received = (frames: 0, bytes: 0)
    /// Whether the sender waits for its turn to connect.
    var waitsForTurn = false
    /// A link that came up and is not yet in the log.
    private var opening: LinkOpening?

    /// Whether the sender has been stopped for good.
    private(set) var isStopped = false

    init(
        of advertisement: DeviceAdvertisement, policy: SenderMachine.Policy, seed: UInt64, _ resources: LinkResources,
        outlet: ObservationOutlet, owner: any RecordingSenderOwner, log: Log
    ) {
        place = advertisement.deviceID
        self.advertisement = advertisement
        self.resources = resources
        self.outlet = outlet
        self.owner = owner
        self.log = log
        machine = SenderMachine(policy: policy, seed: seed)
        addresses = advertisement.socketAddresses
        gaps = DeviceGaps(since: resources.monotonic)
    }

    /// The device, or what stands for it until it says who it is.
    var deviceID: DeviceID { advertisement.deviceID }

    /// Whether the device was typed by a person and has not said who it is.
    private var isUnidentified: Bool { advertisement.source == .static }

    /// Begins, and never ends by itself.
    func start() {
        if outlet.isFull { handle(.readingPaused) }
        handle(.start)
    }

    /// Whether a link is up.
    var isUp: Bool { link?.isOpen ?? false }

    /// Ends: leaves what it joined, closes the link.
    func stop(because reason: LinkCloseReason) {
        isStopped = true
        waitsForTurn = false
        if reason == .duplicate, held != nil {
            held?.removeOpening()
            isSecondLink = true
        }
        let wasRecorded = linkNumber != nil
        handle(.stop(reason))
        // The end of a link would say so itself.
        if reason == .deviceExcluded, !wasRecorded, isKnown {
            record(.gap(Gap(device: deviceID, from: resources.wall, to: nil, reason: .deviceExcluded)))
        }
    }

    /// Forgets what was observed on a link whose device may not be recorded, as it has just said; ``stop(because:)`` follows.
    func dropHeld() {
        guard held != nil else { return }
        held = nil
        if let holdTimer { resources.loop.cancel(holdTimer) }
        (holdTimer, opening, linkNumber) = (nil, nil, nil)
        gaps.linkWasDropped()
    }

    // MARK: News of the device

    /// The device announced itself again: a healthy link stays, a new address counts from the next attempt on.
    func update(_ newer: DeviceAdvertisement) {
        let before = addresses
        advertisement = newer
        let announced = newer.socketAddresses
        guard !announced.isEmpty else { return }
        let isNew = announced != Array(before.prefix(announced.count))
        if isNew {
            addresses = announced
            addressIndex = 0
        }
        handle(.rediscovered(atNewAddress: isNew))
    }

    /// One more way to reach the device, after those it announces.
    func add(addressesOf other: DeviceAdvertisement) {
        for address in other.socketAddresses where !addresses.contains(address) { addresses.append(address) }
    }

    /// Gives the sender the device's own name and id, for this link and those to come.
    func adopt(_ information: DeviceInformation) { advertisement.adopt(information) }

    /// Other apps may be joined from now on, or more is known of them.
    func adopt(_ filter: DeviceFilter, _ apps: AppRegistry) { handle(.rulesChanged(filter, apps)) }

    // MARK: The machine

    private func handle(_ event: SenderMachine.Event) {
        for effect in machine.handle(event, at: resources.monotonic) { perform(effect) }
    }

    private func perform(_ effect: SenderMachine.Effect) {
        switch effect {
        case .openLink: owner?.wantsToConnect(self)
        case .closeLink(let reason): closeLink(reason)
        case .send(let message): send(message)
        case .arm(let timer, let delay): arm(timer, after: delay)
        case .disarm(let timer): disarm(timer)
        case .suspectVisible(let app):
            log(.warning, "the app may see us although we joined invisibly; leaving it to find out", facts(of: app))
        case .visibilityJudged(staysWithPlatform: true):
            log(.warning, "the device does not keep us invisible; from now on its apps are not joined", facts())
        case .visibilityJudged(staysWithPlatform: false):
            log(.info, "that the app saw us is not shown; joining again", facts())
        case .joinRefused(let app): log(.notice, "the app refuses to be joined", facts(of: app))
        case .missed(let reason, let since):
            record(gaps.begin(deviceID, from: resources.wall(at: since), because: reason))
        case .missedNoMore: if let body = gaps.end(deviceID, at: resources.wall) { record(body) }
        }
    }

    private func facts(of app: AppID? = nil) -> KeyValuePairs<LogKey, String> {
        [.deviceID: deviceID.text, .deviceName: advertisement.name ?? "", .appName: app?.text ?? ""]
    }

    /// The machine slept: what the device said meanwhile came late, if at all.
    func slept(from: WallTime, to: WallTime) {
        guard linkNumber != nil, !isSecondLink else { return }
        record(.gap(Gap(device: deviceID, from: from, to: to, reason: .recorderDown)))
    }

    /// Whether the archive knows the device: a typed address that has not said who it is stands for none.
    private var isKnown: Bool { advertisement.source == .mdns || deviceID != place || gaps.wasLinked }

    /// What is no device is not unreachable either.
    private func noteUnreachable() {
        guard isKnown, !isStopped, let body = gaps.unreachable(deviceID, resources) else { return }
        record(body)
    }

    private func arm(_ timer: SenderMachine.Timer, after delay: Duration) {
        disarm(timer)
        if timer == .connect { connectDueAt = resources.monotonic.advanced(by: delay) }
        timers[timer] = resources.loop.schedule(after: delay) { [weak self] in self?.fired(timer) }
    }

    private func disarm(_ timer: SenderMachine.Timer) {
        if let token = timers.removeValue(forKey: timer) { resources.loop.cancel(token) }
    }

    private func fired(_ timer: SenderMachine.Timer) {
        timers[timer] = nil
        // A busy loop may be late with reading; nobody is called dead while there are bytes to read.
        if timer == .heartbeat, machine.isSilent(at: resources.monotonic) { link?.readAvailable() }
        handle(.fired(timer))
    }

    private func send(_ message: PermittedMessage) {
        guard let link, link.send(message, as: machine.identity), let linkNumber else { return }
        owner?.wasSent(message.kind)
        record(
            .frame(
                RecordedFrame(
                    device: deviceID, link: linkNumber, direction: .outbound,
                    message: message.message(as: machine.identity))))
    }

    // MARK: The link

    /// There is room for our handshake.
    func connect() {
        waitsForTurn = false
        guard !isStopped, !addresses.isEmpty else {
            owner?.attemptEnded(self)
            noteUnreachable()
            return handle(.linkDown)
        }
        let link = Link(to: addresses[addressIndex % addresses.count], resources, owner: self)
        self.link = link
        if outlet.isFull { link.pauseReading() }
        link.open()
    }

    private func closeLink(_ reason: LinkCloseReason) {
        guard let link else {
            waitsForTurn = false
            return
        }
        let wasOpen = link.isOpen
        link.close()
        self.link = nil
        if wasOpen { recordEnd(reason, detail: "") } else { owner?.attemptEnded(self) }
        // A look at an app is no failure.
        if wasOpen, reason != .attachModeChanged { lastFailure = reason.rawValue }
    }

    private func recordEnd(_ reason: LinkCloseReason, detail: String) {
        recordRaw(reassembler.flush())
        guard let linkNumber else { return }
        gaps.linkEnded(at: resources.monotonic)
        if !isSecondLink {
            record(.linkClosed(LinkClosed(device: deviceID, link: linkNumber, reason: reason, detail: detail)))
        }
        release()
        self.linkNumber = nil
        log(
            .info, "link closed",
            [
                .deviceID: deviceID.text, .deviceName: advertisement.name ?? "", .link: "\(linkNumber.number)",
                .reason: detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)",
            ])
    }

    /// Tells the link and the machine whether there is room for what would be read.
    func setReading(_ reading: Bool) {
        if reading { link?.resumeReading() } else { link?.pauseReading() }
        handle(reading ? .readingResumed : .readingPaused)
    }

    // MARK: Recording

    private func record(_ body: RecordBody) {
        let observation = resources.observation(body)
        guard held != nil else { return outlet.append(observation) }
        held?.append(observation)
        if held?.isFull == true { release() }
    }

    /// The device has said who it is, or has had its time to do so.
    private func release() {
        guard let observations = held?.naming(deviceID) else { return }
        held = nil
        if let holdTimer { resources.loop.cancel(holdTimer) }
        holdTimer = nil
        if !isSecondLink {
            owner?.record(seen: advertisement)
            logOpening()
        }
        for observation in observations { outlet.append(observation) }
    }

    private func logOpening() {
        opening?.write(to: log, as: advertisement)
        opening = nil
    }

    private func noteReceived(_ bytes: Int) { received = (received.frames + 1, received.bytes + bytes) }

    private func recordRaw(_ messages: [CastMessage]) {
        guard let linkNumber else { return }
        for message in messages {
            let frame = RecordedFrame(device: deviceID, link: linkNumber, direction: .inbound, message: message)
            noteReceived((message.payloadUTF8?.count ?? 0) + (message.payloadBinary?.count ?? 0))
            record(.frame(frame))
        }
    }

    private func take(_ message: CastMessage) {
        let whole = reassembler.take(message)
        recordRaw(whole)
        for message in whole {
            let heard = HeardMessage(hearing: message, with: resources.parser)
            if case .deviceInformation(let information) = heard.content { identify(information) }
            handle(.received(heard))
        }
        guard reassembler.isHolding, reassemblyTimer == nil else { return }
        // What came is written down within a second, complete or not.
        reassemblyTimer = resources.loop.schedule(after: .milliseconds(500)) { [weak self] in
            guard let self else { return }
            reassemblyTimer = nil
            recordRaw(reassembler.flush())
        }
    }

    private func identify(_ information: DeviceInformation) {
        // mDNS has named the others already.
        guard isUnidentified else { return }
        if held != nil {
            owner?.identified(self, as: information)
            release()
        } else if information.deviceID != deviceID {
            // Too late for this link, which is recorded under another id: begin a new one under this.
            handle(.restart(.duplicate))
            owner?.identified(self, as: information)
        }
    }
}

extension RecordingSender: LinkOwner {
    func linkIsUp(_ link: Link) {
        owner?.attemptEnded(self)
        guard let number = owner?.takeLinkNumber() else { return }
        linkNumber = number
        gaps.linkBegan()
        reassembler = MessageReassembler()
        if isUnidentified {
            held = HeldObservations()
            holdTimer = resources.loop.schedule(after: HeldObservations.limit) { [weak self] in self?.release() }
        }
        let facts = link.tlsFacts
        record(
            .linkOpened(
                LinkOpened(
                    device: deviceID, link: number, address: link.address.host, port: link.address.port,
                    tlsVersion: facts.version, cipher: facts.cipher, peerCertificate: facts.certificate,
                    attachMode: machine.attachMode)))
        opening = LinkOpening(
            address: link.address, link: number, attempt: machine.failures + 1, afterFailures: lastFailure != nil)
        if held == nil { logOpening() }
        lastFailure = nil
        handle(.linkUp)
    }

    func link(_ link: Link, received body: [UInt8]) {
        do throws(WireError) {
            take(try CastMessage(decoding: body))
        } catch {
            guard let linkNumber else { return }
            noteReceived(body.count)
            record(
                .frameMalformed(
                    MalformedFrame(device: deviceID, link: linkNumber, bytes: body, why: error.description)))
            // No message, but a sign of life.
            handle(.received(HeardMessage(from: "", to: "", .other)))
        }
    }

    func linkEnded(_ link: Link, _ reason: LinkCloseReason, detail: String) {
        self.link = nil
        if linkNumber != nil {
            recordEnd(reason, detail: detail)
        } else {
            owner?.attemptEnded(self)
            owner?.wasUnreachable(self)
            noteUnreachable()
            addressIndex += 1
            // Said once, then counted; the log speaks again when the device is back.
            if lastFailure == nil {
                log(
                    .notice, "device cannot be reached; trying on",
                    [
                        .deviceID: deviceID.text, .deviceName: advertisement.name ?? "",
                        .address: link.address.description, .error: detail,
                    ])
            }
        }
        lastFailure = detail.isEmpty ? reason.rawValue : detail
        handle(.linkDown)
    }
}
