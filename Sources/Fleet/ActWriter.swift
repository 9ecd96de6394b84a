import CastModel

/// Writes the acts that scenarios consist of.
struct ActWriter {
    private(set) var steps: [ScenarioStep] = []
    private var random: RandomSource

    private init(_ random: RandomSource) { self.random = random }

    private mutating func wait(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &random))
    }

    private mutating func phone(_ number: Int, _ action: PhoneMachine.Action, after delay: ClosedRange<Int>) {
        steps.append(ScenarioStep(delay: wait(delay), deed: .phone(number, action)))
    }

    private mutating func room(_ roomEvent: ReceiverMachine.RoomEvent, after delay: ClosedRange<Int>) {
        steps.append(ScenarioStep(delay: wait(delay), deed: .room(roomEvent)))
    }

    private mutating func choose(_ medias: [JSONObject]) -> JSONObject {
        medias.randomElement(using: &random) ?? JSONObject()
    }

    /// A volume in whole steps of five percent.
    private mutating func volume() -> Double { Double(Int.random(in: 4...14, using: &random)) * 0.05 }

    /// A moment between two people's taps.
    private static let beat = 1800...3600
    /// The beginning of an act: short for the first, so that there is something to see at once.
    private static func opening(_ act: Int) -> ClosedRange<Int> { act == 0 ? 100...1500 : 3000...6000 }

    // MARK: Evening

    static func evening(on kind: DeviceProfile.Kind, act: Int, _ random: inout RandomSource) -> [ScenarioStep] {
        var writer = ActWriter(random)
        switch kind {
        case .television: act % 3 == 2 ? writer.clipNight(act) : writer.filmNight(act)
        case .display: act % 2 == 0 ? writer.clipNight(act) : writer.filmNight(act)
        case .speaker: writer.music(act)
        }
        random = writer.random
        return writer.steps
    }

    /// A film in the Default Media Receiver, with subtitles, until "stop casting".
    private mutating func filmNight(_ act: Int) {
        let app = SimulatedApp.defaultMediaReceiver.appID
        phone(0, .connect, after: Self.opening(act))
        phone(0, .launch(app), after: 200...500)
        phone(0, .load(choose(MediaLibrary.films), atSeconds: 0), after: 100...300)
        phone(0, .tracks([1]), after: 2500...3500)
        phone(0, .style(MediaLibrary.styles[1]), after: Self.beat)
        phone(0, .style(MediaLibrary.styles[1]), after: Self.beat)  // Again, without any difference.
        phone(0, .deviceVolume(volume()), after: Self.beat)
        phone(0, .pause, after: Self.beat)
        phone(0, .play, after: Self.beat)
        phone(0, .seek(toSeconds: Double(Int.random(in: 300...3000, using: &random))), after: Self.beat)
        room(.remotePausesOrPlays, after: Self.beat)
        room(.remotePausesOrPlays, after: Self.beat)
        room(.networkStalls(.seconds(1)), after: Self.beat)
        phone(0, .tracks([2]), after: Self.beat)
        phone(0, .style(MediaLibrary.styles[2]), after: Self.beat)
        phone(0, .tracks([]), after: Self.beat)
        phone(0, .load(choose(MediaLibrary.films), atSeconds: 60), after: Self.beat)  // Over the running one.
        phone(0, .streamVolume(0.8), after: Self.beat)
        phone(0, .rate(1.5), after: Self.beat)
        phone(0, .stopMedia, after: Self.beat)
        phone(0, .leave, after: Self.beat)
        room(.standby(true), after: Self.beat)
        room(.standby(false), after: Self.beat)
    }

    /// Clips in the YouTube-like app; the phone vanishes and the clip goes on.
    private mutating func clipNight(_ act: Int) {
        phone(0, .connect, after: Self.opening(act))
        phone(0, .launch(SimulatedApp.youTube.appID), after: 200...500)
        phone(0, .load(choose(MediaLibrary.clips), atSeconds: 0), after: 100...300)
        phone(0, .pause, after: 2500...3500)
        phone(0, .play, after: Self.beat)
        phone(0, .seek(toSeconds: Double(Int.random(in: 60...300, using: &random))), after: Self.beat)
        phone(0, .deviceVolume(volume()), after: Self.beat)
        phone(0, .load(choose(MediaLibrary.clips), atSeconds: 0), after: Self.beat)
        phone(0, .vanish, after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
        phone(0, .connect, after: Self.beat)
        phone(0, .join, after: Self.beat)
        phone(0, .pause, after: Self.beat)
        phone(0, .play, after: Self.beat)
        phone(0, .stopApp, after: Self.beat)
    }

    /// A queue of short songs, which moves on by itself.
    private mutating func music(_ act: Int) {
        phone(0, .connect, after: Self.opening(act))
        phone(0, .launch(SimulatedApp.spotify.appID), after: 200...500)
        let items = MediaLibrary.songs.shuffled(using: &random).map { song in
            JSONObject([("media", .object(song)), ("autoplay", true)])
        }
        phone(0, .loadQueue(items), after: 100...300)
        phone(0, .deviceVolume(volume()), after: 2500...3500)
        phone(0, .queueNext, after: Self.beat)
        phone(0, .pause, after: Self.beat)
        phone(0, .play, after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
        phone(0, .seek(toSeconds: 1), after: Self.beat)
        phone(0, .deviceMute(true), after: Self.beat)
        phone(0, .deviceMute(false), after: Self.beat)
        phone(0, .stopApp, after: 9000...12_000)
        room(.cloudPlays(SimulatedApp.spotify.appID, media: choose(MediaLibrary.songs)), after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
    }

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
