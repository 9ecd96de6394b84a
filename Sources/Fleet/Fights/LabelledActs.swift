import CastModel

/// The acts of the scenario `fights`: a stage, one labelled act on it, and an idle screen again.
extension ActWriter {
    /// The next act of one device.
    static func labelled(
        on profile: DeviceProfile, _ deck: inout ActDeck, _ random: inout RandomSource
    ) -> [ScenarioStep] {
        guard profile.isStage else { return [] }
        let kind = deck.draw(&random)
        var writer = ActWriter(random)
        writer.play(kind, besideOther: profile.hasOtherRoom)
        random = writer.random
        return writer.steps
    }

    /// One act with all that belongs to it, from an idle device to an idle device.
    mutating func play(_ kind: ActKind, besideOther: Bool = false) {
        switch kind {
        case .takeover: takeover()
        case .volumeFight: volumeFight()
        case .playPauseFight: playPauseFight()
        case .seekFight: seekFight()
        case .trackFight: trackFight()
        case .styleFight: styleFight()
        case .volumeDrag: volumeDrag()
        case .volumeTogether: volumeTogether()
        case .queueSkipping: queueSkipping()
        case .adReload: adReload()
        case .remotePause: remotePause()
        case .pausingAlone: pausingAlone()
        case .scrubbing: scrubbing()
        case .trackTrial: trackTrial()
        case .styleAgain: styleAgain()
        case .routineOverIdle: routineOverIdle()
        case .routineOverPlay: routineOverPlay()
        case .streamTransfer: streamTransfer(besideOther: besideOther)
        case .listener: listener()
        case .appSwitch: appSwitch()
        case .reconnect: reconnect()
        }
    }

    // MARK: Around an act

    /// Nothing that belongs to an act is nearer to its neighbors' than this.
    static let lull = 12_000...25_000
    static let film = SimulatedApp.defaultMediaReceiver.appID
    static let clips = SimulatedApp.youTube.appID

    /// A chance of so many percent.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func begin(_ kind: ActKind, _ variant: String, moves: Int) {
        add(.mark(.begins(kind, variant: variant, moves: moves)), after: Self.lull)
    }

    /// - Parameter settling: How long the device may take to carry out the last move, in milliseconds.
    mutating func end(settling: Int = 1200) { add(.mark(.ends), after: settling...(settling + 500)) }

    /// A phone opens its link as a program that counts its requests from 1, or from anywhere (PROTOCOL 7.6).
    mutating func arrive(_ number: Int, after delay: ClosedRange<Int>) {
        let startsAnywhere = chance(number == 0 ? 30 : 65)
        let start =
            startsAnywhere
            ? Int.random(in: 1_000...1_000_000_000, using: &random) : Int.random(in: 0...number * 12, using: &random)
        phone(number, .restart(requestsAfter: start), after: delay)
        phone(number, .connect, after: 100...300)
    }

    /// The first phone plays something, and the second one is there, too, where it is wanted.
    mutating func stage(_ app: AppID, _ media: JSONObject, phones: Int, atSeconds seconds: Double = 0) {
        arrive(0, after: 20_000...60_000)
        phone(0, .launch(app), after: 500...1500)
        phone(0, .load(media, atSeconds: seconds), after: 500...1500)
        guard phones > 1 else { return }
        arrive(1, after: 3000...6000)
        phone(1, .join, after: 300...900)
    }

    /// Whoever plays stops the app, and everybody goes.
    mutating func clear(by number: Int = 0) {
        phone(number, .stopApp, after: Self.lull)
        phone(0, .vanish, after: 1500...4000)
        phone(1, .vanish, after: 100...1500)
    }

    /// The first phone comes, joins what runs, and stops it.
    mutating func clearWhatRuns() {
        arrive(0, after: Self.lull)
        phone(0, .join, after: 500...1500)
        phone(0, .stopApp, after: 2000...4000)
        phone(0, .vanish, after: 1500...4000)
    }

    /// How long people wait between two moves, in milliseconds: one temper for a whole act.
    mutating func pace(atLeast least: Int = 300) -> ClosedRange<Int> {
        let tempers = [300...900, 900...3000, 3000...8000, 300...8000]
        let temper = tempers.randomElement(using: &random) ?? 900...3000
        return max(least, temper.lowerBound)...max(least + 100, temper.upperBound)
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}

extension DeviceProfile {
    /// Every fourth device only takes what comes from the one before it; groups take no part.
    var isStage: Bool { kind != .group && index % 4 != 3 }
    /// Whether the next device is there for streams of ours.
    var hasOtherRoom: Bool { kind != .group && index % 4 == 2 }
}
