import CastModel
import CastWire
import Recording

/// What all devices, phones and the recorder of one virtual fleet share: the time, what is yet to happen, and what has.
///
/// One owner, no thread.
final class VirtualWorld {
    /// Monotonic clocks do not begin at 0.
    private static let bootedAtNanoseconds: Int64 = 3_600_000_000_000
    /// So much at one moment is our bug: a wait that never ends, or two that wait for each other.
    private static let stepsAtOneMomentLimit = 10_000_000

    let options: VirtualFleetOptions
    let parser = JSONParser()
    private var agenda = Agenda()
    private var nanoseconds: Int64 = 0
    private var stepsAtThisMoment = 0
    private var lastParsed: (bytes: [UInt8], payload: JSONValue?) = ([], nil)
    private var happenings: [VirtualFleet.Happening] = []
    private var head = 0
    private var lastPosition = ArchivePosition(0)
    /// When our recorder wrote something down last; nil before it did.
    private(set) var lastRecordedAt: WallTime?
    let boot: String
    /// Told what the truth file of a real fleet would say; for tests.
    var onTruth: ((_ what: String, _ device: DeviceProfile, _ facts: JSONValue, _ at: WallTime) -> Void)?

    init(_ options: VirtualFleetOptions) {
        self.options = options
        var random = options.seed.source("boot")
        boot = random.uuid()
    }

    // MARK: Time

    /// Time since the fleet began.
    var now: Duration { .nanoseconds(nanoseconds) }
    /// What a clock shows.
    var wall: WallTime { wall(at: nanoseconds) }
    /// The other clock.
    var monotonic: MonotonicTime { MonotonicTime(nanoseconds: nanoseconds + Self.bootedAtNanoseconds) }

    private func wall(at nanoseconds: Int64) -> WallTime {
        WallTime(microseconds: options.begins.microseconds + nanoseconds / 1000)
    }

    /// What a clock showed at a moment of the other one.
    func wall(at moment: MonotonicTime) -> WallTime { wall(at: moment.nanoseconds - Self.bootedAtNanoseconds) }

    /// Lets something happen after a while, never before it is over: what is left of it below a nanosecond counts as one.
    ///
    /// Or else whoever waits for the rest of a time would wait for nothing, again and again at the same moment.
    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Agenda.Token {
        let whole = max(0, delay.wholeNanoseconds)
        let wait = whole < .max && Duration.nanoseconds(whole) < delay ? whole + 1 : whole
        let (due, isOverflow) = nanoseconds.addingReportingOverflow(wait)
        return schedule(at: isOverflow ? .max : due, action)
    }

    /// The same, at so many nanoseconds since the fleet began.
    @discardableResult
    func schedule(at due: Int64, _ action: @escaping () -> Void) -> Agenda.Token { agenda.add(at: due, action) }

    func cancel(_ token: Agenda.Token) { agenda.cancel(token) }

    /// Nanoseconds since the fleet began.
    var nowNanoseconds: Int64 { nanoseconds }

    /// Lets the next thing happen; false when there is none before `end`: it is then the last microsecond before it.
    func advance(until end: Int64?) -> Bool {
        guard let due = agenda.nextDue, due < end ?? .max, let next = agenda.takeNext() else {
            nanoseconds = max(nanoseconds, (end ?? 0) - 1000)
            return false
        }
        stepsAtThisMoment = next.due > nanoseconds ? 0 : stepsAtThisMoment + 1
        precondition(stepsAtThisMoment < Self.stepsAtOneMomentLimit, "virtual time stands still at \(wall.text)")
        nanoseconds = max(nanoseconds, next.due)
        next.action()
        return true
    }

    // MARK: What happens

    /// A message's payload as JSON; nil when it is binary or none.
    ///
    /// A broadcast reaches several in a row, so the last one is kept.
    func payload(of message: CastMessage) -> JSONValue? {
        guard let bytes = message.textBytes else { return nil }
        if bytes != lastParsed.bytes { lastParsed = (bytes, try? parser.parse(bytes)) }
        return lastParsed.payload
    }

    /// Our recorder writes this down now.
    func record(_ body: RecordBody) {
        lastPosition = lastPosition.next
        lastRecordedAt = wall
        happenings.append(
            .record(Record(position: lastPosition, at: wall, monotonic: monotonic, boot: boot, body: body)))
    }

    /// An act has ended.
    func tell(_ label: ActLabel) { happenings.append(.label(label)) }

    /// The next of what has happened; nil when all is taken.
    func takeHappening() -> VirtualFleet.Happening? {
        guard head < happenings.count else { return nil }
        defer {
            head += 1
            if head == happenings.count {
                happenings.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return happenings[head]
    }
}
