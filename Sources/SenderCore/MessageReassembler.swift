public import CastWire

/// Puts payloads together again that came in several messages (fields 8 and 9, PROTOCOL 2.2).
///
/// Nobody has seen a device do that, so this trusts nothing: what does not fit together comes out as it came. Chunks
/// belong together when source, destination and namespace are equal; a last chunk has `continued` false, or
/// exactly the bytes that were still to come.
public struct MessageReassembler: Sendable {
    /// How many bytes may wait, over all unfinished messages; each chunk counts 256 more than its payload.
    public static let pendingLimitBytes = FrameDecoder.bodyLimitBytes
    /// How many messages may be unfinished.
    public static let pendingLimitMessages = 8

    private struct Key: Hashable {
        var sourceID: String
        var destinationID: String
        var namespace: Namespace
    }

    private var unfinished: [(key: Key, chunks: [CastMessage])] = []
    private var pendingBytes = 0

    /// A reassembler for one link.
    public init() {}

    /// Whether chunks wait for the rest of their message.
    public var isHolding: Bool { !unfinished.isEmpty }

    /// Takes the next message of a link, and gives back what is complete: usually the message itself.
    ///
    /// Chunks that cannot be completed any more come first, raw and in their order.
    public mutating func take(_ message: CastMessage) -> [CastMessage] {
        if unfinished.isEmpty && message.continued != true { return [message] }
        let key = Key(
            sourceID: message.sourceID, destinationID: message.destinationID, namespace: message.namespace)
        let index = unfinished.firstIndex { $0.key == key }
        if message.continued == true { return hold(message, key, at: index) }
        guard let index else { return [message] }
        let chunks = remove(at: index)
        guard isLast(message, after: chunks[chunks.count - 1]) else { return chunks + [message] }
        return [joined(chunks + [message])]
    }

    /// Gives up waiting: all chunks, raw, in the order of their messages.
    public mutating func flush() -> [CastMessage] {
        defer {
            unfinished = []
            pendingBytes = 0
        }
        return unfinished.flatMap(\.chunks)
    }

    private mutating func hold(_ message: CastMessage, _ key: Key, at index: Int?) -> [CastMessage] {
        let size = Self.cost(of: message)
        guard pendingBytes + size <= Self.pendingLimitBytes else {
            return (index.map { remove(at: $0) } ?? []) + [message]
        }
        var given: [CastMessage] = []
        if let index {
            guard unfinished[index].chunks[0].payloadType == message.payloadType else {
                return remove(at: index) + [message]
            }
            unfinished[index].chunks.append(message)
        } else {
            if unfinished.count == Self.pendingLimitMessages { given = remove(at: 0) }
            unfinished.append((key, [message]))
        }
        pendingBytes += size
        return given
    }

    private mutating func remove(at index: Int) -> [CastMessage] {
        let chunks = unfinished.remove(at: index).chunks
        pendingBytes -= chunks.reduce(0) { $0 + Self.cost(of: $1) }
        return chunks
    }

    /// What a waiting chunk counts for: an empty one takes memory too.
    private static func cost(of message: CastMessage) -> Int { message.payloadBytes.count + 256 }

    private func isLast(_ message: CastMessage, after previous: CastMessage) -> Bool {
        guard message.payloadType == previous.payloadType else { return false }
        if let remaining = previous.remainingLengthBytes {
            return message.payloadBytes.count == Int(remaining)
        }
        return message.continued == false
    }

    private func joined(_ chunks: [CastMessage]) -> CastMessage {
        var whole = chunks[0]
        let bytes = chunks.flatMap(\.payloadBytes)
        whole.payloadUTF8 = whole.payloadType == .string ? bytes : nil
        whole.payloadBinary = whole.payloadType == .binary ? bytes : nil
        whole.continued = nil
        whole.remainingLengthBytes = nil
        return whole
    }
}
