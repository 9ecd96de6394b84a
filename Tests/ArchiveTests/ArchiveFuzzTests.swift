import Recording
import TestSupport
import Testing

@testable import Archive

// Goal: whatever a disk makes of an archive, reading neither traps nor hangs, and gives nothing that was not written.
// Method: the segments of a small archive, changed at random; read and verified as a whole.
@Suite("An archive of anything at all")
struct ArchiveFuzzTests {
    @Test func `gives records that were written, in their order, or says that it is damaged`() throws {
        let sample = try BitFlipTests.Sample(frameBytes: 1_400)
        let paths = sample.contents.keys.sorted()
        var damaged = 0
        try Fuzzing.rounds(300, "archive") { changes in
            var contents = sample.contents
            let path = paths[changes.below(paths.count)]
            var bytes = contents[path] ?? []
            changes.change(&bytes)
            contents[path] = bytes
            let files = MemoryFiles(contents)
            let reader = ArchiveReader(Samples.folder, onDamage: .skip, files: files)
            var read: [Record] = []
            while case let batches = try reader.readAvailable(), !batches.isEmpty { read += batches.flatMap(\.records) }
            #expect(read.allSatisfy { sample.records.contains($0) })
            #expect(zip(read, read.dropFirst()).allSatisfy { $0.position < $1.position })
            let verified = try ArchiveVerification.run(Samples.folder, files: files)
            if verified.isIntact, verified.unfinishedBytes == 0 {
                #expect(read == sample.records)
            } else {
                damaged += 1
            }
        }
        #expect(damaged > 200)
    }
}
