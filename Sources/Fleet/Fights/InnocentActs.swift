import CastModel

/// What looks like a fight and is none.
extension ActWriter {
    private mutating func film(phones: Int = 1) {
        stage(Self.film, choose(MediaLibrary.films), phones: phones, atSeconds: 300)
    }

    /// The slider says where it is several times a second, while it goes up and down.
    mutating func volumeDrag() {
        film()
        let turns = count(1...4)
        var percent = count(20...60)
        begin(.volumeDrag, turns == 1 ? "one_way" : "to_and_fro", moves: turns)
        var rises = chance(50)
        for _ in 0...turns {
            for _ in 0..<count(3...9) {
                percent = min(max(2, percent + (rises ? 1 : -1) * count(1...5)), 98)
                phone(0, .deviceVolume(Double(percent) / 100), after: 80...300)
            }
            rises.toggle()
        }
        end()
        clear()
    }

    mutating func volumeTogether() {
        film(phones: 2)
        let rises = chance(50)
        var percent = rises ? count(20...40) : count(60...80)
        let pace = pace()
        begin(.volumeTogether, rises ? "louder" : "quieter", moves: 2)
        for number in chance(50) ? [0, 1] : [1, 0] {
            for _ in 0..<count(1...3) {
                percent += rises ? 5 : -5
                phone(number, .deviceVolume(Double(percent) / 100), after: pace)
            }
        }
        end()
        clear()
    }

    mutating func queueSkipping() {
        arrive(0, after: 20_000...60_000)
        phone(0, .launch(SimulatedApp.spotify.appID), after: 500...1500)
        let songs = (0..<16).map { _ in MediaCatalog.song(count(0...MediaCatalog.songs - 1)) }
        let items = songs.map { JSONObject([("media", .object($0)), ("autoplay", true)]) }
        phone(0, .loadQueue(items), after: 500...1500)
        let (skips, pace) = (count(4...12), pace(atLeast: 500))
        begin(.queueSkipping, "one_phone", moves: skips)
        for skip in 0..<skips {
            let goesBack = skip > 1 && chance(25)
            phone(0, goesBack ? .command("QUEUE_PREV", JSONObject()) : .queueNext, after: pace)
        }
        end()
        clear()
    }

    mutating func adReload() {
        stage(SimulatedApp.imaSample.appID, choose(MediaLibrary.films), phones: 1, atSeconds: 0)
        let ads = count(1...2)
        begin(.adReload, "ima", moves: ads)
        for _ in 0..<ads {
            phone(0, .say(SimulatedApp.ima, "requestAd,https://ads.example/tag,5"), after: 3000...6000)
            // An ad of three seconds, and the content again; who is connected already does nothing.
            phone(0, .connect, after: 5000...6000)
        }
        end()
        clear()
    }

    mutating func remotePause() {
        film()
        if chance(30) {
            begin(.remotePause, "what_a_phone_paused", moves: 2)
            phone(0, .pause, after: 1000...3000)
            room(.remotePausesOrPlays, after: pace(atLeast: 600))
        } else {
            let (times, pace) = (count(2...6), pace(atLeast: 500))
            begin(.remotePause, "remote_alone", moves: times)
            for _ in 0..<times { room(.remotePausesOrPlays, after: pace) }
        }
        end()
        clear()
    }

    mutating func pausingAlone() {
        film()
        let (times, pace) = (count(3...10), pace())
        begin(.pausingAlone, "one_phone", moves: times)
        for time in 0..<times { phone(0, time % 2 == 0 ? .pause : .play, after: pace) }
        end()
        clear()
    }

    mutating func scrubbing() {
        film()
        let (times, pace) = (count(4...15), pace(atLeast: 500))
        begin(.scrubbing, "one_phone", moves: times)
        for _ in 0..<times { phone(0, .seek(toSeconds: Double(count(60...4500))), after: pace) }
        end()
        clear()
    }

    mutating func trackTrial() {
        film()
        let (times, pace) = (count(4...10), pace())
        begin(.trackTrial, "one_phone", moves: times)
        for time in 0..<times {
            let ofTracks = chance(50)
            phone(
                0, ofTracks ? .tracks([[], [1], [2], [3]][time % 4]) : .style(choose(MediaLibrary.styles)), after: pace)
        }
        end()
        clear()
    }

    mutating func styleAgain() {
        film(phones: 2)
        let style = choose(MediaLibrary.styles)
        let number = count(0...1)
        phone(0, .tracks([1]), after: 2000...4000)
        phone(0, .style(style), after: 2000...4000)
        let (times, pace) = (count(1...3), pace())
        begin(.styleAgain, number == 0 ? "by_the_same" : "by_another", moves: times)
        for _ in 0..<times { phone(number, .style(style), after: pace) }
        end()
        clear()
    }

    mutating func routineOverIdle() {
        begin(.routineOverIdle, "cloud", moves: 1)
        room(.cloudPlays(Self.clips, media: choose(MediaLibrary.clips)), after: 10_000...20_000)
        end(settling: 3000)
        clearWhatRuns()
    }

    mutating func routineOverPlay() {
        film()
        begin(.routineOverPlay, "cloud", moves: 1)
        room(.cloudPlays(SimulatedApp.spotify.appID, media: MediaCatalog.song(count(0...99))), after: 2000...6000)
        end(settling: 3000)
        clearWhatRuns()
    }

    /// What plays leaves this device, or comes to it; with another device beside us, it is seen at both.
    mutating func streamTransfer(besideOther: Bool) {
        let media = choose(MediaLibrary.films)
        guard besideOther || chance(50) else {
            begin(.streamTransfer, "arrives", moves: 1)
            room(.streamArrives(Self.film, media: media, atSeconds: Double(count(60...3000))), after: 10_000...20_000)
            end(settling: 3000)
            return clearWhatRuns()
        }
        stage(Self.film, media, phones: 1, atSeconds: 300)
        begin(.streamTransfer, "leaves", moves: 1)
        let wait = 3000...6000
        if besideOther {
            add(.nextDevice(.mark(.begins(.streamTransfer, variant: "arrives", moves: 1))), after: wait)
            add(.nextDevice(.room(.streamArrives(Self.film, media: media, atSeconds: 340))), after: 200...500)
        }
        room(.streamLeaves, after: besideOther ? 1500...2500 : wait)
        end(settling: 1500)
        if besideOther {
            add(.nextDevice(.mark(.ends)), after: 1000...1500)
            add(.nextDevice(.room(.streamLeaves)), after: Self.lull)
        }
        phone(0, .vanish, after: 2000...5000)
    }

    mutating func listener() {
        film()
        begin(.listener, "joins_and_goes", moves: 1)
        arrive(1, after: 2000...5000)
        phone(1, .join, after: 500...1500)
        phone(1, .vanish, after: 5000...25_000)
        end()
        clear()
    }

    mutating func appSwitch() {
        film()
        let switches = count(1...3)
        begin(.appSwitch, "one_phone", moves: switches)
        for time in 0..<switches {
            let isBack = time % 2 == 1
            phone(0, .launch(isBack ? Self.film : Self.clips), after: 4000...9000)
            phone(0, .load(choose(isBack ? MediaLibrary.films : MediaLibrary.clips), atSeconds: 0), after: 100...300)
        }
        end(settling: 3000)
        clear()
    }

    /// The same person before and after: the phone lost its link, its program began anew, and so did its numbers.
    mutating func reconnect() {
        film()
        begin(.reconnect, "counts_anew", moves: 1)
        littleThings()
        phone(0, .restart(requestsAfter: 0), after: 1000...4000)
        phone(0, .connect, after: 500...3000)
        phone(0, .join, after: 200...900)
        littleThings()
        end()
        clear()
    }

    /// What one person does who undoes nothing.
    private mutating func littleThings() {
        let percent = count(20...70)
        let things: [[PhoneMachine.Action]] = [
            [.deviceVolume(Double(percent) / 100), .deviceVolume(Double(percent + 5) / 100)],
            [.pause, .play], [.seek(toSeconds: Double(count(400...3000)))], [.tracks([count(1...3)])],
        ]
        for action in things.shuffled(using: &random).prefix(2).joined() { phone(0, action, after: 1500...5000) }
    }
}
