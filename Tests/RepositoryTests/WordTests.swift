import Testing

/// Words that have no place in the tree, and what to write instead.
private let bannedWords: [(word: String, instead: String)] = [
    ("FIXME", "an issue, or the fix"),
    ("TO" + "DO", "an issue, or the deed"),
    ("try" + "!", "a thrown error"),
    ("print(", "Standard output through the castledger target"),
    ("usleep", "a timer on the loop, or a deadline"),
    ("import Foundation\n", "FoundationEssentials where the import law allows it"),
    ("DispatchQueue", "an OwnedThread or the EventLoop"),
    ("Task {", "an OwnedThread: order comes from one queue"),
    ("Task.detached", "an OwnedThread: order comes from one queue"),
    ("Mutex<", "Guarded, which the thread sanitizer sees"),
    ("Mutex(", "Guarded, which the thread sanitizer sees"),
]

/// Bare words that the field uses for several things: qualify them (app session, media session, link, …).
private let overloadedNames: Set<Substring> = ["session", "channel", "client", "server", "sess", "conn", "chan", "msg"]

@Suite("Words")
struct WordTests {
    @Test(arguments: bannedWords.map(\.word))
    func `a banned word is nowhere in the sources`(word: String) throws {
        let instead = bannedWords.first { $0.word == word }?.instead ?? ""
        for file in try Tree.files(below: "Sources", named: ".swift") {
            #expect(try !Tree.text(file).contains(word), "\(file) says '\(word)': use \(instead)")
        }
    }

    @Test func `no declaration bears a bare overloaded name`() throws {
        for file in try Tree.files(below: "Sources", named: ".swift") {
            for (number, line) in try Tree.lines(file).enumerated() {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                for (keyword, name) in zip(words, words.dropFirst()) where ["let", "var", "func"].contains(keyword) {
                    #expect(!overloadedNames.contains(name), "\(file):\(number + 1) declares a bare '\(name)'")
                }
            }
        }
    }

    @Test func `an unchecked Sendable says which lock or thread makes it so`() throws {
        for file in try Tree.files(below: "Sources", named: ".swift") {
            let lines = try Tree.lines(file)
            for (index, line) in lines.enumerated() where line.contains("@unchecked Sendable") && !line.contains("///")
            {
                let comment = lines[..<index].reversed().prefix { $0.contains("///") || $0.contains("@safe") }
                let says = comment.contains { line in
                    ["Sendable", "thread", "lock", "Guarded"].contains { line.contains($0) }
                }
                #expect(says, "\(file):\(index + 1) does not say what makes it safe")
            }
        }
    }
}
