import IO
import Recorder
import Testing

@Suite("The data folder")
struct DataFolderTests {
    @Test(
        arguments: [
            (true, [:], "/var/lib/castledger"),
            (false, ["HOME": "/home/kim"], "/home/kim/.local/share/castledger"),
            (false, ["HOME": "/home/kim", "XDG_DATA_HOME": "/data"], "/data/castledger"),
            (true, ["CASTLEDGER_DATA": "/srv/cast"], "/srv/cast"),
            (false, ["HOME": "/home/kim", "CASTLEDGER_DATA": ""], "/home/kim/.local/share/castledger"),
        ] as [(Bool, [String: String], String)])
    func `is where the user's environment says`(isRoot: Bool, environment: [String: String], path: String) {
        #expect(DataFolder.byDefault(isRoot: isRoot) { environment[$0] }.path == path)
    }

    @Test func `gives its recorder one id for ever`() throws {
        let folder = DataFolder(try Files.makeTemporaryFolder("castledger-data"))
        defer { try? Files.removeTree(folder.path) }
        #expect(try folder.existingRecorderID() == nil)
        let id = try folder.recorderID()
        #expect(try folder.recorderID() == id)
        #expect(try folder.existingRecorderID() == id)
        // RFC 9562, version 4: 8-4-4-4-12 digits, version nibble 4, variant 8 to b.
        let parts = id.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(parts[2].first == "4")
        #expect("89ab".contains(try #require(parts[3].first)))
    }

    @Test func `with a damaged id, refuses rather than becoming a new recorder`() throws {
        let folder = DataFolder(try Files.makeTemporaryFolder("castledger-data"))
        defer { try? Files.removeTree(folder.path) }
        try Files.replace(folder.path + "/recorder-id", with: Array("\0\0\0".utf8))
        #expect(throws: IOError.self) { try folder.recorderID() }
    }
}
