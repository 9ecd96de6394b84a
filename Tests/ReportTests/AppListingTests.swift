import CastModel
import Testing

@testable import Report

@Suite("The list of known apps") struct AppListingTests {
    private func listing(_ id: String) throws -> AppListing {
        AppListing(app: try #require(AppRegistry.builtIn[AppID(id)]))
    }

    @Test func `says what is special or doubtful about an app`() throws {
        #expect(try listing("25456794").row == ["Audible", "speech", "25456794", "joined after 1000 ms"])
        #expect(try listing("CC1AD845").row == ["Default Media Receiver", "video", "CC1AD845", ""])
        #expect(
            try listing("CA5E8412").row
                == ["Netflix", "video", "CA5E8412", "does not tell what it plays; the older id"])
    }

    @Test func `is, for programs, in the form that an operator's file has`() throws {
        let text = try listing("2C6A6E3D").json
        #expect(
            text == """
                {"id":"2C6A6E3D","name":"YouTube","kind":"video","quirks":{"adsInCustomData":true},\
                "note":"on Android TV; its universal id is 233637DE"}
                """)
        let file = "{\"apps\":[\(AppRegistry.builtIn.all.map { AppListing(app: $0).json }.joined(separator: ","))]}"
        #expect(try AppRegistry(parsing: Array(file.utf8)) == AppRegistry.builtIn)
    }

    @Test func `is in the order of names`() {
        let names = AppRegistry.builtIn.all.map(\.name)
        #expect(names.first == "AirConnect")
        #expect(names.count == 59)
        #expect(names == names.sorted())
    }
}
