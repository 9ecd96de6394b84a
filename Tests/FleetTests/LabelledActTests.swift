import CastModel
import Differ
import Plays
import Recording
import Testing

@testable import Fleet

// Goal: the labels say what really happens, so that precision and recall measured against them mean something.
// Method: many acts in virtual time, folded by the differ and the play ledger as a recording is.
@Suite("Labelled acts")
struct LabelledActTests {
    /// What one fleet did, by device: labels, change events and plays.
    private struct Told {
        var labels: [ActLabel] = []
        /// Those of no act are counted by their kind only.
        var tally: [ChangeEvent.Kind: Int] = [:]
        private var eventsOfActs: [[ChangeEvent]] = []
        var plays: [ChangeEvent.ID: Play] = [:]

        init(_ options: VirtualFleetOptions) {
            let fleet = VirtualFleet(options)
            var differ = StatusDiffer()
            var ledger = PlayLedger()
            var recent: [DeviceID: [ChangeEvent]] = [:]
            while let happening = fleet.next() {
                switch happening {
                case .label(let label):
                    labels.append(label)
                    eventsOfActs.append(recent[label.device, default: []].filter { $0.observedAt >= label.from })
                    recent[label.device] = []
                case .record(let record):
                    for event in differ.fold(record) {
                        tally[event.kind, default: 0] += 1
                        recent[event.deviceID, default: []].append(event)
                        for play in ledger.fold(event) { plays[play.id] = play }
                    }
                }
            }
        }

        /// Each act with its effective events of some kinds.
        func acts(_ kinds: Set<ChangeEvent.Kind>) -> [(label: ActLabel, events: [ChangeEvent])] {
            zip(labels, eventsOfActs).map { ($0, $1.filter { kinds.contains($0.kind) && $0.effective }) }
        }

        /// Each act with the plays that began in it.
        func actsWithPlays() -> [(label: ActLabel, plays: [Play])] {
            let byDevice = Dictionary(grouping: plays.values, by: \.deviceID)
            return labels.map { label in
                (
                    label,
                    byDevice[label.device, default: []].filter {
                        $0.startedAt >= label.from && $0.startedAt <= label.to
                    }
                )
            }
        }
    }

    private static let told = Told(
        VirtualFleetOptions(devices: 6, scenario: .fights, seed: 21, duration: .seconds(3600), heartbeats: false))

    @Test func `every kind occurs, and fights as often as innocent acts`() {
        let labels = Self.told.labels
        #expect(Set(labels.map(\.kind)) == Set(ActKind.allCases))
        let fights = labels.count { $0.isFight }
        #expect(labels.count > 100)
        #expect((0.45...0.55).contains(Double(fights) / Double(labels.count)), "\(fights) of \(labels.count)")
    }

    @Test func `no payload is malformed`() {
        #expect(Self.told.tally[.malformedPayload] == nil)
        #expect(Self.told.tally[.mediaSessionStarted, default: 0] > 100)
    }

    @Test func `acts of one device do not touch`() {
        for labels in Dictionary(grouping: Self.told.labels, by: \.device).values {
            for (one, next) in zip(labels, labels.dropFirst()) {
                #expect(next.from.seconds(since: one.to) > 20, "\(one) \(next)")
            }
        }
    }

    @Test func `of a fight, every move changes what the one before made`() {
        let kinds: [ActKind: ChangeEvent.Kind] = [
            .playPauseFight: .playerStateChanged, .trackFight: .activeTracksChanged,
            .styleFight: .textTrackStyleChanged, .seekFight: .seeked,
        ]
        for (label, all) in Self.told.acts(Set(kinds.values)) {
            guard let kind = kinds[label.kind] else { continue }
            let events = all.filter { $0.kind == kind }
            switch label.kind {
            // A seek buffers, which is a change of state of its own.
            case .seekFight: #expect(events.count >= label.moves, "\(label)")
            default: #expect(events.count == label.moves, "\(label): \(events.count)")
            }
        }
    }

    @Test func `volume goes up and down as often as the moves say`() {
        for (label, events) in Self.told.acts([.deviceVolumeChanged])
        where label.kind == .volumeFight && label.variant != "stream_volume" {
            let levels = events.compactMap { $0.after?["level"]?.anyNumber }
            let before = events.first?.before?["level"]?.anyNumber ?? 0
            var turns = 0
            var rose: Bool?
            for (one, next) in zip([before] + levels, levels) where one != next {
                if rose != (next > one) { turns += 1 }
                rose = next > one
            }
            #expect(turns == label.moves, "\(label): \(levels)")
        }
    }

    @Test func `a takeover interrupts what played, as often as somebody moved`() {
        for (label, events) in Self.told.acts([.appReplaced, .appStarted, .appStopped, .mediaSessionStarted])
        where label.kind == .takeover {
            let begun = events.count { $0.kind == .mediaSessionStarted }
            #expect(begun == label.moves, "\(label): \(begun)")
            #expect((events.count == begun) == (label.variant == "by_media"), "\(label)")
        }
    }

    @Test func `plays are those that the acts say`() {
        for (label, plays) in Self.told.actsWithPlays() {
            switch label.kind {
            case .takeover: #expect(plays.count == label.moves, "\(label)")
            case .routineOverIdle: #expect(plays.map(\.startCause) == [.cloud], "\(label)")
            case .volumeFight, .playPauseFight, .seekFight, .trackFight, .styleFight, .volumeDrag, .pausingAlone,
                .scrubbing, .trackTrial, .styleAgain, .listener, .reconnect, .adReload:
                #expect(plays.isEmpty, "\(label)")
            case .volumeTogether, .queueSkipping, .remotePause, .routineOverPlay, .streamTransfer, .appSwitch: break
            }
        }
    }
}
