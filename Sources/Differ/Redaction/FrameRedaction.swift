public import CastModel
import CastWire
public import Recording

/// Takes secrets out of whole records: for an archive that must hold none, and for people who look at frames.
///
/// What cannot be read cannot be judged, so bytes are left out, but for a device's proof of its identity.
public enum FrameRedaction {
    /// The record's content without secrets; the very same where there was none.
    public static func redacted(_ body: RecordBody, with parser: JSONParser) -> RecordBody {
        switch body {
        case .frame(let frame): return .frame(redacted(frame, with: parser))
        case .frameMalformed(var frame):
            guard !frame.bytes.isEmpty else { return body }
            frame.why += " (\(frame.bytes.count) bytes left out)"
            frame.bytes = []
            return .frameMalformed(frame)
        case .deviceSeen(var advertisement):
            for index in advertisement.txt.indices where isSecret(key: advertisement.txt[index].key) {
                guard advertisement.txt[index].value != nil else { continue }
                advertisement.txt[index].value = Redaction.placeholder
            }
            return .deviceSeen(advertisement)
        case .recorderStarted, .recorderStopped, .deviceWithdrawn, .linkOpened, .linkClosed, .framesLost, .gap,
            .segmentsPruned:
            return body
        }
    }

    /// The frame without secrets, marked where it is not what passed.
    ///
    /// - Parameter customData: Whether what apps put into media messages for themselves stays, but for what is secret by
    ///   its name: an archive needs it, since ads are told there; a reader of frames does not.
    public static func redacted(
        _ frame: RecordedFrame, keeping customData: Bool = true, with parser: JSONParser
    ) -> RecordedFrame {
        var frame = frame
        let message = frame.message
        if message.namespace == .heartbeat || message.namespace == .deviceAuthentication { return frame }
        let isText = message.payloadType == .string
        if let text = message.textBytes, let clean = redacted(text, keeping: customData, with: parser) {
            frame.message.payloadUTF8 = clean
            frame.message.payloadBinary = nil
            frame.isRedacted = true
        } else if let bytes = message.payloadBinary, !bytes.isEmpty, !isText || message.payloadUTF8?.isEmpty == false {
            frame.message.payloadBinary = []
            frame.isRedacted = true
        }
        if !isText, message.payloadUTF8?.isEmpty == false {
            frame.message.payloadUTF8 = nil
            frame.isRedacted = true
        }
        return frame
    }

    /// The text without secrets; nil when it holds none.
    private static func redacted(_ text: [UInt8], keeping customData: Bool, with parser: JSONParser) -> [UInt8]? {
        guard let json = try? parser.parse(text) else {
            let plain = String(decoding: text, as: UTF8.self)
            let clean = Redaction.redacted(plain)
            return clean == plain ? nil : Array(clean.utf8)
        }
        let clean = Redaction.redacted(customData ? json : Redaction.withoutCustomData(json))
        return clean == json ? nil : Array(clean.text.utf8)
    }

    /// TXT `bs` is a hardware address, or looks like one (PROTOCOL 1.2).
    private static func isSecret(key: String) -> Bool { key.lowercased() == "bs" || Redaction.isSecret(key: key) }
}
