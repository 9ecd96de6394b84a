/// What can be sought in a live broadcast: `liveSeekableRange` (PROTOCOL 4.3).
public struct LiveRange: Sendable, Equatable {
    /// The whole object.
    public let json: JSONObject

    /// The range that an object describes.
    public init(_ json: JSONObject) { self.json = json }

    /// The earliest position, in seconds of media time.
    public var startSeconds: Field<Double> { json.numberField("start") }
    /// The live edge, in seconds of media time.
    public var endSeconds: Field<Double> { json.numberField("end") }
    /// Whether the earliest position moves on with the live edge.
    public var isMovingWindow: Field<Bool> { json.flagField("isMovingWindow") }
    /// Whether the broadcast is over.
    public var isLiveDone: Field<Bool> { json.flagField("isLiveDone") }
}
