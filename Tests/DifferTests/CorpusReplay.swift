import CastModel
import CastWire
import Recording
import TestSupport

extension Corpus {
    /// The records of a file: one device, whose link comes up at second 0.
    static func replay(_ name: String) throws -> Replay {
        var replay = Replay()
        replay.open(0)
        for message in try messages(name) {
            replay.add(
                message.seconds,
                .frame(
                    RecordedFrame(
                        device: replay.device, link: LinkNumber(1),
                        direction: message.isOutbound ? .outbound : .inbound,
                        message: CastMessage(
                            from: message.sourceID, to: message.destinationID, Namespace(message.namespace),
                            text: message.text))))
        }
        return replay
    }
}
