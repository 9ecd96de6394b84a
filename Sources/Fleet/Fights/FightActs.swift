import CastModel

/// Two sides that undo each other: two phones, or a phone and the remote control.
extension ActWriter {
    /// Who moves when: two sides in turn, either of which may begin.
    private struct Sides {
        /// Nil stands for the remote control.
        var first: Int?
        var second: Int?

        func mover(_ move: Int) -> Int? { move % 2 == 0 ? first : second }

        var variant: String { first == nil || second == nil ? "phone_and_remote" : "two_phones" }
    }

    private mutating func sides(remotePercent: Int = 0) -> Sides {
        let other: Int? = chance(remotePercent) ? nil : 1
        return chance(50) ? Sides(first: 0, second: other) : Sides(first: other, second: 0)
    }

    private mutating func someFilm() -> JSONObject { choose(MediaLibrary.films) }

    /// Three moves at least: one who undoes, and one who undoes that.
    private mutating func moves() -> Int { count(3...12) }

    mutating func volumeFight() {
        let (sides, moves, pace) = (sides(remotePercent: 30), moves(), pace())
        stage(Self.film, someFilm(), phones: 2, atSeconds: 300)
        let (low, high) = (count(8...30), count(55...85))
        let ofStream = sides.variant == "two_phones" && chance(20)
        // It is as low as the second side wants it.
        turn(to: Double(low) / 100, by: sides.second, ofStream: ofStream, after: 2000...4000)
        begin(.volumeFight, ofStream ? "stream_volume" : sides.variant, moves: moves)
        for move in 0..<moves {
            let wanted = (move % 2 == 0 ? high : low) + count(-4...4)
            // Some tap once, some turn it step by step.
            let steps = ofStream ? 1 : count(1...3)
            for step in 1...steps {
                let level = Double(wanted + (move % 2 == 0 ? -6 : 6) * (steps - step)) / 100
                turn(to: level, by: sides.mover(move), ofStream: ofStream, after: step == 1 ? pace : 150...400)
            }
        }
        end()
        clear()
    }

    private mutating func turn(to level: Double, by mover: Int?, ofStream: Bool, after wait: ClosedRange<Int>) {
        switch mover {
        case nil: room(.remoteSetsVolume(level), after: wait)
        case let number?: phone(number, ofStream ? .streamVolume(level) : .deviceVolume(level), after: wait)
        }
    }

    mutating func playPauseFight() {
        let (sides, moves, pace) = (sides(remotePercent: 30), moves(), pace())
        stage(Self.film, someFilm(), phones: 2, atSeconds: 300)
        begin(.playPauseFight, sides.variant, moves: moves)
        for move in 0..<moves {
            switch sides.mover(move) {
            case nil: room(.remotePausesOrPlays, after: pace)
            case let number?: phone(number, move % 2 == 0 ? .pause : .play, after: pace)
            }
        }
        end()
        clear()
    }

    mutating func seekFight() {
        let (sides, moves, pace) = (sides(), moves(), pace(atLeast: 600))
        stage(Self.film, someFilm(), phones: 2, atSeconds: 300)
        let (early, late) = (count(60...1200), count(1800...4500))
        begin(.seekFight, sides.variant, moves: moves)
        for move in 0..<moves {
            let target = (move % 2 == 0 ? late : early) + count(-20...20)
            phone(sides.mover(move) ?? 0, .seek(toSeconds: Double(target)), after: pace)
        }
        end()
        clear()
    }

    mutating func trackFight() {
        let (sides, moves, pace) = (sides(), moves(), pace())
        stage(Self.film, someFilm(), phones: 2, atSeconds: 300)
        let choices: [[Int]] = Array([[], [1], [2], [3]].shuffled(using: &random).prefix(2))
        phone(0, .tracks(choices[1]), after: 2000...4000)
        begin(.trackFight, sides.variant, moves: moves)
        for move in 0..<moves { phone(sides.mover(move) ?? 0, .tracks(choices[move % 2]), after: pace) }
        end()
        clear()
    }

    mutating func styleFight() {
        let (sides, moves, pace) = (sides(), moves(), pace())
        stage(Self.film, someFilm(), phones: 2, atSeconds: 300)
        let choices = Array(MediaLibrary.styles.shuffled(using: &random).prefix(2))
        phone(0, .tracks([1]), after: 2000...4000)
        phone(0, .style(choices[1]), after: 2000...4000)
        begin(.styleFight, sides.variant, moves: moves)
        for move in 0..<moves { phone(sides.mover(move) ?? 0, .style(choices[move % 2]), after: pace) }
        end()
        clear()
    }

    /// One phone after the other makes the device its own: with another app, or with other media in the same app.
    ///
    /// Once is enough to be a takeover: somebody's media was interrupted.
    mutating func takeover() {
        let (byApp, moves) = (chance(50), count(1...5))
        stage(Self.film, MediaLibrary.films[0], phones: 1, atSeconds: 300)
        arrive(1, after: 2000...5000)
        if !byApp { phone(1, .join, after: 500...1500) }
        begin(.takeover, byApp ? "by_app" : "by_media", moves: moves)
        for move in 0..<moves {
            let number = (move + 1) % 2
            if byApp { phone(number, .launch(number == 0 ? Self.film : Self.clips), after: 3000...8000) }
            let media = number == 0 ? MediaLibrary.films[0] : byApp ? choose(MediaLibrary.clips) : MediaLibrary.films[1]
            phone(number, .load(media, atSeconds: number == 0 ? 300 : 0), after: byApp ? 100...300 : 2500...8000)
        }
        end(settling: 3000)
        clear(by: moves % 2)
    }
}
