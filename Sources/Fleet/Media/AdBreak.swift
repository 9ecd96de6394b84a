import CastModel

/// An ad break that runs within a media session (PROTOCOL 4.7).
struct AdBreak: Sendable, Equatable {
    /// One ad.
    struct Clip: Sendable, Equatable {
        var clipID: String
        /// 0.1 s to an hour, whatever its sender wrote.
        var durationSeconds: Double
        /// After how many seconds it may be skipped; nil for never.
        var whenSkippable: Double?
    }

    /// Breaks and clips that are looked at.
    private static let limit = 100

    var breakID: String
    /// Where in the content it begins, in seconds.
    var positionSeconds: Double
    var clips: [Clip]
    var clipIndex = 0
    /// How far the clip is, in seconds, at `anchoredAt`.
    private var anchorSeconds = 0.0
    private var anchoredAt = Duration.zero

    var clip: Clip? { clips.indices.contains(clipIndex) ? clips[clipIndex] : nil }

    /// The break that comes next from a position on, of those that have not run yet.
    static func next(in playback: MediaPlayback, from seconds: Double) -> AdBreak? {
        let clips = (playback.media["breakClips"]?.array ?? []).prefix(limit)
        let breaks = (playback.media["breaks"]?.array ?? []).prefix(limit).compactMap { json -> AdBreak? in
            guard let breakID = json["id"]?.string, let position = json["position"]?.anyNumber, position >= seconds,
                !playback.watchedBreakIDs.contains(breakID)
            else { return nil }
            let clipIDs = (json["breakClipIds"]?.array ?? []).prefix(limit).compactMap(\.string)
            let found = clipIDs.compactMap { clipID in clips.first { $0["id"]?.string == clipID } }
            guard !found.isEmpty else { return nil }
            return AdBreak(
                breakID: breakID, positionSeconds: position,
                clips: found.map { clip in
                    Clip(
                        clipID: clip["id"]?.string ?? "",
                        durationSeconds: min(max(0.1, clip["duration"]?.anyNumber ?? 10), 3600),
                        whenSkippable: clip["whenSkippable"]?.anyNumber)
                })
        }
        return breaks.min { $0.positionSeconds < $1.positionSeconds }
    }

    private init(breakID: String, positionSeconds: Double, clips: [Clip]) {
        self.breakID = breakID
        self.positionSeconds = positionSeconds
        self.clips = clips
    }

    /// Begins the clip of an index.
    mutating func begin(_ index: Int, at now: Duration) {
        clipIndex = index
        anchorSeconds = 0
        anchoredAt = now
    }

    /// How far the clip is, in seconds.
    func clipSeconds(at now: Duration, isPlaying: Bool) -> Double {
        min(anchorSeconds + (isPlaying ? (now - anchoredAt).inSeconds : 0), clip?.durationSeconds ?? 0)
    }

    /// Keeps how far it is: it pauses or plays on from here.
    mutating func anchor(at now: Duration, isPlaying: Bool) {
        anchorSeconds = clipSeconds(at: now, isPlaying: isPlaying)
        anchoredAt = now
    }

    /// `breakStatus`.
    func json(at now: Duration, isPlaying: Bool) -> JSONValue {
        let clipSeconds = clipSeconds(at: now, isPlaying: isPlaying)
        let before = clips.prefix(clipIndex).reduce(0) { $0 + $1.durationSeconds }
        var fields = JSONObject([
            ("breakId", .string(breakID)), ("breakClipId", .string(clip?.clipID ?? "")),
            ("currentBreakTime", .javaScript(before + clipSeconds)), ("currentBreakClipTime", .javaScript(clipSeconds)),
        ])
        fields["whenSkippable"] = clip?.whenSkippable.map { .javaScript($0) }
        return .object(fields)
    }
}
