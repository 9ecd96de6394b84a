import CastModel
import Recording

/// What people do on an ordinary day: the acts of the scenario `days`.
extension ActWriter {
    /// Nothing happens for so long, in microseconds.
    mutating func waits(_ microseconds: Int64) {
        let milliseconds = Int(clamping: max(0, microseconds) / 1000)
        phone(1, .vanish, after: milliseconds...milliseconds)
    }

    private static func minutes(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
        (range.lowerBound * 60_000)...(range.upperBound * 60_000)
    }

    /// The switch goes off at night, and on in the morning.
    mutating func sleep(from: WallTime, to: WallTime, now: WallTime) {
        waits(from.microseconds - now.microseconds)
        add(.power(false), after: 0...0)
        let milliseconds = Int(clamping: max(60_000_000, to.microseconds - from.microseconds) / 1000)
        add(.power(true), after: milliseconds...milliseconds)
        phone(0, .vanish, after: 30_000...60_000)
    }

    /// One act of an ordinary day, as the device's kind allows.
    mutating func act(at profile: DeviceProfile, _ deck: inout ActDeck) {
        let dice = count(0...999)
        switch profile.kind {
        case .group: return songs(fewer: true)
        case .television, .display, .speaker: break
        }
        if dice < 12 { return outage() }
        if dice < 60 {
            let kind = deck.draw(&random)
            // The next device has plans of its own.
            return play(kind)
        }
        switch profile.kind {
        case .television:
            if dice < 520 { return wholeFilm() }
            if dice < 860 { return clipAfterClip() }
            return dice < 930 ? songs(fewer: false) : routine()
        case .display:
            if dice < 600 { return clipAfterClip() }
            return dice < 800 ? songs(fewer: false) : routine()
        case .speaker, .group: return dice < 750 ? songs(fewer: false) : routine()
        }
    }

    /// Somebody pulls the plug.
    private mutating func outage() {
        add(.power(false), after: 0...1000)
        add(.power(true), after: Self.minutes(10...400))
        phone(0, .vanish, after: 30_000...60_000)
    }

    private mutating func arrivesAndLaunches(_ app: AppID) {
        arrive(0, after: 0...1000)
        phone(0, .launch(app), after: 800...4000)
    }

    /// A film, to its end or not, with what people do meanwhile.
    private mutating func wholeFilm() {
        let media = MediaCatalog.film(count(0...MediaCatalog.films - 1))
        let total = media["duration"]?.wholeNumber ?? 5400
        arrivesAndLaunches(SimulatedApp.defaultMediaReceiver.appID)
        phone(0, .load(media, atSeconds: 0), after: 1500...8000)
        if chance(40) { phone(0, .tracks([count(1...3)]), after: 5000...60_000) }
        if chance(10) { phone(0, .style(choose(MediaLibrary.styles)), after: 5000...20_000) }
        if chance(50) { phone(0, .deviceVolume(volume()), after: 5000...60_000) }
        var left = chance(65) ? total : total * count(5...90) / 100
        for _ in 0..<count(0...3) {
            let part = left * count(10...40) / 100
            left -= part
            let milliseconds = part * 1000
            if chance(25) {
                room(.remotePausesOrPlays, after: milliseconds...milliseconds)
                room(.remotePausesOrPlays, after: 20_000...600_000)
            } else if chance(70) {
                phone(0, .pause, after: milliseconds...milliseconds)
                phone(0, .play, after: 20_000...600_000)
            } else {
                room(.networkStalls(.seconds(count(2...20))), after: milliseconds...milliseconds)
            }
        }
        let rest = max(1, left) * 1000
        if chance(20) {
            // The phone goes home; the film goes on, and nobody stops it.
            phone(0, .vanish, after: rest / 2...rest / 2)
            phone(1, .vanish, after: (rest / 2 + 420_000)...(rest / 2 + 900_000))
            return
        }
        phone(0, chance(50) ? .stopApp : .leave, after: (rest + 2000)...(rest + 120_000))
        phone(0, .vanish, after: 2000...10_000)
    }

    /// Clips, as long as somebody likes.
    private mutating func clipAfterClip() {
        arrivesAndLaunches(SimulatedApp.youTube.appID)
        for _ in 0..<count(1...8) {
            let media = MediaCatalog.clip(count(0...MediaCatalog.clips - 1))
            phone(0, .load(media, atSeconds: 0), after: 1500...15_000)
            if chance(20) {
                room(.advertises(skippableAfter: .seconds(5), goingOnFor: .seconds(count(0...20))), after: 1000...3000)
            }
            if chance(25) { phone(0, .deviceVolume(volume()), after: 4000...40_000) }
            let total = (media["duration"]?.wholeNumber ?? 600) * 1000
            let watched = chance(55) ? total + 30_000 : total * count(2...95) / 100
            phone(0, .connect, after: watched...watched)
        }
        phone(0, chance(70) ? .stopApp : .stopMedia, after: 2000...60_000)
        phone(0, .vanish, after: 2000...10_000)
    }

    /// A queue of songs.
    private mutating func songs(fewer: Bool) {
        arrivesAndLaunches(SimulatedApp.spotify.appID)
        let songs = (0..<count(3...(fewer ? 8 : 20))).map { _ in MediaCatalog.song(count(0...MediaCatalog.songs - 1)) }
        let items = songs.map { song in
            JSONObject([("media", .object(song)), ("autoplay", true), ("preloadTime", 20)])
        }
        phone(0, .loadQueue(items), after: 1500...8000)
        if chance(60) { phone(0, .deviceVolume(volume()), after: 5000...60_000) }
        let total = songs.reduce(0) { $0 + ($1["duration"]?.wholeNumber ?? 180) } * 1000
        let heard = chance(40) ? total + 20_000 : total * count(5...95) / 100
        for _ in 0..<count(0...3) { phone(0, .queueNext, after: heard / 20...heard / 8) }
        phone(0, .stopApp, after: heard / 2...(heard / 2 + 20_000))
        phone(0, .vanish, after: 2000...10_000)
    }

    /// A routine plays one thing, as in the morning or when the bell rings.
    private mutating func routine() {
        let isSong = chance(50)
        let media =
            isSong ? MediaCatalog.song(count(0...40)) : MediaCatalog.clip(count(0...20))
        room(
            .cloudPlays(isSong ? SimulatedApp.spotify.appID : SimulatedApp.youTube.appID, media: media), after: 0...1000
        )
        let total = (media["duration"]?.wholeNumber ?? 180) * 1000
        if chance(30) { room(.remoteSetsVolume(volume()), after: 5000...60_000) }
        // The app waits five minutes for more, and ends.
        phone(1, .vanish, after: (total + 320_000)...(total + 400_000))
    }
}
