import CastModel
import Differ
import Recording

/// The volume of a device, as far as it was told.
struct KnownVolume: Equatable {
    var level: Double?
    var isMuted: Bool?

    /// What one hears: nothing while muted.
    ///
    /// An unknown level counts as full.
    var audible: Double { isMuted == true ? 0 : level ?? 1 }

    /// As conflicts show it; nil when nothing is known.
    var json: JSONValue? {
        guard level != nil || isMuted != nil else { return nil }
        return .stored([
            ("level", .stored(level)), ("muted", isMuted == true ? true : nil),
        ])
    }
}

/// What the player is meant to do: buffering is none of anybody's wishes.
struct PlayerIntent: Equatable {
    /// Whether it is paused; nil while neither paused nor playing is meant.
    var isPaused: Bool?
    /// Who made it buffer while it was paused, which is how playing on may begin.
    var resuming: Doer?
}

/// What change events are as moves.
extension DeviceConflicts {
    /// The moves of an event, each with what it is about.
    mutating func moves(
        of event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules
    ) -> [(Board.Subject, Move)] {
        switch event.kind {
        case .deviceVolumeChanged, .deviceMuteChanged: return volumeMove(event, doer).map { [$0] } ?? []
        case .streamVolumeChanged: return streamVolumeMove(event, doer).map { [$0] } ?? []
        case .playerStateChanged: return playerMove(event, doer, rules).map { [$0] } ?? []
        case .seeked: return seekMove(event, doer, rules).map { [$0] } ?? []
        case .activeTracksChanged: return trackMove(event, doer, rules).map { [$0] } ?? []
        case .textTrackStyleChanged: return styleMove(event, doer).map { [$0] } ?? []
        default: return []
        }
    }

    private func move(
        _ event: ChangeEvent, _ doer: Doer, _ effect: Effect, before: JSONValue?, after: JSONValue?
    ) -> Move {
        Move(event: event.id, at: event.observedAt, doer: doer, effect: effect, before: before, after: after)
    }

    // MARK: Volume

    private mutating func volumeMove(_ event: ChangeEvent, _ doer: Doer?) -> (Board.Subject, Move)? {
        if event.kind == .deviceVolumeChanged, let level = event.before?["level"]?.lossyNumber { volume.level = level }
        if event.kind == .deviceMuteChanged, let muted = event.before?["muted"]?.lossyFlag { volume.isMuted = muted }
        let known = volume
        if event.kind == .deviceVolumeChanged, let level = event.after?["level"]?.lossyNumber { volume.level = level }
        if event.kind == .deviceMuteChanged, let muted = event.after?["muted"]?.lossyFlag { volume.isMuted = muted }
        return volumeMove(event, doer, from: known, to: volume).map { (.deviceVolume, $0) }
    }

    /// A media session tells only the part that changed, so the rest is not compared.
    private mutating func streamVolumeMove(_ event: ChangeEvent, _ doer: Doer?) -> (Board.Subject, Move)? {
        func volume(_ told: JSONValue?) -> KnownVolume {
            KnownVolume(level: told?["level"]?.lossyNumber, isMuted: told?["muted"]?.lossyFlag)
        }
        return volumeMove(event, doer, from: volume(event.before), to: volume(event.after)).map { (.streamVolume, $0) }
    }

    private func volumeMove(_ event: ChangeEvent, _ doer: Doer?, from: KnownVolume, to: KnownVolume) -> Move? {
        guard let doer, from.json != nil else { return nil }
        let amount = to.audible - from.audible
        // Louder while muted: nobody hears it.
        guard amount != 0, amount.isFinite else { return nil }
        return move(event, doer, .amount(amount), before: from.json, after: to.json)
    }

    // MARK: Pausing and playing on

    private mutating func playerMove(
        _ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules
    ) -> (Board.Subject, Move)? {
        let known = player
        var mover = doer
        switch event.after?["playerState"]?.string.map({ PlayerState($0) }) {
        case .paused?: player = PlayerIntent(isPaused: true)
        case .playing?:
            if doer?.isReceiver ?? true, let resuming = known.resuming { mover = resuming }
            player = PlayerIntent(isPaused: false)
        case .buffering?:
            if known.isPaused == true { player.resuming = doer ?? known.resuming }
            return nil
        default:
            player = PlayerIntent()
            return nil
        }
        guard let wasPaused = known.isPaused, let isPaused = player.isPaused, wasPaused != isPaused, var mover,
            !(mover.isReceiver && isBreak(at: event.observedAt, rules))
        else { return nil }
        mover.at = event.observedAt
        func shown(_ isPaused: Bool) -> JSONValue { .string((isPaused ? PlayerState.paused : .playing).raw) }
        let part = Effect.Part(name: "playerState", before: shown(wasPaused), after: shown(isPaused))
        return (
            .playPause,
            move(
                event, mover, .parts([part]), before: ["playerState": part.before],
                after: ["playerState": part.after])
        )
    }

    // MARK: Jumps

    private func seekMove(
        _ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules
    ) -> (Board.Subject, Move)? {
        guard let doer, let from = event.before?["currentTime"]?.lossyNumber,
            let to = event.after?["currentTime"]?.lossyNumber, event.after?["restart"]?.lossyFlag != true
        else { return nil }
        if doer.isReceiver {
            if isBreak(at: event.observedAt, rules) { return nil }
            // The player comes to rest at a key frame.
            if let last = boards[.seek]?.turn, !last.doer.isReceiver,
                event.observedAt.isWithin(rules.settleSeconds, of: last.lastAt)
            {
                return nil
            }
        }
        let positions = (JSONValue.number(Self.rounded(from)), JSONValue.number(Self.rounded(to)))
        return (
            .seek,
            move(
                event, doer, .amount(to - from), before: ["currentTime": positions.0],
                after: ["currentTime": positions.1])
        )
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    // MARK: Tracks and their style

    private func trackMove(
        _ event: ChangeEvent, _ doer: Doer?, _ rules: ConflictRules
    ) -> (Board.Subject, Move)? {
        guard let doer, let after = event.after, !(doer.isReceiver && isBreak(at: event.observedAt, rules)) else {
            return nil
        }
        let (old, new) = (Self.selections(event.before), Self.selections(after))
        let names = Set(old.keys).union(new.keys).sorted()
        let parts = names.map { name in
            Effect.Part(name: name, before: .array(old[name] ?? []), after: .array(new[name] ?? []))
        }
        let effect = Effect.parts(Array(parts.filter { $0.before != $0.after }.prefix(Effect.partLimit)))
        return (
            .tracks,
            move(event, doer, effect, before: event.before.map(Self.shownTracks), after: Self.shownTracks(after))
        )
    }

    /// Ids by what the tracks are: subtitles and audio are chosen apart.
    private static func selections(_ value: JSONValue?) -> [String: [JSONValue]] {
        let told = value?["tracks"]?.array ?? []
        var selections: [String: [JSONValue]] = [:]
        for id in (value?["activeTrackIds"]?.array ?? []).prefix(trackLimit) {
            let type = told.first { $0["trackId"] == id }?["type"]?.string
            selections[type.map { String($0.prefix(16)).uppercased() } ?? "unknown", default: []].append(id)
        }
        return selections
    }

    /// Selected tracks considered, at most: real media has a handful.
    private static let trackLimit = 16

    private static func shownTracks(_ value: JSONValue) -> JSONValue {
        .stored([
            ("activeTrackIds", .array(Array((value["activeTrackIds"]?.array ?? []).prefix(trackLimit)))),
            ("tracks", .stored(unlessEmpty: Array((value["tracks"]?.array ?? []).prefix(trackLimit)))),
        ])
    }

    private func styleMove(_ event: ChangeEvent, _ doer: Doer?) -> (Board.Subject, Move)? {
        guard let doer, event.effective else { return nil }
        let (old, new) = (Self.attributes(event.before), Self.attributes(event.after))
        let names = Set(old.pairs.map(\.key)).union(new.pairs.map(\.key)).sorted()
        let parts = names.map { name in
            Effect.Part(name: name, before: old[name] ?? .null, after: new[name] ?? .null)
        }
        let effect = Effect.parts(Array(parts.filter { $0.before != $0.after }.prefix(Effect.partLimit)))
        return (
            .style,
            move(
                event, doer, effect, before: ["textTrackStyle": .object(old)], after: ["textTrackStyle": .object(new)])
        )
    }

    /// The attributes of a style that are plain values, and not long.
    private static func attributes(_ value: JSONValue?) -> JSONObject {
        let told = value?["textTrackStyle"]?.object?.pairs ?? []
        return JSONObject(
            told.prefix(Effect.partLimit).compactMap { pair in
                guard pair.key.utf8.count <= 64 else { return nil }
                switch pair.value {
                case .array, .object: return nil
                case .string(let text): return (pair.key, .string(String(text.prefix(64))))
                case .null, .bool, .integer, .unsigned, .number: return pair
                }
            })
    }

    // MARK: Ad breaks

    private func isBreak(at moment: WallTime, _ rules: ConflictRules) -> Bool {
        isInBreak || (breakAt.map { moment.isWithin(rules.breakSeconds, of: $0) } ?? false)
    }

    /// An ad break begins or ends: the player's own pause just before it was the break's.
    mutating func foldBreak(_ event: ChangeEvent, _ rules: ConflictRules) {
        isInBreak = event.kind == .breakStarted
        breakAt = event.observedAt
        let since = event.observedAt.microseconds.subtractingReportingOverflow(Int64(rules.breakSeconds * 1e6))
        for subject in [Board.Subject.playPause, .seek, .tracks] {
            boards[subject]?.withdraw(
                deviceMoveSince: WallTime(microseconds: since.overflow ? .min : since.partialValue))
        }
    }
}
