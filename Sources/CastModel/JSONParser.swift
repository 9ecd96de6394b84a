import CSimdjson

/// Why a text is not JSON.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// simdjson's own words.
    public let description: String
}

/// Parses JSON with simdjson.
///
/// One parser serves one thread; its memory is used again for the next document.
///
/// simdjson refuses what RFC 8259 refuses, and also lone surrogates, integers beyond 64 bits and nesting deeper than
/// ``depthLimit``. A refused payload is the caller's to keep and to report.
///
/// A class, since one parser is shared by everything on its thread; freed once, by `deinit`.
@safe public final class JSONParser {
    /// Arrays and objects within each other (PROTOCOL 8, parser rule 5).
    public static let depthLimit = 64

    private let parser: OpaquePointer

    /// A parser with its own memory.
    ///
    /// Traps when there is none left. What we wrote ourselves around a peer's value may nest deeper than that value:
    /// read it back with a larger `depthLimit`, 1 through 1024.
    public init(depthLimit: Int = JSONParser.depthLimit) {
        guard let parser = unsafe csimdjson_create(depthLimit) else {
            preconditionFailure("simdjson could not allocate its first buffer")
        }
        unsafe self.parser = parser
    }

    deinit { unsafe csimdjson_free(parser) }

    /// The value that a whole document holds.
    public func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var tokens: UnsafePointer<csimdjson_token>?
        var count = 0
        let error = unsafe csimdjson_parse(parser, bytes, bytes.count, &tokens, &count)
        guard error == 0, let tokens = unsafe tokens else {
            throw JSONError(description: unsafe String(cString: csimdjson_error(error)))
        }
        var walk = unsafe TokenWalk(tokens: UnsafeBufferPointer(start: tokens, count: count))
        return walk.value()
    }

    /// The value that a whole document holds.
    public func parse(_ text: String) throws(JSONError) -> JSONValue { try parse(Array(text.utf8)) }
}

/// Rebuilds values from the flat list of tokens.
///
/// The shim made the list, so its shape is certain.
@safe private struct TokenWalk {
    private let tokens: UnsafeBufferPointer<csimdjson_token>
    private var index = 0

    init(tokens: UnsafeBufferPointer<csimdjson_token>) { unsafe self.tokens = tokens }

    mutating func value() -> JSONValue {
        let token = unsafe tokens[index]
        index += 1
        switch unsafe csimdjson_kind(UInt32(token.kind)) {
        case CSIMDJSON_NULL: return .null
        case CSIMDJSON_FALSE: return .bool(false)
        case CSIMDJSON_TRUE: return .bool(true)
        case CSIMDJSON_INTEGER: return unsafe .integer(token.value.integer)
        case CSIMDJSON_UNSIGNED: return unsafe .unsigned(UInt64(bitPattern: token.value.integer))
        case CSIMDJSON_DOUBLE: return unsafe .number(token.value.number)
        case CSIMDJSON_STRING: return unsafe .string(text(token))
        case CSIMDJSON_ARRAY:
            let count = unsafe Int(token.length)
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(value()) }
            return .array(elements)
        default:
            let count = unsafe Int(token.length)
            var pairs: [(key: String, value: JSONValue)] = []
            pairs.reserveCapacity(count)
            for _ in 0..<count {
                let key = unsafe text(tokens[index])
                index += 1
                pairs.append((key, value()))
            }
            return .object(JSONObject(pairs))
        }
    }

    private func text(_ token: csimdjson_token) -> String {
        let bytes = unsafe UnsafeRawBufferPointer(start: token.value.text, count: Int(token.length))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
