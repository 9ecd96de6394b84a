import CastModel

/// The acts of an evening at home.
extension ActWriter {
    static func evening(on kind: DeviceProfile.Kind, act: Int, _ random: inout RandomSource) -> [ScenarioStep] {
        var writer = ActWriter(random)
        switch kind {
        case .television: act % 3 == 2 ? writer.clipNight(act) : writer.filmNight(act)
        case .display: act % 2 == 0 ? writer.clipNight(act) : writer.filmNight(act)
        case .speaker: writer.music(act)
        case .group: writer.wholeHouse(act)
        }
        random = writer.random
        return writer.steps
    }

    /// Two people who want different subtitles.
    private static let quick = 400...900

    /// A film in the Default Media Receiver, with ads and subtitles, until "stop casting".
    private mutating func filmNight(_ act: Int) {
        let app = SimulatedApp.defaultMediaReceiver.appID
        phone(0, .connect, after: Self.opening(act))
        phone(0, .launch(app), after: 200...500)
        phone(0, .load(MediaLibrary.withAds(choose(MediaLibrary.films)), atSeconds: 0), after: 100...300)
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
        fightOverCaptions()
        phone(0, .tracks([]), after: Self.beat)
        phone(0, .load(choose(MediaLibrary.films), atSeconds: 60), after: Self.beat)  // Over the running one.
        phone(0, .streamVolume(0.8), after: Self.beat)
        phone(0, .rate(1.5), after: Self.beat)
        phone(0, .stopMedia, after: Self.beat)
        phone(0, .leave, after: Self.beat)
        room(.standby(true), after: Self.beat)
        room(.standby(false), after: Self.beat)
    }

    /// A second phone joins, and the two undo each other's choice of subtitles and of their style.
    private mutating func fightOverCaptions() {
        phone(1, .connect, after: Self.beat)
        phone(1, .join, after: Self.quick)
        for round in 0..<4 { phone(1 - round % 2, .tracks(round % 2 == 0 ? [2] : [1]), after: Self.quick) }
        for round in 0..<4 { phone(1 - round % 2, .style(MediaLibrary.styles[round % 2 * 2]), after: Self.quick) }
        phone(1, .vanish, after: Self.beat)
    }

    /// Clips in the YouTube-like app, with an ad; the phone vanishes and the clip goes on.
    private mutating func clipNight(_ act: Int) {
        phone(0, .connect, after: Self.opening(act))
        phone(0, .launch(SimulatedApp.youTube.appID), after: 200...500)
        phone(0, .load(choose(MediaLibrary.clips), atSeconds: 0), after: 100...300)
        room(.advertises(skippableAfter: .seconds(1), goingOnFor: .seconds(1)), after: 2000...2500)
        phone(0, .pause, after: 3500...4500)
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

    /// A queue of short songs, which moves on by itself and is changed while it plays.
    private mutating func music(_ act: Int) {
        loadSongs(act, after: Self.opening(act))
        phone(0, .deviceVolume(volume()), after: 2500...3500)
        phone(0, .queueNext, after: Self.beat)
        phone(0, .command("QUEUE_INSERT", insertion()), after: Self.beat)
        phone(0, .command("QUEUE_UPDATE", JSONObject([("repeatMode", "REPEAT_ALL")])), after: Self.beat)
        phone(0, .command("QUEUE_SHUFFLE", JSONObject()), after: Self.beat)
        phone(0, .pause, after: Self.beat)
        phone(0, .play, after: Self.beat)
        phone(0, .command("QUEUE_REMOVE", JSONObject([("itemIds", [5])])), after: Self.beat)
        phone(0, .command("QUEUE_PREV", JSONObject()), after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
        phone(0, .seek(toSeconds: 1), after: Self.beat)
        phone(0, .deviceMute(true), after: Self.beat)
        phone(0, .deviceMute(false), after: Self.beat)
        phone(0, .stopApp, after: 9000...12_000)
        room(.cloudPlays(SimulatedApp.spotify.appID, media: choose(MediaLibrary.songs)), after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
    }

    /// Music in every room, which takes over what plays there.
    private mutating func wholeHouse(_ act: Int) {
        loadSongs(act, after: act == 0 ? 20_000...22_000 : 40_000...60_000)
        phone(0, .deviceVolume(volume()), after: 2500...3500)
        phone(0, .queueNext, after: Self.beat)
        phone(0, .pause, after: Self.beat)
        phone(0, .play, after: Self.beat)
        room(.remoteSetsVolume(volume()), after: Self.beat)
        phone(0, .stopApp, after: 9000...12_000)
    }

    private mutating func loadSongs(_ act: Int, after opening: ClosedRange<Int>) {
        phone(0, .connect, after: opening)
        phone(0, .launch(SimulatedApp.spotify.appID), after: 200...500)
        let items = MediaLibrary.songs.shuffled(using: &random).map { song in
            JSONObject([("media", .object(song)), ("autoplay", true), ("preloadTime", 3)])
        }
        phone(0, .loadQueue(items), after: 100...300)
    }

    /// One more song, before the last of those that were loaded.
    private mutating func insertion() -> JSONObject {
        let item: JSONValue = ["media": .object(choose(MediaLibrary.songs)), "autoplay": true]
        return JSONObject([("items", [item]), ("insertBefore", 4)])
    }
}
