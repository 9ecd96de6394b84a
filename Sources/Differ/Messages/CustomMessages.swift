import CastModel
import CastWire
import Recording

/// How messages are told that no state follows from: what they are, and as much of them as may leave the archive.
extension DeviceState {
    /// What of a namespace's messages is told.
    private enum Telling {
        /// Type, size and text.
        case text
        /// Type and size: what they say is the platform's own business (PROTOCOL 6.3).
        case size
        /// That there were some, now and then: the set-up of mirroring, many a second.
        case count
    }

    /// An app may call its messages anything; this much of the name is kept, in Unicode scalars.
    private static let typeLimit = 64
    /// This much of a message is kept, in bytes.
    private static let textLimitBytes = 4096

    private static func telling(_ namespace: Namespace) -> Telling {
        switch namespace.urn {
        case "urn:x-cast:com.google.cast.cac", "urn:x-cast:com.google.cast.inject",
            "urn:x-cast:com.google.cast.debugoverlay", "urn:x-cast:com.google.cast.sse",
            "urn:x-cast:com.google.cast.remotecontrol", "urn:x-cast:com.google.cast.system",
            "urn:x-cast:com.google.cast.broadcast":
            .size
        case "urn:x-cast:com.google.cast.remoting", "urn:x-cast:com.google.cast.webrtc": .count
        default: .text
        }
    }

    /// Tells of a message, unless too many of its namespace came; `payload` is nil when it is no JSON object.
    mutating func tellCustom(
        _ message: CastMessage, _ payload: Payload?, of record: Record, into events: inout EventCollector
    ) {
        var telling = Self.telling(message.namespace)
        // An app may say anything about what it plays.
        if titles != nil, telling == .text { telling = .size }
        let namespace = Fingerprint.of(message.namespace.urn.utf8)
        let rate = telling == .count ? MessageGates.Rate.countOnly : .messages
        guard let suppressed = gates.admit(namespace, rate, at: record.monotonic, boot: record.boot) else { return }
        let type =
            telling == .count
            ? nil : payload?.type.map { JSONValue.string(String($0.raw.unicodeScalars.prefix(Self.typeLimit))) }
        var told = telling == .text ? Self.text(of: message, payload) : []
        if suppressed > 0 { told.append(("suppressed", .integer(suppressed))) }
        events.add(.customMessage, after: outside(of: message, [("type", type)], told))
    }

    /// Tells of a message that is not what it claims to be.
    func tellMalformed(_ message: CastMessage, why: String, into events: inout EventCollector) {
        events.add(.malformedPayload, after: outside(of: message, [("why", .string(why))]))
    }

    /// What a message says, without its secrets; nothing of bytes.
    private static func text(of message: CastMessage, _ payload: Payload?) -> [(key: String, value: JSONValue?)] {
        let text: String
        if let payload {
            let isMedia = message.namespace == .media || message.namespace == .receiver
            let told = isMedia ? Redaction.withoutCustomData(.object(payload.json)) : .object(payload.json)
            text = Redaction.redacted(told).text
        } else {
            guard let bytes = message.textBytes else { return [] }
            text = Redaction.redacted(String(decoding: bytes, as: UTF8.self))
        }
        guard text.utf8.count > textLimitBytes else { return [("text", .string(text))] }
        // A cut within a character leaves its replacement character at the end.
        let cut = String(decoding: text.utf8.prefix(textLimitBytes), as: UTF8.self)
        return [("text", .string(cut)), ("truncated", true)]
    }

    /// The fingerprint of a message; nil where titles are left out.
    func fingerprintShown(_ bytes: [UInt8]) -> JSONValue? {
        titles == nil ? .string(Fingerprint.text(Fingerprint.of(bytes))) : nil
    }

    /// A message from the outside: its namespace, its size in bytes and a fingerprint, to tell repeats.
    ///
    /// Where titles are left out there is no fingerprint: of a short message it would give them away.
    private func outside(
        of message: CastMessage, _ what: [(key: String, value: JSONValue?)],
        _ more: [(key: String, value: JSONValue?)] = []
    ) -> JSONValue? {
        let bytes = message.payloadBytes
        return JSONObject(
            known: [("namespace", .string(message.namespace.urn))] + what + [
                ("size", .integer(Int64(bytes.count))), ("fnv1a", fingerprintShown(bytes)),
            ] + more
        ).unlessEmpty
    }
}
