import IO
import TestSupport
import Testing

@Suite("A mistaken question", .waits)
struct MistakeTests {
    @Test(arguments: ["timeline", "events", "frames"])
    func `about a stretch that ends before it begins is refused, not answered with nothing`(command: String) throws {
        let (exit, output) = try Program.run([
            command, "--data", "/nowhere", "--from", "2026-03-02", "--to", "2026-03-01",
        ])
        #expect(exit == .code(64))
        #expect(
            output == """
                castledger: --from 2026-03-02T00:00:00.000000Z is not before --to 2026-03-01T00:00:00.000000Z: \
                nothing can lie between them.

                """)
    }
}
