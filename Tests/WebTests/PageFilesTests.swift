import IO
import Testing
import WebCore

@testable import Web

@Suite("The page in the program") struct PageFilesTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources/Web/Page"

    @Test func `has every file of the folder, byte for byte, with its type`() throws {
        let files = PageFiles()
        #expect(try files.names == Files.names(in: Self.folder), "run Sources/Web/embed")
        let request = try HTTPRequest(method: "GET", target: "/")
        for name in files.names {
            let answer = try #require(files.answer(name, to: request))
            #expect(answer.body == (try Files.read("\(Self.folder)/\(name)")), "\(name)")
            #expect(answer.contentType != "application/octet-stream", "\(name)")
        }
        #expect(files.answer("../index.html", to: request) == nil)
    }
}
