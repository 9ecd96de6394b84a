import CastModel
import Glibc
import IO
import TestSupport
import Testing

@Suite("The demo", .serialized, .waits)
struct DemoTests {
    @Test func `shows three devices and a group, and the timeline tells what happened and who caused it`() throws {
        let folder = try Files.makeTemporaryFolder("castledger-demo", mode: 0o711)
        defer { try? Files.removeTree(folder) }
        let data = folder + "/data"
        let demo = try Program.start(["demo", "--data", data], log: folder + "/demo.log", inOwnGroup: true)
        defer {
            demo.send(SIGTERM)
            demo.wait()
        }
        let timeline = try eventually(within: 60) { () -> String? in
            let (exit, text) = try Program.run(["timeline", "--data", data, "--device", "Living Room TV"])
            return exit == .code(0) && text.contains("sender request") && text.contains("playing") ? text : nil
        }
        let text = try #require(
            timeline, "\(String(decoding: (try? Files.read(folder + "/demo.log")) ?? [], as: UTF8.self))")
        #expect(text.contains("receiver"))
        let devices = try Program.json(["devices", "--data", data])
        #expect(
            devices.compactMap { $0["name"]?.string }.sorted() == [
                "Bedroom Speaker", "Kitchen Display", "Living Room TV", "Whole House",
            ])
        #expect(devices.allSatisfy { $0["state"]?.string == "linked" }, "\(devices.map(\.text))")

        // What Ctrl-C in a terminal does: SIGINT to the whole process group, which the database must not be in.
        kill(-demo.id, SIGINT)
        #expect(demo.wait() == .code(0))
        let log = String(decoding: try Files.read(folder + "/demo.log"), as: UTF8.self)
        #expect(!log.contains("level=error"), "\(log)")
        #expect(log.contains("recorder stopped"))
        let (_, ended) = try Program.run(["timeline", "--data", data, "--device", "Living Room TV"])
        #expect(ended.contains("from here on: recorder was down"), "the last change event is in the database, too")
    }
}
