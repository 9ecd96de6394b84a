import CZlib

/// Compresses in the gzip form (RFC 1952), piece by piece; the only file that sees zlib.
///
/// Belongs to one thread at a time. Freed once, by `deinit`.
@safe final class Gzip {
    private static let stepBytes = 65_536
    private let deflater: OpaquePointer

    /// Nil when memory is short.
    ///
    /// - Parameter level: 1, fast, through 9, small.
    init?(level: Int32) {
        guard let made = unsafe czlib_begin(level) else { return nil }
        unsafe deflater = made
    }

    deinit { unsafe czlib_end(deflater) }

    /// What comes out after these bytes went in; nothing at times.
    func compress(_ bytes: [UInt8], finishes: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        var offset = 0
        var place = [UInt8](repeating: 0, count: Self.stepBytes)
        while true {
            var taken = 0
            let count = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe czlib_step(
                    deflater, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset, &taken,
                    finishes ? 1 : 0, &place, place.count)
            }
            offset += taken
            output += place[..<count]
            guard count == place.count || offset < bytes.count else { return output }
        }
    }

    /// A whole text, compressed; nil when memory is short.
    static func whole(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        Gzip(level: level)?.compress(bytes, finishes: true)
    }
}
