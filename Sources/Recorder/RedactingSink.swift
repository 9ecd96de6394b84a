import CastModel
import Differ
import Recording

/// Takes secrets out of observations before the archive gets them: `--redact archive`.
///
/// Used by one thread at a time, as the sink behind it is; its parser has a memory of its own.
final class RedactingSink: RecordSink {
    private let sink: any RecordSink
    private let parser = JSONParser()

    /// A sink in front of another.
    init(_ sink: any RecordSink) { self.sink = sink }

    /// Takes observations, in order, as the sink behind takes them.
    func append(_ observations: [Observation]) -> Bool {
        sink.append(
            observations.map { observation in
                var clean = observation
                clean.body = FrameRedaction.redacted(observation.body, with: parser)
                return clean
            })
    }
}
