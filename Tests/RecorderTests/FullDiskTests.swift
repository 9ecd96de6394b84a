import Archive
import CastModel
import CastWire
import Glibc
import IO
import Recording
import TLS
import Telemetry
import TestSupport
import Testing

@testable import Sender

/// The real disk, until it is said to be full.
private final class FillingDisk: ArchiveFiles {
    let isFull = Guarded(false)
    private let disk = DiskFiles()

    func names(in folder: String) throws(IOError) -> [String] { try disk.names(in: folder) }
    func makeFolders(_ path: String) throws(IOError) { try disk.makeFolders(path) }
    func syncFolder(_ path: String) throws(IOError) { try disk.syncFolder(path) }
    func rename(_ path: String, to other: String) throws(IOError) { try disk.rename(path, to: other) }
    func replace(_ path: String, with content: [UInt8], synced: Bool) throws(IOError) {
        try disk.replace(path, with: content, synced: synced)
    }
    func open(_ path: String, writing: Bool) throws(IOError) -> any ArchiveFile {
        try disk.open(path, writing: writing)
    }
    func remove(_ path: String) throws(IOError) { try disk.remove(path) }
    func removeFolderIfEmpty(_ path: String) { disk.removeFolderIfEmpty(path) }
    func space(of path: String) throws(IOError) -> (free: Int64, total: Int64) { try disk.space(of: path) }
    func lock(_ path: String, holder: String) throws(IOError) -> (any ArchiveLock)? {
        try disk.lock(path, holder: holder)
    }
    func create(_ path: String) throws(IOError) -> any ArchiveFile {
        if isFull.withLock({ $0 }) { throw IOError(call: "open", number: ENOSPC, subject: path) }
        return try disk.create(path)
    }
}

@Suite("On a full disk", .serialized, .waits)
struct FullDiskTests {
    @Test func `what fits is kept, and the rest is counted per device, at its place`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-full-disk")
        defer { try? Files.removeTree(folder) }
        let archiveFolder = try ArchiveFolder(data: folder, recorder: "attic")
        let disk = FillingDisk()
        let writer = try ArchiveWriter(archiveFolder, boot: Clock.bootID(), files: disk)
        disk.isFull.withLock { $0 = true }
        let archive = try ArchiveThread(writer, log: .silent, mailboxLimit: 2_000, retryInterval: .milliseconds(1)) {
            _ in
        }
        let loop = try EventLoop()
        let resources = LinkResources(loop: loop, tls: try TLSContext.forDeviceLinks())
        let outlet = ObservationOutlet(resources, sink: archive)
        func observe(_ number: Int, of device: String) {
            outlet.append(
                resources.observation(
                    .frame(
                        RecordedFrame(
                            device: DeviceID(device), link: LinkNumber(1), direction: .inbound,
                            message: CastMessage(from: "a", to: "*", .media, text: "\(number)")))))
        }
        // Even numbers are of 'aa', odd ones of 'bb'; 65,536 fit, and 2,003 of each device do not.
        for number in 0..<65_536 + 4_006 { observe(number, of: number % 2 == 0 ? "aa" : "bb") }
        #expect(outlet.framesLost == 4_006)

        var isOver = false
        var wasStalled = false
        func look() {
            if !wasStalled, archive.isStalled, outlet.isFull {
                // The archive took the first ones: there is room again, for frames after the loss.
                wasStalled = true
                for number in 0..<3 { observe(number, of: "aa") }
                disk.isFull.withLock { $0 = false }
            }
            isOver = wasStalled && outlet.isDrained && !outlet.isFull
            if isOver { loop.stop() } else { loop.schedule(after: .milliseconds(1)) { look() } }
        }
        loop.schedule(after: .seconds(120)) { loop.stop() }
        loop.schedule(after: .zero) { look() }
        loop.run()
        #expect(isOver, "within two minutes")
        #expect(archive.stop(within: .seconds(60)) == 0)

        var found: [String] = []
        let reader = ArchiveReader(archiveFolder)
        while case let batches = try reader.readAvailable(), !batches.isEmpty {
            for record in batches.flatMap(\.records) {
                switch record.body {
                case .frame(let frame): found.append(String(decoding: frame.message.payloadBytes, as: UTF8.self))
                case .framesLost(let device, let count, _): found.append("lost \(device?.text ?? "-") \(count)")
                default: found.append("\(record.body)")
                }
            }
        }
        let expected = (0..<65_536).map { "\($0)" } + ["lost aa 2003", "lost bb 2003", "0", "1", "2"]
        #expect(found.count == expected.count)
        #expect(found == expected)
        #expect(try ArchiveVerification.run(archiveFolder).isIntact)
    }
}
