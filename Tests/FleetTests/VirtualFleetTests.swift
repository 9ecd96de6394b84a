import CastModel
import CastWire
import Differ
import IO
import Plays
import Recording
import Telemetry
import Testing

@testable import Fleet

// Goal: what passes in virtual time is what would have passed on the wire.
// Method: the real fleet's truth file, and the notes of the virtual one, of the same seed and script.
@Suite("A fleet in virtual time")
struct VirtualFleetTests {
    /// What people did and what devices said to them, by device and then by whose frame it is, without heartbeats.
    private struct Story: Equatable {
        var commands: [String: [String]] = [:]
        var frames: [String: [String]] = [:]

        mutating func note(_ what: String, device: String, _ facts: JSONValue) {
            switch what {
            case "command":
                // Phones do not wait for each other: which of two comes first may differ.
                let who = "\(device), \(facts["who"]?.string ?? "")"
                commands[who, default: []].append(facts["type"]?.string ?? "")
            case "frame_sent", "frame_received":
                guard facts["namespace"]?.string != Namespace.heartbeat.urn, facts["is_castledger"] == false else {
                    return
                }
                // The first phone opens the first link.
                let link = "\(device) link \(facts["link"]?.text ?? "") \(what)"
                frames[link, default: []].append(facts["type"]?.string ?? "")
            default: break
            }
        }
    }

    private func realStory(_ scenario: FleetScenario, _ seed: FleetSeed, for duration: Duration) throws -> Story {
        let folder = try Files.makeTemporaryFolder("fleet-virtual")
        defer { try? Files.removeTree(folder) }
        let path = folder + "/truth.jsonl"
        let fleet = try FleetService(
            options: FleetOptions(devices: 3, scenario: scenario, seed: seed, truthPath: path, duration: duration),
            log: .silent)
        fleet.start()
        let loop = try EventLoop()
        loop.schedule(after: duration + .milliseconds(200)) { loop.stop() }
        loop.run()
        fleet.stop()
        let parser = JSONParser()
        var story = Story()
        for line in try Files.read(path).split(separator: UInt8(ascii: "\n")) {
            let json = try parser.parse(Array(line))
            story.note(json["what"]?.string ?? "", device: json["name"]?.string ?? "", json)
        }
        return story
    }

    private func virtualStory(_ scenario: FleetScenario, _ seed: FleetSeed, for duration: Duration) -> Story {
        var story = Story()
        let options = VirtualFleetOptions(devices: 3, scenario: scenario, seed: seed, duration: duration)
        let fleet = VirtualFleet(options) { what, profile, facts, _ in story.note(what, device: profile.name, facts) }
        while fleet.next() != nil {}
        return story
    }

    @Test func `lets the same commands and frames pass as sockets do`() throws {
        let real = try realStory(.twoPhones, 11, for: .seconds(7))
        let virtual = virtualStory(.twoPhones, 11, for: .seconds(9))
        #expect(real.commands.count == 6)
        for (who, commands) in real.commands {
            #expect(commands.count >= 2, "\(who)")
            #expect(Array(virtual.commands[who, default: []].prefix(commands.count)) == commands, "\(who)")
        }
        // Links are numbered as they come, and ours comes at another time than nobody's: compare by content.
        func kinds(_ story: Story) -> Set<[String]> { Set(story.frames.values.map { Array($0.prefix(8)) }) }
        for (link, frames) in real.frames where frames.count >= 8 {
            #expect(kinds(virtual).contains(Array(frames.prefix(8))), "\(link): \(frames)")
        }
    }

    private func happenings(_ options: VirtualFleetOptions, limit: Int = .max) -> [VirtualFleet.Happening] {
        let fleet = VirtualFleet(options)
        var found: [VirtualFleet.Happening] = []
        while found.count < limit, let happening = fleet.next() { found.append(happening) }
        return found
    }

    @Test(arguments: [FleetScenario.fights, .days, .evening])
    func `is the same again for equal options, and another for another seed`(scenario: FleetScenario) {
        var options = VirtualFleetOptions(
            devices: 4, groups: 1, scenario: scenario, seed: 5, duration: .seconds(1800), heartbeats: false)
        options.begins = WallTime(microseconds: 1_772_391_600_000_000)  // 2026-03-01T19:00Z.
        let first = happenings(options)
        #expect(first.count > 50)
        #expect(first == happenings(options))
        options.seed = 6
        #expect(first != happenings(options))
    }

    @Test func `hands out happenings in the order of time, positions without holes`() {
        let options = VirtualFleetOptions(
            devices: 5, groups: 1, scenario: .fights, seed: 2, duration: .seconds(1500), outagesPerMonth: 2000)
        var last = options.begins
        var position: Int64 = 0
        for happening in happenings(options) {
            switch happening {
            case .record(let record):
                position += 1
                #expect(record.position.number == position)
                #expect(record.at >= last)
                last = record.at
            case .label(let label):
                #expect(label.to >= last && label.from < label.to)
                last = label.to
            }
        }
        #expect(position > 1000)
    }

    @Test func `begins and ends as a recorder does`() throws {
        let found = happenings(VirtualFleetOptions(devices: 2, scenario: .idle, seed: 9, duration: .seconds(30)))
        let kinds = found.compactMap { happening -> String? in
            guard case .record(let record) = happening else { return nil }
            return record.body.kind
        }
        #expect(kinds.first == "recorder_started")
        #expect(kinds.suffix(3) == ["link_closed", "link_closed", "recorder_stopped"])
        #expect(kinds.count { $0 == "device_seen" } == 2)
        #expect(kinds.count { $0 == "link_opened" } == 2)
    }

    // A device that PINGs every five seconds and is PINGed every five: four frames in five seconds.
    @Test func `leaves heartbeats out where they are not wanted`() {
        func frames(_ heartbeats: Bool) -> Int {
            happenings(
                VirtualFleetOptions(
                    devices: 1, scenario: .idle, seed: 9, duration: .seconds(600), heartbeats: heartbeats)
            ).count { happening in
                guard case .record(let record) = happening, case .frame(let frame) = record.body else { return false }
                return frame.message.namespace == .heartbeat
            }
        }
        // Our first PING comes with the link; everything else is a heartbeat.
        #expect(frames(false) == 2)
        #expect((470...482).contains(frames(true)), "\(frames(true))")
    }

    @Test func `waits to the end, also for less than a nanosecond`() {
        let world = VirtualWorld(VirtualFleetOptions())
        let limit = Duration(secondsComponent: 120, attosecondsComponent: 3)
        var looks = 0
        func look() {
            looks += 1
            if looks < 10, world.now < limit { world.schedule(after: limit - world.now) { look() } }
        }
        world.schedule(after: .seconds(120)) { look() }
        while world.advance(until: nil) {}
        #expect(looks == 2)
        #expect(world.now == .nanoseconds(120_000_000_001))
    }

    @Test func `tells the same, however few steps it is allowed at a time`() {
        func records(_ steps: Int) -> (records: [Record], quiet: Int) {
            let fleet = VirtualFleet(
                VirtualFleetOptions(devices: 2, scenario: .days, duration: .seconds(86_400), heartbeats: false))
            var found: (records: [Record], quiet: Int) = ([], 0)
            while true {
                switch fleet.next(within: steps) {
                case .happened(.record(let record)): found.records.append(record)
                case .happened(.label): continue
                case .quiet: found.quiet += 1
                case .over: return found
                }
            }
        }
        let (whole, byStep) = (records(.max), records(1))
        #expect(whole.quiet == 0)
        #expect(byStep.quiet > 100)
        #expect(whole.records == byStep.records)
        #expect(whole.records.count > 100)
    }

    /// The gaps of one device as the differ tells them.
    private func gaps(_ records: [Record], of device: DeviceID) -> [ChangeEvent] {
        var differ = StatusDiffer()
        return records.flatMap { differ.fold($0) }.filter { $0.deviceID == device && $0.kind == .gapStarted }
    }

    @Test(arguments: [false, true])
    func `a device without power is missed from its last sign of life on`(heartbeats: Bool) {
        var losses: [DeviceID: [WallTime]] = [:]
        let options = VirtualFleetOptions(
            devices: 2, scenario: .days, seed: 3, begins: WallTime(microseconds: 1_772_402_400_000_000),
            duration: .seconds(9000), heartbeats: heartbeats)
        let fleet = VirtualFleet(options) { what, profile, facts, at in
            if what == "power", facts["is_on"] == false { losses[profile.deviceID, default: []].append(at) }
        }
        var records: [Record] = []
        while let happening = fleet.next() {
            if case .record(let record) = happening { records.append(record) }
        }
        let device = fleet.profiles[1].deviceID  // The one at a switch that is off at night.
        let told = losses[device, default: []]
        #expect(told.count == 1)
        let starts = gaps(records, of: device).compactMap { $0.after?["from"]?.string }.compactMap {
            WallTime(text: $0)
        }
        for loss in told {
            let nearest = starts.map { abs($0.seconds(since: loss)) }.min() ?? .infinity
            #expect(nearest < (heartbeats ? 5.1 : 0.1), "\(loss.text): \(starts.map(\.text))")
        }
    }
}
