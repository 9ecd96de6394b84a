import CastModel
import CastWire
import Fleet
import Glibc
import IO
import Recording
import Telemetry
import TestSupport
import Testing

@testable import Sender

// Goal: devices get from us what the list of DESIGN 1 permits and nothing else, and their apps end as without us.
// Method: two fleets of one seed side by side, one of them with our senders; their truth files are counted and compared.
@Suite("Devices that we watch", .serialized, .waits)
struct UndisturbedFleetTests {
    /// A fleet that writes down what happens on it.
    private final class Side {
        let fleet: FleetService
        let path: String

        init(
            _ scenario: FleetScenario, devices: Int = 3, groups: Int = 1, speed: Double = 10,
            adjusting: (@Sendable (inout DeviceProfile) -> Void)? = nil
        ) throws {
            path = "/tmp/castledger-side-\(getpid())-\(Clock.monotonicNanoseconds()).jsonl"
            var options = FleetOptions(
                devices: devices, groups: groups, scenario: scenario, seed: 11, truthPath: path, speed: speed)
            options.adjustsProfile = adjusting
            fleet = try FleetService(options: options, log: .silent)
            fleet.start()
        }

        deinit {
            fleet.stop()
            unlink(path)
        }

        var truth: [JSONValue] {
            let parser = JSONParser()
            let lines = ((try? Files.read(path, limitBytes: 1 << 28)) ?? []).split(separator: UInt8(ascii: "\n"))
            return lines.compactMap { try? parser.parse(Array($0)) }
        }

        /// How the apps of each device ended, in order: what ran, and why it ended.
        var endings: [String: [String]] {
            var endings: [String: [String]] = [:]
            for line in truth where line["what"]?.string == "app_stopped" {
                let ending = "\(line["app_id"]?.text ?? "-") \(line["reason"]?.text ?? line["because"]?.text ?? "-")"
                endings[line["name"]?.string ?? "", default: []].append(ending)
            }
            return endings
        }

        func count(_ what: String) -> Int { truth.count { $0["what"]?.string == what } }
    }

    private static let permitted: Set<String> = [
        "tp.connection CONNECT", "tp.connection CLOSE", "tp.heartbeat PING", "tp.heartbeat PONG", "receiver GET_STATUS",
        "media GET_STATUS", "multizone GET_STATUS", "receiver.discovery GET_DEVICE_INFO", "tp.deviceauth challenge",
    ]

    /// What the devices got from us, by namespace and type.
    private static func received(_ truth: [JSONValue]) -> [String: Int] {
        let prefix = "urn:x-cast:com.google.cast."
        // The link's first frames come before CONNECT names its sender.
        let ours = Set(
            truth.filter { $0["is_castledger"] == true }.map { "\($0["device"]?.text ?? "") \($0["link"]?.text ?? "")" }
        )
        var counts: [String: Int] = [:]
        for line in truth where line["what"]?.string == "frame_received" {
            guard ours.contains("\(line["device"]?.text ?? "") \(line["link"]?.text ?? "")") else { continue }
            let namespace = line["namespace"]?.string ?? ""
            let name = namespace.hasPrefix(prefix) ? String(namespace.dropFirst(prefix.count)) : namespace
            let type =
                line["payload_hex"]?.string?.hasPrefix("0a16") == true ? "challenge" : line["type"]?.string ?? "-"
            counts["\(name) \(type)", default: 0] += 1
        }
        return counts
    }

    /// Apps that ended upon a word of ours.
    private static func endedByUs(_ truth: [JSONValue]) -> [String] {
        var lastCause: [String: JSONValue] = [:]
        var found: [String] = []
        for line in truth {
            let device = line["device"]?.string ?? ""
            switch line["what"]?.string {
            case "frame_received", "command", "happened", "link_closed": lastCause[device] = line
            case "app_stopped":
                // PING and GET_STATUS change nothing; a timer of the device may fire after any of them.
                guard let cause = lastCause[device], cause["is_castledger"] == true, cause["type"] == "CLOSE" else {
                    continue
                }
                found.append("\(line.text) after \(cause.text)")
            default: break
            }
        }
        return found
    }

    @Test(arguments: FleetScenario.allCases)
    func `get what is permitted, and their apps end as they end without us`(scenario: FleetScenario) throws {
        // A fleet of its own for what happens without us, at the same time and under the same load.
        let (with, without) = (try Side(scenario), try Side(scenario))
        let stage = try Stage()
        for endpoint in with.fleet.endpoints { stage.supervisor.apply(.seen(Stage.typed(port: endpoint.port))) }
        let began = Clock.monotonicNanoseconds()
        stage.when("twelve seconds have passed", { Clock.monotonicNanoseconds() - began > 12_000_000_000 }) {
            stage.supervisor.stop()
        }
        stage.run(seconds: 40)
        with.fleet.stop()
        without.fleet.stop()

        let truth = with.truth
        let counts = Self.received(truth)
        print("\(scenario.rawValue), seed 11, 12 s: \(counts.sorted { $0.key < $1.key })")
        #expect(Set(counts.keys).isSubset(of: Self.permitted))
        let devices = with.fleet.endpoints.count
        #expect(counts["tp.deviceauth challenge"] == devices, "one link each")
        #expect(counts["receiver.discovery GET_DEVICE_INFO"] == devices)
        // At once, and every five seconds.
        #expect((counts["tp.heartbeat PING"] ?? 0) <= 4 * devices)
        // One for the platform of each, one for each app that we joined, and one look at each.
        let connects = (counts["tp.connection CONNECT"] ?? 0) - devices
        // Days have their rhythm: nobody need come within twelve seconds.
        #expect(connects >= (scenario == .idle || scenario == .days ? 0 : 1))
        #expect((counts["tp.connection CLOSE"] ?? 0) <= connects)
        #expect((counts["media GET_STATUS"] ?? 0) <= 3 * connects)

        #expect(Self.endedByUs(truth) == [])
        let (ours, theirs) = (with.endings, without.endings)
        // Two phones that fight race each other, on every run anew.
        for name in Set(ours.keys).union(theirs.keys) where scenario != .twoPhones {
            let (one, other) = (ours[name] ?? [], theirs[name] ?? [])
            let common = min(one.count, other.count)
            #expect(one.prefix(common) == other.prefix(common), "\(name)")
            // The last act may have ended on one side only.
            #expect(abs(one.count - other.count) <= 1, "\(name)")
        }
        if scenario == .evening || scenario == .twoPhones { #expect(!theirs.isEmpty, "apps ended at all") }
    }

    @Test func `and that show us to their apps are left without ending those, and watched by their platform`() throws {
        let side = try Side(.idle, devices: 2, groups: 0) { $0.showsInvisibleSenders = $0.index == 0 }
        let media = JSONObject([("contentId", "http://m/1"), ("contentType", "video/mp4"), ("duration", 600)])
        for device in 0..<2 { side.fleet.happen(.cloudPlays(AppID("CC1AD845"), media: media), device: device) }
        let stage = try Stage()
        // Only an app that ran before us is a witness.
        stage.when("apps run", { side.count("app_started") == 2 }) {
            for endpoint in side.fleet.endpoints { stage.supervisor.apply(.seen(Stage.typed(port: endpoint.port))) }
        }
        let shown = DeviceID(side.fleet.endpoints[0].deviceID).text
        let keeping = DeviceID(side.fleet.endpoints[1].deviceID).text
        stage.when("downgraded", { stage.sink.lines.contains("gap \(shown) not_joined lasts") })
        stage.run()
        stage.supervisor.stop()

        let story = LinkFaultTests.story(stage.sink)
        let links = story.filter { $0.contains(shown) }.map { $0.split(separator: " ").filter { Int($0) == nil } }
        #expect(
            links.map { $0.filter { $0 != shown }.joined(separator: " ") } == [
                "opened invisible", "closed attach_mode_changed", "opened platform", "closed attach_mode_changed",
                "opened invisible", "closed attach_mode_changed", "opened platform", "gap not_joined lasts",
                "closed recorder_stopping",
            ])
        #expect(!story.contains("gap \(keeping) not_joined lasts"), "the other device keeps us invisible")
        #expect(side.count("app_stopped") == 0, "no app ended, though it had been told of us")
        let closes = side.truth.filter {
            $0["what"]?.string == "frame_received" && $0["type"] == "CLOSE"
                && $0["name"]?.string == side.fleet.endpoints[0].name
        }
        #expect(closes.isEmpty)
    }
}
