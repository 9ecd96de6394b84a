import CastModel
import Recording
import WebCore

/// A follower that goes on after the program was ended and started again.
extension ChangeFollower {
    private static let form: Int64 = 1

    /// What must be kept for that.
    var stateJSON: JSONValue {
        [
            "form": .integer(Self.form), "heads": .string(resumePoint.text),
            "times": .object(
                JSONObject(times.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value.microseconds)) })),
            "recorders": .array(heads.keys.sorted().map { .string($0) }),
            "open": .array(openPlays.sorted().map { .string($0) }), "ended": .array(ended.sorted().map { .string($0) }),
            "conflicts": .object(
                JSONObject(conflicts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value.microseconds)) })),
        ]
    }

    /// Goes on where ``stateJSON`` was taken; nil when it is of another form.
    init?(apps: AppRegistry, restoring state: JSONValue) {
        self.init(apps: apps)
        guard state["form"] == .integer(Self.form), let text = state["heads"]?.string,
            let point = text.isEmpty ? ResumePoint() : ResumePoint(text)
        else { return nil }
        let recorders = state["recorders"]?.array?.compactMap(\.string) ?? []
        heads = point.places
        if let only = heads[""], recorders.count == 1 { heads = [recorders[0]: only] }
        func moments(_ key: String) -> [String: WallTime] {
            var found: [String: WallTime] = [:]
            for (key, value) in state[key]?.object?.pairs ?? [] {
                if case .integer(let microseconds) = value { found[key] = WallTime(microseconds: microseconds) }
            }
            return found
        }
        times = moments("times")
        conflicts = moments("conflicts")
        openPlays = Set(state["open"]?.array?.compactMap(\.string) ?? [])
        ended = Set(state["ended"]?.array?.compactMap(\.string) ?? [])
        hasBegun = true
    }
}
