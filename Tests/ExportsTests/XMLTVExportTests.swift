import CastModel
import IO
import Plays
import Recording
import Testing

@testable import Exports

@Suite("A listing of plays") struct XMLTVExportTests {
    /// What xmllint has to say against the DTD of the XMLTV project; nothing when the file is valid.
    private func complaints(_ content: String) throws -> String {
        let folder = try Files.makeTemporaryFolder("castledger-xmltv")
        defer { try? Files.removeTree(folder) }
        let dtd = SampleLedger.root + "/.build/test-peers/xmltv.dtd"
        try #require(Files.exists(dtd), "run 'make test-deps' first")
        // Listings name the DTD as a file beside them.
        try Files.replace(folder + "/xmltv.dtd", with: try Files.read(dtd))
        try Files.replace(folder + "/listing.xml", with: Array(content.utf8))
        let (exit, output) = try ChildProcess.run(
            ["xmllint", "--nonet", "--noout", "--dtdvalid", dtd, folder + "/listing.xml"], includingErrors: true)
        let words = String(decoding: output, as: UTF8.self)
        return exit == .code(0) ? words : "\(exit): \(words)"
    }

    @Test func `is valid by the DTD of its project, whatever devices and apps say`() throws {
        #expect(try complaints(SampleLedger.file(XMLTVExport(), SampleLedger.playRows)) == "")
        #expect(try complaints(SampleLedger.file(XMLTVExport(), [])) == "")
        var every = ""
        for value in UInt32(0)...0xFFFF {
            if let scalar = Unicode.Scalar(value) { every.unicodeScalars.append(scalar) }
        }
        var play = SampleLedger.film
        (play.content.title, play.appName, play.content.artist) = (every, every, every)
        var heading = SampleLedger.heading()
        heading.program = every
        heading.devices = [ExportDevice(deviceID: DeviceID(every), deviceName: every)]
        let file = SampleLedger.file(XMLTVExport(), [.play(SampleLedger.fields(play))], heading)
        #expect(try complaints(file) == "")
        // The judge can say no.
        #expect(try complaints("<tv><programme start=\"1\" channel=\"x\"/></tv>").contains("does not follow the DTD"))
    }

    @Test func `lists every device, and every play at its time`() throws {
        let heading = SampleLedger.heading(zone: SampleLedger.india)
        let listing = try SampleLedger.read("xmltv", SampleLedger.file(XMLTVExport(), SampleLedger.playRows, heading))
        #expect(
            listing["channels"] == [
                ["id": "aa01.castledger", "name": "\"><script>alert(1)</script>"],
                ["id": "bb02.castledger", "name": "=HYPERLINK(\"http://x\",\"y\")"],
                ["id": "cc03.castledger", "name": "Küche 📺 \u{202E}gnp\nTwo"],
            ])
        let programmes = try #require(listing["programmes"]?.array)
        #expect(
            programmes.map { $0["start"]?.string } == [
                "20260302013000 +0530", "20260302014000 +0530", "20260302014500 +0530", "20260302020000 +0530",
                "20260302022000 +0530",
            ])
        // One that lasts has no end; half a second takes one.
        #expect(
            programmes.map { $0["stop"]?.string } == [
                "20260302021200 +0530", nil, "20260302014501 +0530", "20260302020500 +0530", "20260302022001 +0530",
            ])
        #expect(
            programmes[0] == [
                "start": "20260302013000 +0530", "stop": "20260302021200 +0530", "channel": "aa01.castledger",
                "title": "A Quiet Harbour",
                "desc": """
                App: Default Media Receiver
                Played 41 min 40 s, paused 20.5 s
                Begun by: a sender
                Ended: finished
                Content: http://192.0.2.1/a.mp4?x=1&y=2
                Play: 10/0 of recorder 95f615df-a075-4de9-a1b9-d14addf0f875
                """, "category": "Default Media Receiver", "length": "2520",
            ])
        #expect(programmes[1]["title"] == "Serie; with, commas")
        #expect(
            programmes[1]["sub-title"]?.string
                == "]]>" + String(repeating: "é", count: 2048) + "\u{FFFD}\u{FFFD}end")
        #expect(programmes[1]["episode-num"] == "S02E05")
        #expect(programmes[2]["sub-title"] == "עברית – Album")
        #expect(programmes[3]["title"] == "Unknown content")
    }
}
