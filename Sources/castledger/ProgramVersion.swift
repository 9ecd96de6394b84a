/// The program's version, as `--version` prints it and our CONNECT's `userAgent` says it.
enum ProgramVersion {
    static let text = "0.1.0"
}
