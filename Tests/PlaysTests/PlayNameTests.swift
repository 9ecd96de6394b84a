import Differ
import Plays
import Recording
import Testing

@Suite("The name of a play") struct PlayNameTests {
    @Test func `is its position and ordinal, and is understood`() {
        let id = ChangeEvent.ID(position: ArchivePosition(1234), ordinal: 5)
        #expect(id.playName == "1234/5")
        #expect(ChangeEvent.ID(playName: "1234/5") == id)
    }

    @Test(arguments: ["", "/", "1", "1/", "/1", "1/2/3", "1//2", "a/1", "1/2147483648", "9223372036854775808/0"])
    func `is nothing else`(text: String) {
        #expect(ChangeEvent.ID(playName: text) == nil)
    }
}
