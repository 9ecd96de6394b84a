import CastModel

/// Writes the acts that scenarios consist of.
struct ActWriter {
    private(set) var steps: [ScenarioStep] = []
    var random: RandomSource

    init(_ random: RandomSource) { self.random = random }

    private mutating func wait(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &random))
    }

    mutating func phone(_ number: Int, _ action: PhoneMachine.Action, after delay: ClosedRange<Int>) {
        steps.append(ScenarioStep(delay: wait(delay), deed: .phone(number, action)))
    }

    mutating func room(_ roomEvent: ReceiverMachine.RoomEvent, after delay: ClosedRange<Int>) {
        steps.append(ScenarioStep(delay: wait(delay), deed: .room(roomEvent)))
    }

    mutating func add(_ deed: ScenarioStep.Deed, after delay: ClosedRange<Int>) {
        steps.append(ScenarioStep(delay: wait(delay), deed: deed))
    }

    mutating func choose(_ medias: [JSONObject]) -> JSONObject {
        medias.randomElement(using: &random) ?? JSONObject()
    }

    /// A volume in whole steps of five percent.
    mutating func volume() -> Double { Double(Int.random(in: 4...14, using: &random)) * 0.05 }

    /// A moment between two people's taps.
    static let beat = 1800...3600
    /// The beginning of an act: short for the first, so that there is something to see at once.
    static func opening(_ act: Int) -> ClosedRange<Int> { act == 0 ? 100...1500 : 3000...6000 }

    // MARK: Two phones

    /// Two people, one device: each undoes what the other did.
    static func twoPhones(act: Int, _ random: inout RandomSource) -> [ScenarioStep] {
        var writer = ActWriter(random)
        writer.quarrel(act)
        random = writer.random
        return writer.steps
    }

    private mutating func quarrel(_ act: Int) {
        let quick = 400...900
        phone(0, .connect, after: act == 0 ? 100...800 : 2000...3000)
        phone(0, .launch(SimulatedApp.defaultMediaReceiver.appID), after: 200...400)
        phone(0, .load(MediaLibrary.films[0], atSeconds: 0), after: 100...300)
        phone(1, .connect, after: 1500...2000)
        phone(1, .join, after: 200...400)
        for round in 0..<4 { phone(round % 2, .deviceVolume(round % 2 == 0 ? 0.3 : 0.7), after: quick) }
        for round in 0..<4 { phone(1 - round % 2, round % 2 == 0 ? .pause : .play, after: quick) }
        for round in 0..<4 { phone(round % 2, .seek(toSeconds: round % 2 == 0 ? 600 : 60), after: 900...1400) }
        for round in 0..<4 { phone(round % 2, .tracks(round % 2 == 0 ? [1] : []), after: quick) }
        for round in 0..<4 { phone(round % 2, .style(MediaLibrary.styles[round % 2]), after: quick) }
        phone(0, .style(MediaLibrary.styles[1]), after: quick)  // Equal to the style before.
        phone(1, .load(MediaLibrary.films[1], atSeconds: 0), after: Self.beat)
        phone(0, .load(MediaLibrary.films[0], atSeconds: 300), after: Self.beat)
        phone(1, .launch(SimulatedApp.youTube.appID), after: Self.beat)
        phone(1, .load(MediaLibrary.clips[0], atSeconds: 0), after: 100...300)
        phone(0, .launch(SimulatedApp.defaultMediaReceiver.appID), after: 4000...5000)
        phone(0, .load(MediaLibrary.films[2], atSeconds: 0), after: 100...300)
        phone(1, .vanish, after: Self.beat)
        phone(0, .leave, after: Self.beat)
    }

    // MARK: Chatter

    /// Something plays; then one status per second.
    static func chatter(first: Bool, _ random: inout RandomSource) -> [ScenarioStep] {
        var writer = ActWriter(random)
        if first {
            let film = writer.choose(MediaLibrary.films)
            writer.room(
                .cloudPlays(SimulatedApp.defaultMediaReceiver.appID, media: film), after: 0...1000)
            writer.room(.repeatsStatus, after: 2000...3000)
        }
        for _ in 0..<10 { writer.room(.repeatsStatus, after: 1000...1000) }
        random = writer.random
        return writer.steps
    }
}
