import CZstd

/// What the archive fixes of the zstd format (RFC 8878), so that block ends can be found without decompressing.
enum ZstdFrame {
    /// Every frame of ours begins so: the magic number, "checksum, no dictionary, no size", a window of 2 MiB.
    static let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58]
    static let windowLog: Int32 = 21
    static let level: Int32 = 3
    static let blockHeaderBytes = 3
    static let checksumBytes = 4
    /// No block holds more, compressed or not.
    static let blockLimitBytes = 131_072
    /// An empty raw block that says "last": it ends a frame after a flush, then comes the checksum.
    static let lastBlock: [UInt8] = [0x01, 0x00, 0x00]
}

/// Bytes that zstd refused; the description is libzstd's.
struct ZstdError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// One zstd compression context; it cannot be copied, so it is freed exactly once.
@safe struct ZstdCompressor: ~Copyable {
    /// What follows the bytes given.
    enum Ending {
        /// All of them can be decompressed from what was written so far.
        case flush
        /// The frame ends, with its checksum; the next bytes begin another.
        case frame
    }

    private let context: OpaquePointer

    init() {
        guard let made = unsafe ZSTD_createCCtx() else { preconditionFailure("zstd could not allocate its context") }
        unsafe context = made
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, ZstdFrame.level), (ZSTD_c_windowLog, ZstdFrame.windowLog),
            (ZSTD_c_checksumFlag, 1), (ZSTD_c_contentSizeFlag, 0),
        ] {
            let result = unsafe ZSTD_CCtx_setParameter(made, parameter, value)
            precondition(ZSTD_isError(result) == 0, "zstd refuses its own documented parameters")
        }
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// Compresses `bytes` and appends the result to `output`.
    ///
    /// A frame must not end with its first bytes, since zstd then writes another header: flush first.
    mutating func compress(_ bytes: [UInt8], ending: Ending, to output: inout [UInt8]) {
        let mode = ending == .flush ? ZSTD_e_flush : ZSTD_e_end
        let chunk = ZSTD_CStreamOutSize()
        unsafe bytes.withUnsafeBytes { source in
            var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var left = 1
            while left != 0 {
                let part = unsafe [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                    var space = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: chunk, pos: 0)
                    left = unsafe ZSTD_compressStream2(context, &space, &input, mode)
                    unsafe count = space.pos
                }
                precondition(ZSTD_isError(left) == 0, "zstd could not compress: it is out of memory")
                output.append(contentsOf: part)
            }
        }
    }
}

/// One zstd decompression context and its buffer; it cannot be copied, so both are freed exactly once.
@safe struct ZstdDecompressor: ~Copyable {
    private let context: OpaquePointer
    private let buffer: UnsafeMutableRawBufferPointer
    /// Whether a frame has begun and not ended.
    private(set) var isInsideFrame = false

    init() {
        guard let made = unsafe ZSTD_createDCtx() else { preconditionFailure("zstd could not allocate its context") }
        unsafe context = made
        unsafe buffer = .allocate(byteCount: ZstdFrame.blockLimitBytes, alignment: 16)
    }

    deinit {
        unsafe ZSTD_freeDCtx(context)
        unsafe buffer.deallocate()
    }

    /// Forgets a frame that was begun.
    mutating func reset() {
        _ = unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
        isInsideFrame = false
    }

    /// Decompresses any part of the input, such as a frame header, block or checksum, and appends what it holds to
    /// `output`.
    mutating func decompress(_ unit: ArraySlice<UInt8>, to output: inout [UInt8]) throws(ZstdError) {
        var failure: ZstdError?
        unsafe unit.withUnsafeBytes { source in
            var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var isFull = true
            while failure == nil, unsafe isFull || input.pos < input.size {
                let before = unsafe input.pos
                var space = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                let result = unsafe ZSTD_decompressStream(context, &space, &input)
                if ZSTD_isError(result) != 0 {
                    failure = ZstdError(description: unsafe String(cString: ZSTD_getErrorName(result)))
                }
                // Between frames, a call that does nothing asks for the next one.
                if unsafe result == 0 || input.pos > before || space.pos > 0 { isInsideFrame = result != 0 }
                unsafe output.append(contentsOf: buffer[..<space.pos])
                isFull = unsafe space.pos == buffer.count
            }
        }
        if let failure { throw failure }
    }
}
