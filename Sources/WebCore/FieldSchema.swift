import CastModel

/// One field of an answer: what it is called, its form, and what it means.
struct FieldSchema: Sendable {
    /// The forms that values have.
    indirect enum Form: Sendable {
        case text, integer, number, flag, moment, anything, object
        /// A text out of a closed list.
        case word([String])
        case list(Form)
        /// An object of another schema of the document.
        case reference(String)
        /// Or null.
        case optional(Form)

        var json: JSONValue {
            switch self {
            case .text: ["type": "string"]
            case .integer: ["type": "integer"]
            case .number: ["type": "number"]
            case .flag: ["type": "boolean"]
            case .moment: ["type": "string", "format": "date-time"]
            case .anything: [:]
            case .object: ["type": "object"]
            case .word(let words): ["type": "string", "enum": .array(words.map(JSONValue.string))]
            case .list(let form): ["type": "array", "items": form.json]
            case .reference(let name): ["$ref": .string("#/components/schemas/" + name)]
            case .optional(let form): ["anyOf": [form.json, ["type": "null"]]]
            }
        }
    }

    let name: String
    let form: Form
    let summary: String

    init(_ name: String, _ form: Form, _ summary: String) {
        self.name = name
        self.form = form
        self.summary = summary
    }

    /// The schema of an object that has exactly these fields.
    static func object(_ fields: [FieldSchema], _ summary: String) -> JSONValue {
        let properties = fields.map { field -> (key: String, value: JSONValue) in
            guard case .object(var schema) = field.form.json else { return (field.name, .null) }
            if schema["$ref"] == nil { schema["description"] = .string(field.summary) }
            return (field.name, .object(schema))
        }
        return [
            "type": "object", "description": .string(summary), "properties": .object(JSONObject(properties)),
            "required": .array(fields.map { .string($0.name) }), "additionalProperties": false,
        ]
    }
}

extension OpenAPIDocument {
    /// The objects that answers consist of.
    static var schemas: [(key: String, value: JSONValue)] {
        [
            ("Problem", FieldSchema.object(problem, "Why a request was not answered (RFC 9457).")),
            ("Device", FieldSchema.object(device + deviceDetail, "A device, and what is counted of it.")),
            ("Now", FieldSchema.object(now, "What a device does at this moment.")),
            ("Play", FieldSchema.object(play, "One content item on one device, from its first sign to its end.")),
            ("PlayDetail", FieldSchema.object(play + playDetail, "A play, what it did when, and its change events.")),
            ("Event", FieldSchema.object(event, "One difference between two states of a device.")),
            ("EvidenceEvent", FieldSchema.object(event + [evidence], "A change event around a conflict.")),
            ("Moment", FieldSchema.object(moment, "A change event with all that is known of it.")),
            ("Conflict", FieldSchema.object(conflict, "Senders undoing each other on one device.")),
            ("ConflictDetail", FieldSchema.object(conflict + conflictDetail, "A conflict, and why it is one.")),
            ("Coverage", FieldSchema.object(coverage, "How much was observed: a device's day, or a sum.")),
            ("Gap", FieldSchema.object(gap, "A reason, and what it made us miss.")),
            ("Span", FieldSchema.object(span, "What a device did in a stretch of time.")),
            ("Lane", FieldSchema.object(lane, "What a device did, span by span; they never overlap.")),
            ("LaneConflict", FieldSchema.object(laneConflict, "A conflict, as a mark.")),
            ("Timeline", FieldSchema.object(timeline, "What devices did over a stretch of time.")),
        ]
    }

    private static let problem = [
        FieldSchema("type", .text, "Always about:blank."), FieldSchema("title", .text, "The name of the status code."),
        FieldSchema("status", .integer, "The status code."),
        FieldSchema("detail", .text, "What is wrong, in a sentence."),
    ]

    private static let device = [
        FieldSchema("device_id", .text, "Its id."), FieldSchema("name", .optional(.text), "Its friendly name."),
        FieldSchema("model", .optional(.text), "Its model."),
        FieldSchema("address", .optional(.text), "Where it was last reached or announced."),
        FieldSchema("state", .word(["seen", "linked", "lost", "withdrawn", "not recorded"]), "How it stands to us."),
        FieldSchema("last_heard_at", .optional(.moment), "When anything last came from it."),
        FieldSchema("gap", .optional(.text), "Why it, or its app, is not observed now."),
    ]

    private static let deviceDetail = [
        FieldSchema("recorder_id", .text, "The recorder that heard it last."),
        FieldSchema("site", .optional(.text), "The site of that recorder."),
        FieldSchema("first_seen_at", .moment, "When it was first seen."),
        FieldSchema("addresses", .list(.text), "The addresses that it announces."),
        FieldSchema("port", .optional(.integer), "The port that it announces."),
        FieldSchema("attach_mode", .optional(.word(attachModes)), "How apps are joined; null without a link."),
        FieldSchema("round_trip_seconds", .optional(.number), "How long it took to answer our last PING."),
        FieldSchema("is_group", .flag, "Whether it is a group of devices."),
        FieldSchema("members", .list(.object), "The members of a group, as it tells them."),
        FieldSchema("identity", .optional(.object), "What it last proved to be, as the change events tell it."),
        FieldSchema("reconnects", .integer, "Links that came up since facts_from."),
        FieldSchema("storms", .integer, "Message storms since facts_from."),
        FieldSchema("facts_from", .moment, "Since when that is counted."),
    ]

    /// As links of the archive have them.
    private static let attachModes = ["platform", "invisible", "weak", "strong"]

    private static let now = [
        FieldSchema("device_id", .text, "Its id."), FieldSchema("device", .optional(.text), "Its friendly name."),
        FieldSchema("model", .optional(.text), "Its model."),
        FieldSchema("site", .optional(.text), "The site of its recorder."),
        FieldSchema("address", .optional(.text), "Where it was last reached."),
        FieldSchema("group_members", .list(.text), "The ids of a group's members."),
        FieldSchema("state", .word(["seen", "linked", "lost", "withdrawn", "not recorded"]), "How it stands to us."),
        FieldSchema("attach_mode", .optional(.word(attachModes)), "How apps are joined; null without a link."),
        FieldSchema("last_heard_at", .moment, "When anything last came from it."),
        FieldSchema("frame_age_seconds", .number, "How long ago that was."),
        FieldSchema("app_id", .optional(.text), "The receiver app that runs."),
        FieldSchema("app", .optional(.text), "Its name."), FieldSchema("title", .optional(.text), "What plays."),
        FieldSchema("subtitle", .optional(.text), "Artist or series."),
        FieldSchema("image", .optional(.text), "A picture's URL; null unless pictures are switched on."),
        FieldSchema("player_state", .optional(.text), "PLAYING, PAUSED, BUFFERING, LOADING or IDLE."),
        FieldSchema("position_seconds", .optional(.number), "The last position told."),
        FieldSchema("position_at", .optional(.moment), "When it was told."),
        FieldSchema("playback_rate", .optional(.number), "How fast it plays."),
        FieldSchema("duration_seconds", .optional(.number), "How long the content is."),
        FieldSchema("volume", .optional(.number), "0 through 1."),
        FieldSchema("muted", .optional(.flag), "Whether muted."),
        FieldSchema("captions", .optional(.object), "The text track that is on: trackId, language, name."),
        FieldSchema("senders", .integer, "Different senders that asked for something in the last ten minutes."),
        FieldSchema(
            "sender_connected", .optional(.flag), "Whether its app knows of a sender; null when it does not say."),
        FieldSchema("activity", .text, "As in lanes: playing, paused, idle, unobserved and so on."),
        FieldSchema("play_id", .optional(.text), "The play that is on."),
        FieldSchema("coverage", .optional(.number), "The share of the last 24 hours that was observed."),
        FieldSchema("conflicts", .integer, "Conflicts of the last 24 hours."),
        FieldSchema("storm", .flag, "Whether it sends a storm of messages."),
        FieldSchema("gap", .optional(.text), "Why it, or its app, is not observed."),
    ]

    private static let evidence = FieldSchema("is_evidence", .flag, "Whether it belongs to the conflict's evidence.")

    private static let moment = [
        FieldSchema("event", .reference("Event"), "The change event."),
        FieldSchema("words", .text, "The same as a sentence."),
        FieldSchema("callbacks", .list(.text), "What every connected sender was told on this frame."),
        FieldSchema("finding", .optional(.text), "What had to be changed to store it."),
        FieldSchema(
            "raw_frame", .optional(.object), "The record in the archive, without secrets; null when it is not here."),
        FieldSchema("before", .list(.reference("Event")), "What came before it on the same device."),
        FieldSchema("after", .list(.reference("Event")), "What came after it."),
    ]

    private static let conflict = [
        FieldSchema("conflict_id", .text, "Its name: 812/0/volume_fight."),
        FieldSchema("recorder_id", .text, "Who observed it."), FieldSchema("device_id", .text, "Where."),
        FieldSchema("device", .optional(.text), "The device's name."), FieldSchema("kind", .text, "Its kind."),
        FieldSchema("from", .moment, "When its evidence begins."), FieldSchema("to", .moment, "When it ends."),
        FieldSchema("score", .number, "How sure it is, 0 through 1."),
        FieldSchema("evidence", .list(.text), "Its change events, the first 64."),
        FieldSchema("evidence_count", .integer, "How many there are."),
        FieldSchema("sentence", .text, "What happened, for people."),
        FieldSchema("app_session_id", .optional(.text), "In which app session."),
        FieldSchema("undoings", .integer, "How often one took back what another had done."),
        FieldSchema("certain_undoings", .integer, "Of them, those by somebody who was certainly another one."),
        FieldSchema("actors", .list(.object), "Who took part."),
        FieldSchema("other_turns", .integer, "Turns of the same by nobody of them."),
        FieldSchema("before", .anything, "The value before."), FieldSchema("after", .anything, "The value after."),
    ]

    private static let conflictDetail = [
        FieldSchema("explanation", .list(.text), "Why it is a conflict."),
        FieldSchema("events", .list(.reference("EvidenceEvent")), "What happened around it."),
    ]

    private static let span = [
        FieldSchema("from", .moment, "The first moment."), FieldSchema("to", .moment, "The first moment after it."),
        FieldSchema("activity", .text, "playing, paused, buffering, idle, unobserved and so on."),
        FieldSchema("reason", .optional(.text), "Why it was not observed."),
        FieldSchema("play_id", .optional(.text), "The play."), FieldSchema("app", .optional(.text), "The app."),
        FieldSchema("title", .optional(.text), "What played."),
        FieldSchema("merged", .integer, "How many spans it stands for."),
    ]

    private static let lane = [
        FieldSchema("device_id", .text, "Which device."), FieldSchema("device", .optional(.text), "Its name."),
        FieldSchema("group", .optional(.text), "The group it is a member of: of several the first by name."),
        FieldSchema("spans", .list(.reference("Span")), "What it did."),
        FieldSchema("totals", .object, "Seconds by activity."),
        FieldSchema("coverage", .optional(.number), "The share of the known time that was observed."),
    ]

    private static let laneConflict = [
        FieldSchema("id", .text, "Its name."), FieldSchema("device_id", .text, "Where."),
        FieldSchema("kind", .text, "Its kind."), FieldSchema("from", .moment, "When it begins."),
        FieldSchema("to", .moment, "When it ends."), FieldSchema("sentence", .text, "What happened."),
    ]

    private static let timeline = [
        FieldSchema("from", .moment, "The first moment."), FieldSchema("to", .moment, "The first moment after it."),
        FieldSchema("lanes", .list(.reference("Lane")), "One per device, by name."),
        FieldSchema("conflicts", .list(.reference("LaneConflict")), "Conflicts that touch it."),
    ]
}
