import CastModel
import Recording

/// Events of the trace event format ("Trace Event Format", Google, 2016), as JSON texts.
///
/// Times are microseconds since 1970; `pid` is a device, `tid` one of its lanes.
struct TraceText {
    private var events = 0

    /// An event with these members, after what separates it from the one before.
    mutating func event(_ members: JSONObject) -> String {
        events += 1
        return (events > 1 ? ",\n" : "\n") + JSONValue.object(members).text
    }

    /// Names a process or a thread, or says where it stands.
    mutating func metadata(_ name: String, pid: Int, tid: Int = 0, _ key: String, _ value: JSONValue) -> String {
        event(
            JSONObject([
                ("ph", "M"), ("name", .string(name)), ("pid", .integer(Int64(pid))), ("tid", .integer(Int64(tid))),
                ("args", .object(JSONObject([(key, value)]))),
            ]))
    }

    /// Something that takes time.
    mutating func slice(
        _ name: String, category: String, pid: Int, tid: Int, from: WallTime, to: WallTime, _ arguments: JSONObject
    ) -> String {
        event(
            JSONObject([
                ("ph", "X"), ("name", .string(name)), ("cat", .string(category)), ("pid", .integer(Int64(pid))),
                ("tid", .integer(Int64(tid))), ("ts", .integer(from.microseconds)),
                ("dur", .integer(max(0, to.microseconds &- from.microseconds))), ("args", .object(arguments)),
            ]))
    }

    /// Something that takes none.
    mutating func instant(
        _ name: String, category: String, pid: Int, tid: Int, at: WallTime, _ arguments: JSONObject
    ) -> String {
        event(
            JSONObject([
                ("ph", "i"), ("name", .string(name)), ("cat", .string(category)), ("pid", .integer(Int64(pid))),
                ("tid", .integer(Int64(tid))), ("ts", .integer(at.microseconds)), ("s", "t"),
                ("args", .object(arguments)),
            ]))
    }

    /// A value from a moment on.
    mutating func counter(_ name: String, pid: Int, at: WallTime, _ key: String, _ value: JSONValue) -> String {
        event(
            JSONObject([
                ("ph", "C"), ("name", .string(name)), ("pid", .integer(Int64(pid))), ("tid", 0),
                ("ts", .integer(at.microseconds)), ("args", .object(JSONObject([(key, value)]))),
            ]))
    }

    /// A step of an arrow from slice to slice: `s` its beginning, `t` one between, `f` its end.
    mutating func flow(
        _ phase: String, _ name: String, number: Int, pid: Int, tid: Int, at: WallTime
    ) -> String {
        var members = JSONObject([
            ("ph", .string(phase)), ("name", .string(name)), ("cat", "conflict"), ("id", .integer(Int64(number))),
            ("pid", .integer(Int64(pid))), ("tid", .integer(Int64(tid))), ("ts", .integer(at.microseconds)),
        ])
        // The arrow ends in the slice that it points into, not in the next one.
        if phase == "f" { members.pairs.append((key: "bp", value: "e")) }
        return event(members)
    }
}
