import Testing

@testable import IO

@Suite("The room of a volume")
struct VolumeRoomTests {
    @Test func `is its blocks in bytes`() {
        let room = VolumeRoom(freeBlocks: 3, totalBlocks: 10, blockBytes: 4096)
        #expect(room.freeBytes == 12_288)
        #expect(room.totalBytes == 40_960)
    }

    @Test(
        arguments: [(UInt64.max, 1), (1 << 52, 4096), (1 << 51, 4096), (UInt64.max, UInt64.max)] as [(UInt64, UInt64)])
    func `is the most that a number holds where it claims more`(blocks: UInt64, blockBytes: UInt64) {
        // 2^51 blocks of 4096 bytes are 2^63 bytes, one more than Int64 holds; 2^52 of them wrap around to nothing.
        let room = VolumeRoom(freeBlocks: blocks, totalBlocks: blocks, blockBytes: blockBytes)
        #expect(room.freeBytes == 9_223_372_036_854_775_807)
        #expect(room.totalBytes == 9_223_372_036_854_775_807)
    }

    @Test func `is told for a path that exists, and an error names one that does not`() throws {
        let room = try VolumeRoom(at: "/")
        #expect(room.totalBytes > 0)
        #expect(room.freeBytes <= room.totalBytes)
        #expect(VolumeRoom(holding: "/nowhere") == nil)
        #expect { try VolumeRoom(at: "/nowhere") } throws: { "\($0)" == "statvfs /nowhere: No such file or directory" }
    }
}
