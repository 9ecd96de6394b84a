/// Names the bits of `supportedMediaCommands` (PROTOCOL 4.9), which say nothing to a person as a number.
enum SupportedCommands {
    /// Bit names from the lowest bit on; a bit beyond them, or without a known name, is told by its value.
    private static let names = [
        "pause", "seek", "stream volume", "stream mute", "skip forward", "skip backward", "queue next",
        "queue previous",
        "queue shuffle", "skip ad", "repeat all", "repeat one", "edit tracks", "playback rate", "like", "dislike",
        "follow", "unfollow", "stream transfer",
    ]

    /// What is possible now, or what has become possible and what no longer is: "supported commands: now seek".
    static func change(from before: Int64?, to after: Int64?) -> String {
        guard let after else { return "supported commands: unknown" }
        guard let before else { return "supported commands: " + (after == 0 ? "none" : list(after)) }
        let (gained, lost) = (after & ~before, before & ~after)
        let parts = (gained == 0 ? [] : ["now " + list(gained)]) + (lost == 0 ? [] : ["no longer " + list(lost)])
        return "supported commands: " + (parts.isEmpty ? "unchanged" : parts.joined(separator: ", "))
    }

    private static func list(_ bits: Int64) -> String {
        (0..<64).filter { bits & (1 << $0) != 0 }.map { bit in
            names.indices.contains(bit) ? names[bit] : "\(UInt64(1) << UInt64(bit))"
        }.joined(separator: ", ")
    }
}
